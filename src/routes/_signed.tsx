import { Outlet, createFileRoute, redirect } from '@tanstack/react-router';
import { ConfirmationHost } from '#app/session/ConfirmationHost.tsx';

/** Everything that needs a session: without one the visitor goes to the sign-in screen and back. */
export const Route = createFileRoute('/_signed')({
  beforeLoad: ({ context: { app }, location }) => {
    if (!app.session.current()) {
      throw redirect({ to: '/login', search: { redirect_path: location.href } });
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
