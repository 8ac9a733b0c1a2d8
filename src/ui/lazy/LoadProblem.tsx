import { IconAlertTriangle } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';

/** The server answers, so that a page that is loaded again can only gain. */
const reloadIfReachable = () =>
  fetch('/favicon.svg', { cache: 'no-store' }).then(
    ({ ok }) => ok && window.location.reload(),
    () => undefined,
  );

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
