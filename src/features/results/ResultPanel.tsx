import { Link } from '@tanstack/react-router';
import { isRefusal } from '#app/api/failure.ts';
import { ReceiptButton } from '#app/lib/receipts/ReceiptButton.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { resultQuery } from './queries.ts';
import { ResultProblem } from './ResultProblem.tsx';
import { ResultView } from './ResultView.tsx';
import { useRenewOnArrival } from './use-renew-on-arrival.ts';

/** The result of an attempt under «Можно закрывать», fetched from the server. */
export function ResultPanel({ attemptId, viewerId }: { attemptId: string; viewerId: string }) {
  const { data, problem, retry } = usePageQuery(resultQuery(attemptId));
  useRenewOnArrival(attemptId);
  if (data) {
    const { testId } = data.data;
    return (
      <>
        <SavedAt savedAt={data.savedAt} />
        <ResultView result={data.data} viewerId={viewerId} />
        <Link
          to="/tests/$testId/results/$attemptId"
          params={{ testId, attemptId }}
          className="tap self-start"
        >
          Результат по вопросам
        </Link>
        <ReceiptButton attemptId={attemptId} />
      </>
    );
  }
  return problem === null ? (
    <RowsSkeleton rows={3} />
  ) : (
    <>
      <ResultProblem error={problem} onRetry={retry} />
      {!isRefusal(problem, 'BEGIN_HELD') && <ReceiptButton attemptId={attemptId} />}
    </>
  );
}
