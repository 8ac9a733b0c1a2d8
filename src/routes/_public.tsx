import { Outlet, createFileRoute, redirect } from '@tanstack/react-router';
import { redirectSearch } from '#app/features/session/redirect-path.ts';

/** Screens for visitors only: signed-in people are redirected home. */
export const Route = createFileRoute('/_public')({
  validateSearch: redirectSearch,
  beforeLoad: ({ context: { app } }) => {
    if (app.session.current()) throw redirect({ to: '/' });
  },
  component: Outlet,
});
