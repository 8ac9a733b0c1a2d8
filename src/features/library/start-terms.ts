import type { TestDetails } from '#contract/tests.ts';
import { formatMoment, type Zone } from '#domain/format-time.ts';
import { testStatus } from '#domain/status.ts';

type Status = TestDetails['status'];
type Dated = Pick<TestDetails, 'status' | 'startDate' | 'endDate'>;

/** The status now: a copy from before the opening or the end still says what was true then. `now` in milliseconds. */
export function currentStatus(
  test: Dated & { leftAttempts?: number | undefined },
  now: number,
): Status {
  const { status, startDate, endDate, leftAttempts = 1 } = test;
  if (status === 'scheduled' ? startDate === null : status !== 'available') return status;
  return testStatus(
    {
      lifecycle: 'active',
      startTime: startDate === null ? null : Date.parse(startDate),
      endTime: endDate === null ? null : Date.parse(endDate),
      attemptsLeft: leftAttempts,
      running: false,
      pendingReview: false,
      passed: false,
      unfinished: false,
    },
    now,
  );
}

/** By then the server has seen the change, too. */
const AFTER_MS = 1_000;
const EVERY_MS = 15_000;
/** Timers end at once if they are to last for weeks. */
const MAX_MS = 3_600_000;

/** Milliseconds until the status changes by a date, at most an hour; false: no date changes it. */
export function msUntilChange({ status, startDate, endDate }: Dated, now: number): number | false {
  const next = status === 'scheduled' ? startDate : status === 'available' ? endDate : null;
  if (next === null) return false;
  const left = Date.parse(next) - now;
  return left > 0 ? Math.min(left + AFTER_MS, MAX_MS) : EVERY_MS;
}

/** Whether a test can be started now, and if not, the reason. */
export type StartTerms =
  | { kind: 'start' }
  | { kind: 'continue' }
  | { kind: 'closed'; message: string };

type Facts = Pick<TestDetails, 'status' | 'running' | 'startDate' | 'endDate' | 'leftAttempts'>;

/** The start terms from the overview's data; the server checks them again. `now` in milliseconds. */
export function startTerms(test: Facts, now: number, timeZone: Zone): StartTerms {
  const at = (iso: string) => formatMoment(new Date(iso), now, timeZone);
  const closed = (message: string): StartTerms => ({ kind: 'closed', message });
  if (test.running) return { kind: 'continue' };
  switch (test.status) {
    case 'draft':
      return closed('Это черновик. Пройти его можно после публикации.');
    case 'active':
      return closed('Вы управляете этим тестом. Проходят его те, кому он назначен.');
    case 'archived':
      return closed('Тест в архиве. Пройти его нельзя.');
    default:
  }
  if (test.startDate !== null && now < Date.parse(test.startDate)) {
    return closed(`Тест откроется ${at(test.startDate)}.`);
  }
  // With a date, it is a copy from before the opening.
  if (test.status === 'scheduled' && test.startDate === null) return closed('Тест ещё не открыт.');
  if (test.endDate !== null && now >= Date.parse(test.endDate)) {
    return closed(`Тест закрылся ${at(test.endDate)}.`);
  }
  if (test.leftAttempts <= 0) return closed('Попыток больше не осталось.');
  if (test.status === 'closed' || test.status === 'overdue') return closed('Тест закрыт.');
  return { kind: 'start' };
}

/**
 * Whether the server makes an offer of this test, which begins without a network: it can be started now or once it opens.
 * One that the server last called open is not taken for ended: this clock may be ahead.
 */
export function mayBeginOffline(
  test: Facts & Pick<TestDetails, 'offlineStart'>,
  now: number,
  timeZone: Zone,
): boolean {
  if (test.offlineStart !== true) return false;
  const status = test.status === 'scheduled' ? 'available' : test.status;
  const endDate = status === 'available' ? null : test.endDate;
  const opening = test.startDate === null ? now : Math.max(now, Date.parse(test.startDate));
  return startTerms({ ...test, status, endDate }, opening, timeZone).kind === 'start';
}
