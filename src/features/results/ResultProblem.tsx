import { Link } from '@tanstack/react-router';
import { ApiFailure, isRefusal } from '#app/api/failure.ts';
import { describeFailure, isNotFound } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { DecisionAwaited } from '#app/lib/receipts/DecisionAwaited.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';

const NOT_FOUND = 'Не найдено. Возможно, ссылка устарела.';

/** Not found. Another person's attempt looks the same as a missing one. */
export function ResultAbsent({ message = NOT_FOUND }: { message?: string }) {
  return (
    <EmptyState heading="Такого результата нет" action={<Link to="/tests/my">К моим тестам</Link>}>
      {message}
    </EmptyState>
  );
}

const isGone = (error: unknown) =>
  error instanceof ApiFailure && error.kind === 'refused' && error.status === 410;

/** Why a result is not shown; a final error offers no retry. */
export function ResultProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isNotFound(error)) return <ResultAbsent />;
  if (isGone(error)) return <ResultAbsent message={describeFailure(error)} />;
  if (isRefusal(error, 'BEGIN_HELD')) return <DecisionAwaited />;
  return <QueryProblem what="result" error={error} onRetry={onRetry} />;
}
