import { Button } from '@mantine/core';
import { IconCheck, IconCircleDashed, IconKey, IconPencil } from '@tabler/icons-react';
import type { GradingEntry } from '#contract/grading.ts';
import { formatNumber } from '#domain/format.ts';
import type { Drafts } from './drafts.ts';
import classes from './grading.module.css';
import { itemOf } from './queue.ts';
import { gradeWords } from './words.ts';

export interface QueueListProps {
  entries: readonly GradingEntry[];
  current: string;
  drafts: Drafts;
  waiting: number;
  total: number;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
  onOpen: (entry: GradingEntry) => void;
}

function Sign({ entry, isDraft }: { entry: GradingEntry; isDraft: boolean }) {
  const Icon = isDraft
    ? IconPencil
    : entry.points === null
      ? IconCircleDashed
      : entry.gradedBy === 'key'
        ? IconKey
        : IconCheck;
  return <Icon size={16} stroke={2} aria-hidden className={classes.sign} />;
}

/** The list goes along with the answer that is open. */
const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' });

/** The answers to go through, each with its state. */
export function QueueList(props: QueueListProps) {
  const { entries, current, drafts, waiting, total, hasMore, isLoading, onMore, onOpen } = props;
  return (
    <nav className={classes.queue} aria-label="Ответы">
      <p className={classes.queueHead} role="status">
        Ждут оценки: {formatNumber(waiting)} из {formatNumber(Math.max(total, entries.length))}
      </p>
      <ol>
        {entries.map((entry) => {
          const item = itemOf(entry);
          const isCurrent = item === current;
          const isDraft = drafts.has(item);
          return (
            <li key={item}>
              <button
                type="button"
                className={classes.row}
                aria-current={isCurrent || undefined}
                ref={isCurrent ? intoView : undefined}
                onClick={() => onOpen(entry)}
              >
                <span className={classes.rowName}>{entry.userName}</span>
                <span className={classes.rowMeta}>
                  Вопрос {entry.number}
                  {entry.attemptNumber > 1 && `, попытка ${entry.attemptNumber}`}
                  {entry.groups.length > 0 && ` · ${entry.groups.join(', ')}`}
                  {entry.trial && ' · пробная'}
                </span>
                <span className={classes.rowState} data-waits={entry.points === null || undefined}>
                  <Sign entry={entry} isDraft={isDraft} />
                  {isDraft ? 'Не сохранено' : gradeWords(entry)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {hasMore && (
        <Button variant="default" size="sm" fullWidth loading={isLoading} onClick={onMore}>
          Показать ещё
        </Button>
      )}
    </nav>
  );
}
