import * as v from 'valibot';
import { addTimeToMany, type BoardRow, type GrantedTime } from '#contract/board.ts';
import type { BodyOf } from '#contract/route.ts';
import { movedDeadline } from '#domain/deadline.ts';
import { formatShortMoment } from '#domain/format-time.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import { formatForStudents } from './messages.ts';

export type Grant = BodyOf<typeof addTimeToMany>;

const MINUTE_MS = 60_000;
const MINUTES: Forms = ['минуту', 'минуты', 'минут'];

/** A row with an attempt that can get extra time. */
export type Candidate = BoardRow & { readonly attemptId: string; readonly deadline: string };

export const isCandidate = (row: BoardRow): row is Candidate =>
  row.attemptId !== null && row.deadline !== null && row.state !== 'finished';

/** The typed minutes, or the message of the contract schema. */
export function readMinutes(text: string): { minutes: number } | { error: string } {
  const typed = text.trim();
  const given = typed === '' ? undefined : Number(typed.replace(',', '.'));
  const parsed = v.safeParse(addTimeToMany.body.entries.minutes, given);
  if (parsed.success) return { minutes: parsed.output };
  return { error: parsed.issues[0].message };
}

const span = (times: readonly number[], now: number, timeZone: string): string => {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const from = formatShortMoment(first, now, timeZone);
  const to = formatShortMoment(last, now, timeZone);
  return from === to ? `новый срок ${to}` : `новый срок у каждого свой: от ${from} до ${to}`;
};

/** «10 минут получат 24 ученика, новый срок 11:17»: preview of the change. */
export function extraTimePlanMessage(
  chosen: readonly Candidate[],
  minutes: number,
  now: number,
  timeZone: string,
): string {
  const times = chosen.map(({ deadline }) =>
    movedDeadline(Date.parse(deadline), minutes * MINUTE_MS, now),
  );
  return `Добавим ${formatCount(minutes, MINUTES)} ${formatForStudents(chosen.length)}, ${span(times, now, timeZone)}.`;
}

/** The result as the server reported it. */
export function extraTimeMessage(granted: GrantedTime, now: number, timeZone: string): string {
  const { extended } = granted;
  if (extended.length === 0) return 'Время никому не добавлено.';
  const times = extended.map(({ deadline }) => Date.parse(deadline));
  return `Время добавлено ${formatForStudents(extended.length)}, ${span(times, now, timeZone)}.`;
}
