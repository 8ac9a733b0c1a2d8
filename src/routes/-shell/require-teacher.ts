import { redirect } from '@tanstack/react-router';
import { isTeacherLevel } from '#domain/roles.ts';
import type { AppServices } from '#app/app/services.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';

const loadPlainPaste = createModuleLoader(() => import('#app/questions/paste/plain-paste.ts'));

const startPasting = async (): Promise<void> => {
  const { installPlainPaste } = await loadPlainPaste();
  installPlainPaste();
};

/** Route guard: teachers and admins pass, others are redirected to the test base. The server checks access itself. */
export function requireTeacher({ session }: AppServices): void {
  const user = session.current()?.user;
  if (user && !isTeacherLevel(user.role)) throw redirect({ to: '/tests', replace: true });
  // Without it the browser pastes plain text.
  startPasting().catch(() => undefined);
}
