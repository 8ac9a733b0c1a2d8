import { Button } from '@mantine/core';
import { IconChevronRight, IconDeviceMobile } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { PassedTest, TestListItem } from '#contract/tests.ts';
import { ATTEMPTS, formatCount, formatNumber, formatPoints } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { useNow } from '#app/offline/use-now.ts';
import { StatePill } from '#app/ui/StatePill.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import { overlayHeld, useHeldAttempts, type Listed } from './held-attempts.ts';
import { runningFirst } from './test-order.ts';
import classes from './TestList.module.css';

const EVERY_MS = 15_000;

/** A test of a list; of those taken also when and how often. */
export type ListItem = TestListItem & Partial<Pick<PassedTest, 'finishedAt' | 'attempts'>>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list, with its query, from which a page was opened. */
    cameFrom?: string;
  }
}

/** Where a row leads. */
export type LeadsTo = 'overview' | 'results';

function TestPoints({ item }: { item: TestListItem }) {
  if (item.currentPoints !== null) {
    return (
      <>
        <b>{formatNumber(item.currentPoints)}</b> из {formatNumber(item.totalPoints)}
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

function TestState({ item, now }: { item: Listed<ListItem>; now: number }) {
  const { timeZone } = useDevice();
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

/** «закончен 21 мая, 10:42, 2 попытки» */
function usePastWords({ finishedAt, attempts = 1 }: ListItem, now: number): string | null {
  const { timeZone } = useDevice();
  if (finishedAt === undefined) return null;
  const when = `закончен ${formatMoment(new Date(finishedAt), now, timeZone)}`;
  return attempts > 1 ? `${when}, ${formatCount(attempts, ATTEMPTS)}` : when;
}

function TestRow({
  item,
  now,
  leadsTo,
}: {
  item: Listed<ListItem>;
  now: number;
  leadsTo: LeadsTo;
}) {
  const past = usePastWords(item, now);
  const cameFrom = useLocation({ select: ({ href }) => href });
  const { running } = item;
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <Link
          to={leadsTo === 'results' ? '/tests/$testId/results' : '/tests/$testId/overview'}
          params={{ testId: item.id }}
          state={{ cameFrom }}
          className={classes.title}
        >
          {item.title}
        </Link>
        <p className={classes.meta}>
          {item.subject} · {item.difficulty}
          {past !== null && <span className={classes.past}>{past}</span>}
        </p>
      </div>
      <span className={classes.owner}>{item.owner}</span>
      <span>
        <TestState item={item} now={now} />
      </span>
      <span className={classes.points}>
        <TestPoints item={item} />
      </span>
      {running ? (
        <Button
          size="sm"
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
        <IconChevronRight size={20} stroke={1.75} className={classes.open} aria-hidden />
      )}
    </li>
  );
}

/** Tests as rows: on phones with hairlines, from 1024 px one card with columns. */
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
  const held = useHeldAttempts(owner);
  return (
    <div className={classes.list}>
      <div className={classes.head} aria-hidden>
        <span>Тест</span>
        <span>Автор</span>
        <span>Статус</span>
        <span className={classes.points}>Баллы</span>
      </div>
      <ul>
        {runningFirst(overlayHeld(items, held, now)).map((item) => (
          <TestRow key={item.id} item={item} now={now} leadsTo={leadsTo} />
        ))}
      </ul>
    </div>
  );
}
