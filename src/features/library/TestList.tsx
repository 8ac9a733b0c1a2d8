import { Box, Button, Text } from '@mantine/core';
import { IconChevronRight, IconDeviceMobile } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { PassedTest, TestListItem } from '#contract/tests.ts';
import { isUnfinished } from '#domain/status.ts';
import { ATTEMPTS, formatCount, formatNumber, formatPoints } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useShownZone } from '#app/lib/device-services.ts';
import { useNow } from '#app/lib/use-now.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { CellHead } from '#app/ui/data/CellHead.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import {
  overlayLocalAttempts,
  runningFirst,
  useLocalAttempts,
  type ListedTest,
} from './local-attempts.ts';
import { cx } from '#app/ui/cx.ts';
import list from '#app/ui/data/list.module.css';
import classes from './TestList.module.css';

const EVERY_MS = 15_000;

/** A listed test; finished ones also with date and attempt count. */
export type ListItem = TestListItem & Partial<Pick<PassedTest, 'finishedAt' | 'attempts'>>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list, with its query, that the page was opened from. */
    cameFrom?: string;
  }
}

/** Link target of a row. */
export type LeadsTo = 'overview' | 'results';

function TestPoints({ item }: { item: TestListItem }) {
  if (item.currentPoints !== null) {
    return (
      <>
        <Text component="b" inherit c="var(--app-text)" fw={600} className="nowrap">
          {formatNumber(item.currentPoints)}
        </Text>{' '}
        из {formatNumber(item.totalPoints)}
      </>
    );
  }
  return (
    <>
      <span className="to-desktop">{formatPoints(item.totalPoints)}</span>
      <span className="from-desktop">из {formatNumber(item.totalPoints)}</span>
    </>
  );
}

function TestState({ item, now }: { item: ListedTest<ListItem>; now: number }) {
  const timeZone = useShownZone();
  if (item.isQueued) {
    return (
      <StatePill icon={IconDeviceMobile} tone="warn">
        Ещё на устройстве
      </StatePill>
    );
  }
  return (
    <TestStatusPill
      status={item.status}
      opensAt={item.startDate === null ? undefined : new Date(item.startDate)}
      leftMs={item.running ? Date.parse(item.running.deadline) - now : undefined}
      now={now}
      timeZone={timeZone}
    />
  );
}

/** «закончен 21 мая, 10:42, 2 попытки»; for attempts that only ran out of time «время вышло …». */
function usePastLabel({ finishedAt, attempts = 1, status }: ListItem, now: number): string | null {
  const timeZone = useShownZone();
  if (finishedAt === undefined) return null;
  const word = isUnfinished(status) ? 'время вышло' : 'закончен';
  const when = `${word} ${formatMoment(new Date(finishedAt), now, timeZone)}`;
  return attempts > 1 ? `${when}, ${formatCount(attempts, ATTEMPTS)}` : when;
}

function TestRow({
  item,
  now,
  leadsTo,
}: {
  item: ListedTest<ListItem>;
  now: number;
  leadsTo: LeadsTo;
}) {
  const past = usePastLabel(item, now);
  const cameFrom = useLocation({ select: ({ href }) => href });
  const { running } = item;
  return (
    <li className={cx(list.row, classes.row)}>
      <Box miw={0} className={classes.name}>
        <Link
          to={leadsTo === 'results' ? '/tests/$testId/results' : '/tests/$testId/overview'}
          params={{ testId: item.id }}
          state={{ cameFrom }}
          className={list.link}
        >
          {item.title}
        </Link>
        <Text size="sm" c="dimmed">
          {item.subject} · {item.difficulty}
          {past !== null && (
            <Text span inherit display="block">
              {past}
            </Text>
          )}
        </Text>
      </Box>
      <Text span fz={15} c="dimmed" className={cx('from-desktop', classes.owner)}>
        <CellHead>Автор</CellHead>
        <span>{item.owner}</span>
      </Text>
      <span>
        <CellHead>Статус</CellHead>
        <TestState item={item} now={now} />
      </span>
      <Text span fz={{ base: 16, md: 15 }} c="dimmed" ta="end" className="tabular nowrap">
        <CellHead>Баллы</CellHead>
        <TestPoints item={item} />
      </Text>
      {running ? (
        <Button
          size="sm"
          pos="relative"
          className={classes.action}
          renderRoot={(props) => (
            <Link
              to={item.isHere ? '/tests/$testId' : '/tests/$testId/overview'}
              params={{ testId: item.id }}
              {...props}
            />
          )}
        >
          Продолжить
        </Button>
      ) : (
        <Text span c="dimmed" lh={0} className={cx('from-desktop', classes.open)}>
          <Icon of={IconChevronRight} />
        </Text>
      )}
    </li>
  );
}

/** Tests as rows: with dividers on phones, as a card with columns from 1024 px. */
export function TestList({
  items,
  owner,
  leadsTo = 'overview',
}: {
  items: readonly ListItem[];
  owner: string;
  leadsTo?: LeadsTo;
}) {
  const now = useNow(EVERY_MS);
  const localAttempts = useLocalAttempts(owner);
  return (
    <div className={cx(list.list, 'card-from-desktop', classes.list)}>
      <div className={cx(list.head, classes.head)} aria-hidden>
        <span>Тест</span>
        <span>Автор</span>
        <span>Статус</span>
        <Text span inherit ta="end">
          Баллы
        </Text>
      </div>
      <ul>
        {runningFirst(overlayLocalAttempts(items, localAttempts, now)).map((item) => (
          <TestRow key={item.id} item={item} now={now} leadsTo={leadsTo} />
        ))}
      </ul>
    </div>
  );
}
