import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { GradingEntry } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { listGradeLog } from '#contract/grading.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { gradeLogQuery } from './queries.ts';
import { formatChange, markReasonLabel, formatMoment } from './messages.ts';

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
  const reason = isWhole ? markReasonLabel(change.reason) : change.reason;
  return (
    <Box component="li" className="line-below break-anywhere" py="sm">
      <p>
        <b>{what}</b>: {formatChange(change.oldPoints, change.newPoints)}
      </p>
      {reason !== '' && <p>{reason}</p>}
      {change.comment !== '' && <p>«{change.comment}»</p>}
      <Text size="sm" c="dimmed">
        {change.actor ?? 'Сервер по правилам'},{' '}
        {formatMoment(change.at, { now: serverNow(), timeZone })}
      </Text>
    </Box>
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

/** History of the changes to this attempt's mark, newest first. */
export function GradeLog({ opened, onClose, entry }: GradeLogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`История оценок: ${entry.userName}`}>
      {opened && <Changes entry={entry} />}
    </Modal>
  );
}
