import { redirect } from '@tanstack/react-router';
import type { AppServices } from '#app/app/services.ts';

/** Route guard: admins pass, others are redirected home. The server checks access itself. */
export function requireAdmin({ session }: AppServices): void {
  const user = session.current()?.user;
  if (user && !user.isAdmin) throw redirect({ to: '/', replace: true });
}
