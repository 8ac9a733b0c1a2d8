import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TestListItem } from '#contract/tests.ts';
import { formatNumber, formatPoints } from '#domain/format.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { useNow } from '#app/offline/use-now.ts';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import { runningFirst } from './test-order.ts';
import classes from './TestList.module.css';

const EVERY_MS = 15_000;

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

function TestRow({ item, now }: { item: TestListItem; now: number }) {
  const { timeZone } = useDevice();
  const { running } = item;
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <Link to="/tests/$testId/overview" params={{ testId: item.id }} className={classes.title}>
          {item.title}
        </Link>
        <p className={classes.meta}>
          {item.subject} · {item.difficulty}
        </p>
      </div>
      <span className={classes.owner}>{item.owner}</span>
      <span>
        <TestStatusPill
          status={item.status}
          opensAt={item.startDate === null ? undefined : new Date(item.startDate)}
          leftMs={running ? Date.parse(running.deadline) - now : undefined}
          now={now}
          timeZone={timeZone}
        />
      </span>
      <span className={classes.points}>
        <TestPoints item={item} />
      </span>
      {running ? (
        <Button
          size="sm"
          className={classes.action}
          renderRoot={(props) => (
            <Link to="/tests/$testId" params={{ testId: item.id }} {...props} />
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
export function TestList({ items }: { items: readonly TestListItem[] }) {
  const now = useNow(EVERY_MS);
  return (
    <div className={classes.list}>
      <div className={classes.head} aria-hidden>
        <span>Тест</span>
        <span>Автор</span>
        <span>Статус</span>
        <span className={classes.points}>Баллы</span>
      </div>
      <ul>
        {runningFirst(items).map((item) => (
          <TestRow key={item.id} item={item} now={now} />
        ))}
      </ul>
    </div>
  );
}
