import { Box, Button, Flex, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconCircleDashed, IconKey, IconPencil } from '@tabler/icons-react';
import type { GradingEntry } from '#contract/grading.ts';
import { formatNumber } from '#domain/format.ts';
import { PENDING_REVIEW_LABEL } from '#domain/labels-status.ts';
import { Icon } from '#app/ui/Icon.tsx';
import type { GradeDrafts } from './drafts.ts';
import { cx } from '#app/ui/cx.ts';
import { PANE } from '#app/ui/columns.ts';
import classes from './grading.module.css';
import { itemOf } from './queue.ts';
import { formatGrade } from './messages.ts';

export interface QueueListProps {
  entries: readonly GradingEntry[];
  current: string;
  drafts: GradeDrafts;
  waiting: number;
  total: number;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
  onOpen: (entry: GradingEntry) => void;
}

function Sign({ entry, isDraft }: { entry: GradingEntry; isDraft: boolean }) {
  const icon = isDraft
    ? IconPencil
    : entry.points === null
      ? IconCircleDashed
      : entry.gradedBy === 'key'
        ? IconKey
        : IconCheck;
  return <Icon of={icon} size={16} />;
}

/** The list scrolls to the open answer. */
const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' });

/** The queue of answers, each with its state. */
export function QueueList(props: QueueListProps) {
  const { entries, current, drafts, waiting, total, hasMore, isLoading, onMore, onOpen } = props;
  return (
    <Box
      component="nav"
      className={cx('card-from-desktop', PANE, classes.queue)}
      style={{ '--pane': 'calc(100dvh - 6rem)' }}
      aria-label="Ответы"
    >
      <Text className="tabular" size="sm" c="dimmed" px={{ md: 'sm' }} py="xs" role="status">
        {PENDING_REVIEW_LABEL}: {formatNumber(waiting)} из{' '}
        {formatNumber(Math.max(total, entries.length))}
      </Text>
      <ol className="line-above">
        {entries.map((entry) => {
          const item = itemOf(entry);
          const isCurrent = item === current;
          const isDraft = drafts.has(item);
          const colour = (usual: string) => (isCurrent ? 'inherit' : usual);
          return (
            <li key={item} className="line-below">
              <UnstyledButton
                className={cx('tap focus-inside', classes.row)}
                w="100%"
                p="0.625rem 0.75rem"
                aria-current={isCurrent || undefined}
                data-item={item}
                ref={isCurrent ? intoView : undefined}
                onClick={() => onOpen(entry)}
              >
                <Flex component="span" direction="column" flex={1} gap={2} miw={0}>
                  <Text span fz={15} fw={500}>
                    {entry.userName}
                  </Text>
                  <Box component="span" fz="sm" c={colour('dimmed')}>
                    Вопрос {entry.number}
                    {entry.attemptNumber > 1 && `, попытка ${entry.attemptNumber}`}
                    {entry.groups.length > 0 && ` · ${entry.groups.join(', ')}`}
                    {entry.trial && ' · пробная'}
                  </Box>
                </Flex>
                <Flex
                  component="span"
                  className="tabular"
                  align="center"
                  gap={6}
                  fz="sm"
                  c={colour(entry.points === null ? 'var(--app-warn-text)' : 'dimmed')}
                >
                  <Sign entry={entry} isDraft={isDraft} />
                  {isDraft ? 'Не сохранено' : formatGrade(entry)}
                </Flex>
              </UnstyledButton>
            </li>
          );
        })}
      </ol>
      {hasMore && (
        <Button variant="default" size="sm" fullWidth loading={isLoading} onClick={onMore}>
          Показать ещё
        </Button>
      )}
    </Box>
  );
}
