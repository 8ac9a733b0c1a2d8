import {
  IconCheck,
  IconCircleDashed,
  IconDeviceMobile,
  IconLock,
  IconProgress,
  IconUserSearch,
} from '@tabler/icons-react';
import { formatElapsed } from '#domain/format-time.ts';
import { attemptStateLabel, type AttemptStateName } from '#domain/labels-answer.ts';
import { type Sign, StatePill } from './StatePill.tsx';

const SIGNS: Readonly<Record<AttemptStateName, Sign>> = {
  idle: { icon: IconCircleDashed, tone: 'quiet' },
  run: { icon: IconProgress, tone: 'info' },
  timeOver: { icon: IconLock, tone: 'ink' },
  queued: { icon: IconDeviceMobile, tone: 'warn' },
  over: { icon: IconCheck, tone: 'ok' },
  review: { icon: IconUserSearch, tone: 'warn' },
};

export interface AttemptStatePillProps {
  state: AttemptStateName;
  /** Time left of a running attempt, in milliseconds. */
  leftMs?: number | undefined;
  /** The time of day at which the time ran out, «11:07». */
  at?: string | undefined;
}

/** The state of an attempt in lists. */
export function AttemptStatePill({ state, leftMs, at }: AttemptStatePillProps) {
  const label = attemptStateLabel(state);
  const words =
    state === 'run' && leftMs !== undefined && leftMs > 0
      ? `${label}, ${formatElapsed(leftMs)}`
      : state === 'timeOver' && at
        ? `${label} в ${at}`
        : label;
  return <StatePill {...SIGNS[state]}>{words}</StatePill>;
}
