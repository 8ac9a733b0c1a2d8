import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { listMissing } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { Pager } from '#app/ui/Pager.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { TrialPill } from '#app/ui/TrialPill.tsx';
import type { GradingSearch } from './grading-search.ts';
import classes from './grading.module.css';
import { knownWords } from './missing-words.ts';
import { MISSING_PAGE, missingQuery } from './queries.ts';

type Row = ReplyOf<typeof listMissing>['items'][number];

function MissingRow({ row, testId }: { row: Row; testId: string }) {
  const { serverNow, timeZone } = useDevice();
  return (
    <li className={classes.missing}>
      <h2>{row.userName}</h2>
      {row.trial && <TrialPill />}
      {knownWords(row, { now: serverNow(), timeZone }).map((words) => (
        <p key={words}>{words}</p>
      ))}
      {row.attemptId !== null && (
        <p>
          <Link
            className={classes.moreLink}
            to="/tests/manage/$testId/grading"
            params={{ testId }}
            search={{ attemptId: row.attemptId }}
          >
            Что дошло
          </Link>
        </p>
      )}
    </li>
  );
}

/** Attempts that the server closed or made again, and devices whose answers never came, with what is known. */
export function MissingView({ testId, search }: { testId: string; search: GradingSearch }) {
  const [page, setPage] = useState(1);
  const { data, problem, retry } = usePageQuery(missingQuery(testId, search, page));
  if (!data)
    return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
  if (data.total === 0) {
    return (
      <EmptyState heading="Всё дошло">
        Попыток, закрытых или собранных заново сервером, и устройств с неотправленными ответами нет
      </EmptyState>
    );
  }
  return (
    <section className={classes.list} aria-label="Не дошло до сервера">
      <p className={classes.dimmed}>
        Ответы, которые дойдут после срока, не пропадут: они появятся здесь под «Поздние».
      </p>
      <ul>
        {data.items.map((row) => (
          <MissingRow
            key={row.attemptId ?? `${row.userId}/${row.missingAt}`}
            row={row}
            testId={testId}
          />
        ))}
      </ul>
      <Pager page={page} pageSize={MISSING_PAGE} total={data.total} onPage={setPage} />
    </section>
  );
}
