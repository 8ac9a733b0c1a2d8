import { Link } from '@tanstack/react-router';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { SavedAt } from '#app/offline/SavedAt.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { AttemptStatePill } from '#app/ui/AttemptStatePill.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import { attemptsQuery } from './queries.ts';
import { scoreInList } from './result-words.ts';
import classes from './ResultView.module.css';

interface Row {
  state: 0 | 1 | 2;
  pendingReview: boolean;
}

function AttemptState({ state, pendingReview }: Row) {
  if (state === 2 && pendingReview) return <TestStatusPill status="pendingReview" />;
  return <AttemptStatePill state={state === 2 ? 'over' : 'run'} />;
}

/** The person's attempts on a test, each leading to its result. */
export function AttemptsList({ testId }: { testId: string }) {
  const { data, problem, retry } = usePageQuery(attemptsQuery(testId));
  const { serverNow, timeZone } = useDevice();
  if (!data) {
    return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
  }
  const { attempts, title } = data.data;
  return (
    <section className={classes.page}>
      <SavedAt savedAt={data.savedAt} />
      <h2>{title}</h2>
      {attempts.length === 0 ? (
        <EmptyState heading="Попыток пока нет">
          Они появятся здесь, когда тест будет пройден
        </EmptyState>
      ) : (
        <ol>
          {attempts.map(({ attemptId, attemptNumber, score, maxScore, startedAt, ...row }) => (
            <li key={attemptId} className={classes.attempt}>
              <Link to="/tests/$testId/results/$attemptId" params={{ testId, attemptId }}>
                Попытка {attemptNumber}, {formatMoment(new Date(startedAt), serverNow(), timeZone)}
              </Link>
              <AttemptState {...row} />
              <span className={classes.points}>
                {score === null ? 'баллов пока нет' : scoreInList(score, maxScore)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
