import { ApiFailure } from '#app/api/failure.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { describeFailure } from './failure-messages.ts';

/** Why a page's data could not be loaded, with «Повторить». */
export function QueryProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <ErrorPanel
      message={describeFailure(error)}
      onRetry={onRetry}
      requestId={error instanceof ApiFailure ? error.requestId : undefined}
    />
  );
}
