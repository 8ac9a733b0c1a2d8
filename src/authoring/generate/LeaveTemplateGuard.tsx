import { useBlocker } from '@tanstack/react-router';
import { GuardDialog } from '#app/ui/GuardDialog.tsx';

/** Asks before a page with an unsaved template is left; a tab that is closed asks in the browser's words. */
export function LeaveTemplateGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    // A dialog of this page has a history entry too; a sign-in that ended is not held up.
    shouldBlockFn: ({ current, next }) =>
      isDirty && next.pathname !== current.pathname && next.pathname !== '/login',
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <GuardDialog
      title="Уйти без сохранения?"
      words="Шаблон ещё не сохранён. Если уйти, правки в нём пропадут."
      stay="Остаться"
      leave="Уйти без сохранения"
      onStay={blocker.reset}
      onLeave={blocker.proceed}
    />
  );
}
