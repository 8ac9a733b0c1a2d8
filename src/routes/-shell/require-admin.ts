import { redirect } from '@tanstack/react-router';
import type { AppServices } from '#app/services.ts';

/** Admins pass; others go to the home page. The server decides for itself all the same. */
export function requireAdmin({ session }: AppServices): void {
  const user = session.current()?.user;
  if (user && !user.isAdmin) throw redirect({ to: '/', replace: true });
}
