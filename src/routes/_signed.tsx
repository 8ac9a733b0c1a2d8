import { Outlet, createFileRoute, redirect } from '@tanstack/react-router';
import { redirectSearch } from '#app/app/redirect-to-sign-in.ts';
import { ConfirmationHost } from '#app/features/session/ConfirmationHost.tsx';

/** Routes that need a session: visitors are redirected to the sign-in screen. */
export const Route = createFileRoute('/_signed')({
  beforeLoad: ({ context: { app }, location }) => {
    if (!app.session.current()) {
      throw redirect({
        to: '/login',
        search: redirectSearch(app.session.endReason(), location.href),
      });
    }
  },
  component: Screen,
});

function Screen() {
  return (
    <>
      <Outlet />
      <ConfirmationHost />
    </>
  );
}
