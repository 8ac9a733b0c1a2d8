import { useBlocker } from '@tanstack/react-router';
import { GuardDialog } from '#app/ui/overlays/GuardDialog.tsx';
import type { DraftEditor } from './draft.ts';

/** Confirms leaving an editor with edits only in memory. Edits stored on the device are sent automatically. */
export function LeaveDraftGuard({ draft: { state } }: { draft: Pick<DraftEditor, 'state'> }) {
  const isAtRisk = state.kind === 'memory';
  const blocker = useBlocker({
    // Edits survive a switch of edit modes; an ended session is not blocked.
    shouldBlockFn: ({ current, next }) =>
      isAtRisk &&
      next.pathname !== '/login' &&
      next.pathname.replace(/[^/]+$/, '') !== current.pathname.replace(/[^/]+$/, ''),
    // Without it the browser would ask before every reload.
    enableBeforeUnload: () => isAtRisk,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <GuardDialog
      title="Уйти без сохранения?"
      message="Правки не сохранены ни на сервере, ни на устройстве. Если уйти, они пропадут."
      stay="Остаться"
      leave="Уйти без сохранения"
      onStay={blocker.reset}
      onLeave={blocker.proceed}
    />
  );
}
