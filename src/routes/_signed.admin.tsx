import { Outlet, createFileRoute, redirect } from '@tanstack/react-router';
import type { AppServices } from '#app/app/services.ts';

/** Route guard: admins pass, others are redirected home. The server checks access itself. */
function requireAdmin({ session }: AppServices): void {
  const user = session.current()?.user;
  if (user && !user.isAdmin) throw redirect({ to: '/', replace: true });
}

/** Everything under /admin is for administrators. */
export const Route = createFileRoute('/_signed/admin')({
  beforeLoad: ({ context: { app } }) => requireAdmin(app),
  component: Outlet,
});
