import { Button, Text } from '@mantine/core';
import { IconClockPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Board } from '#contract/board.ts';
import { formatClock, formatRemaining } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { useNow } from '#app/lib/use-now.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { TrialsSwitch } from '#app/ui/data/TrialsSwitch.tsx';
import classes from './Board.module.css';
import { isUnderWay, lastDeadline, type Show } from './rules.ts';

const GROUPS_NAMED = 3;

/** «Ход теста» with the class: «9А». */
function Subject({ board }: { board: Board }) {
  const groups = [...new Set(board.rows.flatMap((row) => row.groups))].sort();
  const named = groups.length <= GROUPS_NAMED ? groups.join(', ') : '';
  return (
    <div className={classes.subject}>
      <h2>Ход теста</h2>
      {named !== '' && (
        <Text c="dimmed" fz={15}>
          {named}
        </Text>
      )}
    </div>
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
    <p className={classes.time} role="timer" aria-live="off">
      <b>{formatRemaining(last - now)}</b> {isOne ? 'до конца' : 'до последнего срока'}, в{' '}
      {formatClock(last, timeZone)}
    </p>
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
  counts,
  onAddTime,
}: {
  board: Board;
  show: Show;
  trials: Trials;
  counts: Readonly<Record<Show, number>>;
  onAddTime: () => void;
}) {
  const choices: readonly [Show, string][] = [
    ['all', 'Все'],
    ['stuck', 'Не доходят'],
    ['finished', 'Сдали'],
  ];
  return (
    <div className={classes.head}>
      <Subject board={board} />
      <TimeToEnd board={board} />
      {board.rows.some(isUnderWay) && (
        <Button
          size="sm"
          variant="default"
          leftSection={<Icon of={IconClockPlus} />}
          onClick={onAddTime}
        >
          Добавить время
        </Button>
      )}
      <nav aria-label="Кого показать" className={classes.show}>
        {choices.map(([value, words]) => (
          <Link
            key={value}
            className="tap"
            to="/tests/manage/$testId/live"
            params={{ testId: board.testId }}
            search={{
              ...(value !== 'all' && { show: value }),
              ...(trials.isShown && { trials: '1' as const }),
            }}
            replace
            resetScroll={false}
            aria-current={show === value ? ('page' as const) : undefined}
          >
            {words} <span className="tabular">{counts[value]}</span>
          </Link>
        ))}
      </nav>
      <TrialsSwitch count={board.trials} isShown={trials.isShown} onChange={trials.onChange} />
    </div>
  );
}
