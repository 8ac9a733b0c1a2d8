import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { formatDuration } from '#domain/format-time.ts';
import { plural } from '#domain/format.ts';

const MINUTE = 60_000;
const AT_MINUTES = [10, 5, 1];

/**
 * The words when the time passes 10, 5 or 1 minutes on its way from `before` to `now`
 * (milliseconds left), else undefined. After a sleep that skipped several, only what is true now.
 */
export function timeNotice(before: number, now: number): string | undefined {
  const passed = AT_MINUTES.some((minutes) => before > minutes * MINUTE && now <= minutes * MINUTE);
  if (!passed || now <= 0) return undefined;
  const minutes = Math.ceil(now / MINUTE);
  return `${plural(minutes, ['Осталась', 'Осталось', 'Осталось'])} ${formatDuration(minutes * MINUTE)}`;
}

/** One quiet spoken notice at 10, 5 and 1 minutes. Nothing is spoken when the page opens. */
export function TimeAnnouncer({ remainingMs }: { remainingMs: number }) {
  const [heard, setHeard] = useState({ before: remainingMs, words: '' });
  if (remainingMs !== heard.before) {
    setHeard({
      before: remainingMs,
      words: timeNotice(heard.before, remainingMs) ?? heard.words,
    });
  }
  return <VisuallyHidden component="output">{heard.words}</VisuallyHidden>;
}
