import { ApiFailure } from '#app/api/failure.ts';
import { ErrorPanel } from '#app/ui/ErrorPanel.tsx';
import { failureWords } from './failure-words.ts';

/** A page's data did not come: why, and «Повторить». */
export function QueryProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <ErrorPanel
      message={failureWords(error)}
      onRetry={onRetry}
      requestId={error instanceof ApiFailure ? error.requestId : undefined}
    />
  );
}
