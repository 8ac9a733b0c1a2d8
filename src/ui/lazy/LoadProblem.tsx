import { IconAlertTriangle } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { reloadIfReachable } from './reload-if-reachable.ts';

/** What stands in place of a part of the app that did not arrive. */
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
