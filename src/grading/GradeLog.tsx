import { useQuery } from '@tanstack/react-query';
import type { GradingEntry } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { listGradeLog } from '#contract/grading.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './grading.module.css';
import { gradeLogQuery } from './queries.ts';
import { changeWords, markReasonWords, momentWords } from './words.ts';

type Change = ReplyOf<typeof listGradeLog>['items'][number];

export interface GradeLogProps {
  opened: boolean;
  onClose: () => void;
  entry: GradingEntry;
}

function ChangeRow({ change, entry }: { change: Change; entry: GradingEntry }) {
  const { serverNow, timeZone } = useDevice();
  const isWhole = change.questionId === null;
  const isThis = change.questionId === entry.questionId;
  const what = isWhole ? 'Вся работа' : isThis ? `Вопрос ${entry.number}` : 'Другой вопрос';
  const reason = isWhole ? markReasonWords(change.reason) : change.reason;
  return (
    <li className={classes.change}>
      <p>
        <b>{what}</b>: {changeWords(change.oldPoints, change.newPoints)}
      </p>
      {reason !== '' && <p>{reason}</p>}
      {change.comment !== '' && <p>«{change.comment}»</p>}
      <p className={classes.dimmed}>
        {change.actor ?? 'Сервер по правилам'},{' '}
        {momentWords(change.at, { now: serverNow(), timeZone })}
      </p>
    </li>
  );
}

function Changes({ entry }: { entry: GradingEntry }) {
  const { data, error, refetch } = useQuery(gradeLogQuery(entry.attemptId));
  if (!data)
    return error ? (
      <QueryProblem error={error} onRetry={() => void refetch()} />
    ) : (
      <RowsSkeleton rows={3} />
    );
  if (data.items.length === 0) return <p>Оценки этой работы ещё никто не менял.</p>;
  return (
    <ol>
      {data.items.map((change, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the log only grows, at its start
        <ChangeRow key={data.items.length - index} change={change} entry={entry} />
      ))}
    </ol>
  );
}

/** Who changed what of this attempt's mark, and why; newest first. */
export function GradeLog({ opened, onClose, entry }: GradeLogProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title={`История оценок: ${entry.userName}`}>
      {opened && <Changes entry={entry} />}
    </Sheet>
  );
}
