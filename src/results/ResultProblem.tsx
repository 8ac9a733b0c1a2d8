import { Link } from '@tanstack/react-router';
import { ApiFailure } from '#app/api/failure.ts';
import { failureWords, isNotFound } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';

const NOT_FOUND = 'Не найдено. Возможно, ссылка устарела.';

/** Nothing under this address, or nothing of this person's: a foreign id tells no more than a wrong one. */
export function ResultAbsent({ words = NOT_FOUND }: { words?: string }) {
  return (
    <EmptyState heading="Такого результата нет" action={<Link to="/tests/my">К моим тестам</Link>}>
      {words}
    </EmptyState>
  );
}

const isGone = (error: unknown) =>
  error instanceof ApiFailure && error.kind === 'refused' && error.status === 410;

/** Why a result is not shown; what the server said for good is not asked again. */
export function ResultProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isNotFound(error)) return <ResultAbsent />;
  if (isGone(error)) return <ResultAbsent words={failureWords(error)} />;
  return <QueryProblem error={error} onRetry={onRetry} />;
}
