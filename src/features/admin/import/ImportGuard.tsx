import { useBlocker } from '@tanstack/react-router';
import { GuardDialog } from '#app/ui/overlays/GuardDialog.tsx';

const isImport = (search: unknown): boolean =>
  typeof search === 'object' && search !== null && 'view' in search && search.view === 'import';

/** Confirms leaving an import with passwords that were not downloaded. */
export function ImportGuard({ isRetained, onLeave }: { isRetained: boolean; onLeave: () => void }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const isLeft = next.pathname !== current.pathname || !isImport(next.search);
      // The redirect of an ended session is not blocked.
      return isRetained && isLeft && next.pathname !== '/login';
    },
    enableBeforeUnload: () => isRetained,
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
