import { IconAlertTriangle } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { reloadIfReachable } from './reload-if-reachable.ts';

/** Replaces a part of the app that failed to load. */
export function LoadProblem({ onRetry }: { onRetry: () => Promise<unknown> }) {
  return (
    <InlineNote
      tone="warn"
      icon={IconAlertTriangle}
      role="status"
      action={
        <QuietButton onClick={() => void onRetry().catch(reloadIfReachable)}>Повторить</QuietButton>
      }
    >
      Эта часть страницы не загрузилась. Остальное работает, ответы целы. Когда появится сеть, она
      загрузится сама.
    </InlineNote>
  );
}
