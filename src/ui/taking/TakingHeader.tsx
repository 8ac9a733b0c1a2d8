import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatRemaining } from '#domain/format-time.ts';
import { cx } from '#app/ui/cx.ts';
import classes from './TakingHeader.module.css';
import { Ticks, type QuestionMark } from './Ticks.tsx';

const LAST_MINUTE_MS = 60_000;

export interface TakingHeaderProps {
  /** Milliseconds until the deadline; 0 or less: the time is over. */
  remainingMs: number;
  /** Shown from 1024 px only. */
  title: string;
  /** «попытка 1 из 2». */
  detail?: string | undefined;
  questions: readonly QuestionMark[];
  current: number;
  sync: ReactNode;
}

/** The head of the taking page: the time and where the answers are. Inverted in the last minute. */
export function TakingHeader({
  remainingMs,
  title,
  detail,
  questions,
  current,
  sync,
}: TakingHeaderProps) {
  const over = remainingMs <= 0;
  const lastMinute = !over && remainingMs <= LAST_MINUTE_MS;
  return (
    <header className={classes.header} data-last-minute={lastMinute || undefined}>
      <Text size="sm" truncate className={cx('from-desktop', classes.title)}>
        <strong>{title}</strong>
        {detail && ` · ${detail}`}
      </Text>
      <div className={classes.time} role="timer">
        <span className={classes.clock}>{formatRemaining(remainingMs)}</span>{' '}
        <span className={classes.word}>{over ? 'время вышло' : 'осталось'}</span>
      </div>
      <div className={classes.sync}>{sync}</div>
      <div className={cx('to-desktop', classes.ticks)}>
        <Ticks questions={questions} current={current} />
      </div>
    </header>
  );
}
