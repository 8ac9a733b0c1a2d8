import { useBlocker } from '@tanstack/react-router';
import { GuardDialog } from '#app/ui/GuardDialog.tsx';

const isImport = (search: unknown): boolean =>
  typeof search === 'object' && search !== null && 'view' in search && search.view === 'import';

/** Asks before an import is left whose passwords nobody has yet. */
export function ImportGuard({ isHeld, onLeave }: { isHeld: boolean; onLeave: () => void }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const isLeft = next.pathname !== current.pathname || !isImport(next.search);
      // A sign-in that ended is not held up: its pages may not stay on the screen.
      return isHeld && isLeft && next.pathname !== '/login';
    },
    enableBeforeUnload: () => isHeld,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <GuardDialog
      title="Уйти без файла с паролями?"
      words="Созданные учётные записи останутся. Пароли есть только на этой странице: чтобы выдать их потом, каждый придётся сбросить."
      stay="Остаться"
      leave="Уйти без паролей"
      onStay={blocker.reset}
      onLeave={() => {
        onLeave();
        blocker.proceed();
      }}
    />
  );
}
