import { useBlocker } from '@tanstack/react-router';
import { GuardDialog } from '#app/ui/GuardDialog.tsx';
import type { Draft } from './draft.ts';

/** Asks before an editor is left whose edits are in memory alone. Kept on the device, they go by themselves. */
export function LeaveDraftGuard({ draft: { state } }: { draft: Pick<Draft, 'state'> }) {
  const isAtRisk = state.kind === 'memory';
  const blocker = useBlocker({
    // Between the modes of editing the edits go along; a sign-in that ended is not held up.
    shouldBlockFn: ({ current, next }) =>
      isAtRisk &&
      next.pathname !== '/login' &&
      next.pathname.replace(/[^/]+$/, '') !== current.pathname.replace(/[^/]+$/, ''),
    // Left out, the browser would ask before every reload.
    enableBeforeUnload: () => isAtRisk,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <GuardDialog
      title="Уйти без сохранения?"
      words="Правки не сохранены ни на сервере, ни на устройстве. Если уйти, они пропадут."
      stay="Остаться"
      leave="Уйти без сохранения"
      onStay={blocker.reset}
      onLeave={blocker.proceed}
    />
  );
}
