import { Button, Flex, Group, Text } from '@mantine/core';
import { IconClockPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Board } from '#contract/board.ts';
import { compareNames } from '#domain/alphabet.ts';
import { formatClock, formatRemaining } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { useNow } from '#app/lib/use-now.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { TrialsSwitch } from '#app/ui/data/TrialsSwitch.tsx';
import classes from './Board.module.css';
import { isInProgress, lastDeadline, type Show } from './rules.ts';

const GROUPS_NAMED = 3;

/** «Ход теста» with the class: «9А». */
function Subject({ board }: { board: Board }) {
  const groups = [...new Set(board.rows.flatMap((row) => row.groups))].sort(compareNames);
  const named = groups.length <= GROUPS_NAMED ? groups.join(', ') : '';
  return (
    <Group flex={{ base: '1 1 auto', sm: '1 1 12rem' }} gap="0 0.625rem" align="baseline" miw={0}>
      <h2>Ход теста</h2>
      {named !== '' && (
        <Text c="dimmed" fz={15}>
          {named}
        </Text>
      )}
    </Group>
  );
}

function TimeToEnd({ board }: { board: Board }) {
  const { timeZone } = useDevice();
  const now = useNow(1_000);
  const last = lastDeadline(board.rows);
  if (last === null || last <= now) return null;
  const deadlines = board.rows
    .filter(({ state }) => state === 'running')
    .map((row) => row.deadline);
  const isOne = new Set(deadlines).size === 1;
  return (
    <Text
      role="timer"
      aria-live="off"
      flex={{ base: '1 1 auto', sm: '0 1 auto' }}
      fz="sm"
      c="dimmed"
      className="tabular"
    >
      <Text component="b" fz={28} fw={600} lh={1} c="var(--app-text)">
        {formatRemaining(last - now)}
      </Text>{' '}
      {isOne ? 'до конца' : 'до последнего срока'}, в {formatClock(last, timeZone)}
    </Text>
  );
}

/** Whether the URL includes trials, and its setter. */
export interface Trials {
  readonly isShown: boolean;
  readonly onChange: (isShown: boolean) => void;
}

/** Title, time left, actions and view switches. */
export function BoardHead({
  board,
  show,
  trials,
  codeClass,
  counts,
  onAddTime,
}: {
  board: Board;
  show: Show;
  trials: Trials;
  /** Stays in the URL. */
  codeClass: string | undefined;
  counts: Readonly<Record<Show, number>>;
  /** Null: the viewer may not add time. */
  onAddTime: (() => void) | null;
}) {
  const choices: readonly [Show, string][] = [
    ['all', 'Все'],
    ['stuck', 'Не доходят'],
    ['finished', 'Сдали'],
  ];
  return (
    <Group gap="0.75rem 1.25rem">
      <Subject board={board} />
      <TimeToEnd board={board} />
      {onAddTime && board.rows.some(isInProgress) && (
        <Button
          size="sm"
          variant="default"
          leftSection={<Icon of={IconClockPlus} />}
          onClick={onAddTime}
        >
          Добавить время
        </Button>
      )}
      <Flex
        component="nav"
        aria-label="Кого показать"
        className={classes.show}
        flex={{ base: '1 1 100%', sm: '0 1 auto' }}
        wrap="wrap"
        p={3}
        bd="1px solid var(--app-line)"
        bdrs="md"
        bg="var(--app-quiet-soft)"
      >
        {choices.map(([value, words]) => (
          <Link
            key={value}
            className="tap segment"
            to="/tests/manage/$testId/live"
            params={{ testId: board.testId }}
            search={{
              ...(value !== 'all' && { show: value }),
              ...(trials.isShown && { trials: '1' as const }),
              ...(codeClass !== undefined && { class: codeClass }),
            }}
            replace
            resetScroll={false}
            aria-current={show === value ? ('page' as const) : undefined}
          >
            {words} <span className="tabular">{counts[value]}</span>
          </Link>
        ))}
      </Flex>
      <TrialsSwitch count={board.trials} isShown={trials.isShown} onChange={trials.onChange} />
    </Group>
  );
}
