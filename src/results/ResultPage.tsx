import { Link } from '@tanstack/react-router';
import { SavedAt } from '#app/offline/SavedAt.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { ItemVerdicts } from './ItemVerdicts.tsx';
import { resultQuery } from './queries.ts';
import { ResultAbsent, ResultProblem } from './ResultProblem.tsx';
import { ResultView } from './ResultView.tsx';
import classes from './ResultView.module.css';
import { useRenewOnArrival } from './use-renew-on-arrival.ts';

export interface ResultPageProps {
  testId: string;
  attemptId: string;
  viewerId: string;
}

/** One attempt's result as a page of its own. */
export function ResultPage({ testId, attemptId, viewerId }: ResultPageProps) {
  const { data, problem, retry } = usePageQuery(resultQuery(attemptId));
  useRenewOnArrival(attemptId);
  if (!data) {
    return problem === null ? (
      <RowsSkeleton rows={3} />
    ) : (
      <ResultProblem error={problem} onRetry={retry} />
    );
  }
  const { data: result, savedAt } = data;
  if (result.testId !== testId) return <ResultAbsent />;
  return (
    <article className={classes.page}>
      <h2>{result.title}</h2>
      <SavedAt savedAt={savedAt} />
      <ResultView result={result} viewerId={viewerId} />
      <Link
        className={classes.link}
        to="/tests/$testId/results/$attemptId/preview"
        params={{ testId, attemptId }}
      >
        Вопросы и ответы
      </Link>
      <ItemVerdicts items={result.items} />
      {result.userId === viewerId && (
        <Link className={classes.wide} to="/tests/$testId/results" params={{ testId }}>
          Ко всем попыткам
        </Link>
      )}
    </article>
  );
}
