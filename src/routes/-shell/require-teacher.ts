import { redirect } from '@tanstack/react-router';
import { isTeacherLevel } from '#domain/roles.ts';
import type { AppServices } from '#app/services.ts';

/** Teachers and admins pass; others go to the test base. The server decides for itself all the same. */
export function requireTeacher({ session }: AppServices): void {
  const user = session.current()?.user;
  if (user && !isTeacherLevel(user.role)) throw redirect({ to: '/tests', replace: true });
}
