import { Flex, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatRemaining } from '#domain/format-time.ts';
import { cx } from '#app/ui/cx.ts';
import classes from './TakingHeader.module.css';
import { Ticks, type QuestionMark } from './Ticks.tsx';

const LAST_MINUTE_MS = 60_000;
const MEDIUM = { base: '1.25rem', md: '1.5rem' };
const LARGE = { base: '1.625rem', md: '1.75rem' };

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

/** The header of the taking page: the time and where the answers are. Inverted in the last minute. */
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
      <Text size="sm" truncate c="var(--app-dimmed)" className="from-desktop">
        <Text span inherit fz="0.9375rem" fw={500} c="var(--app-text)">
          {title}
        </Text>
        {detail && ` · ${detail}`}
      </Text>
      <div role="timer">
        <Text
          span
          fz={lastMinute ? LARGE : MEDIUM}
          fw={600}
          lh={1}
          className="tabular"
          data-remaining
        >
          {formatRemaining(remainingMs)}
        </Text>{' '}
        <Text span inherit ms={2} fz="sm" c="var(--app-dimmed)">
          {over ? 'время вышло' : 'осталось'}
        </Text>
      </div>
      <Flex justify="flex-end" miw={0}>
        {sync}
      </Flex>
      <div className={cx('to-desktop', classes.ticks)}>
        <Ticks questions={questions} current={current} />
      </div>
    </header>
  );
}
