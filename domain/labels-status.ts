import { formatElapsed, formatMoment, type Instant, type Zone } from './format-time.ts';

/** The state of a test as its student sees it, decided by the server. */
export const TEST_STATUSES = [
  'scheduled',
  'available',
  'inProgress',
  'pendingReview',
  'passed',
  'overdue',
  'closed',
] as const;
export type TestStatusName = (typeof TEST_STATUSES)[number];

/** The state of a test as its owner sees it. */
export const OWNER_STATUSES = ['draft', 'active', 'archived'] as const;
export type OwnerStatusName = (typeof OWNER_STATUSES)[number];

/** Label of work that a person still has to grade, in all places. */
export const PENDING_REVIEW_LABEL = 'На проверке';

const WORDS: Readonly<Record<TestStatusName | OwnerStatusName, string>> = {
  scheduled: 'Ещё не открыт',
  available: 'Доступен',
  inProgress: 'Идёт',
  pendingReview: PENDING_REVIEW_LABEL,
  passed: 'Пройден',
  overdue: 'Просрочен',
  closed: 'Закрыт',
  draft: 'Черновик',
  active: 'Опубликован',
  archived: 'В архиве',
};

/** Facts that make a status exact; all optional, since lists may have the status alone. */
export interface StatusDetails {
  /** When a scheduled test opens. */
  opensAt?: Instant | undefined;
  /** Time left of a running attempt, in milliseconds. */
  leftMs?: number | undefined;
  now?: Instant | undefined;
  timeZone?: Zone | undefined;
}

/** A status with its known facts: «Откроется 24 мая, 09:00», «Идёт, 24 мин», «Доступен». */
export function testStatusLabel(
  status: TestStatusName | OwnerStatusName,
  { opensAt, leftMs, now, timeZone }: StatusDetails = {},
): string {
  if (status === 'scheduled' && opensAt !== undefined && now !== undefined && timeZone) {
    return `Откроется ${formatMoment(opensAt, now, timeZone)}`;
  }
  if (status === 'inProgress' && leftMs !== undefined && leftMs > 0) {
    return `Идёт, ${formatElapsed(leftMs)}`;
  }
  return WORDS[status];
}
