import { ATTEMPTS, formatCount } from './format.ts';

/** One invalid field of the settings: where, and what to do. */
export interface TermsProblem {
  readonly field: string;
  readonly message: string;
}

/** Terms of a test that may contradict each other. Times are milliseconds since 1970. */
export interface TestTerms {
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly attemptsCount: number;
  readonly lateWindowMs: number;
  /** Absent: as long as the school's day. */
  readonly offlineWindowMs?: number;
  readonly personalTerms: readonly PersonalTerms[];
}

interface PersonalTerms {
  readonly userId: string;
  readonly attemptsCount: number | null;
  /** Instead of the test's; null: as for everybody. Absent if they are checked already. */
  readonly startTime?: number | null;
  readonly endTime?: number | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The longest «Ответы, дошедшие после срока». */
const MAX_LATE_WINDOW_MS = 7 * DAY_MS;
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);

const isOutside = (time: number | null) => time !== null && (time < EARLIEST || time >= LATEST);

function timeProblems({
  startTime,
  endTime,
  lateWindowMs,
  offlineWindowMs = 0,
}: TestTerms): TermsProblem[] {
  const wrong: TermsProblem[] = [];
  if (isOutside(startTime)) wrong.push({ field: 'startTestTime', message: 'Проверьте год' });
  if (isOutside(endTime)) wrong.push({ field: 'endTestTime', message: 'Проверьте год' });
  else if (startTime !== null && endTime !== null && endTime <= startTime) {
    wrong.push({ field: 'endTestTime', message: 'Окончание должно быть позже начала' });
  }
  if (lateWindowMs > MAX_LATE_WINDOW_MS) {
    wrong.push({ field: 'lateWindow', message: 'Не больше 7 дней' });
  }
  if (offlineWindowMs > MAX_LATE_WINDOW_MS) {
    wrong.push({ field: 'offlineWindow', message: 'Не больше 7 дней' });
  }
  return wrong;
}

/** Own dates that leave no time, each combined with the test's date if the other one is missing. */
const personalTimeProblems = ({ startTime, endTime, personalTerms }: TestTerms): TermsProblem[] =>
  personalTerms.flatMap(({ startTime: ownStart = null, endTime: ownEnd = null }, index) => {
    const field = (name: string) => `personalTerms.${index}.${name}`;
    if (isOutside(ownStart)) return [{ field: field('startTestTime'), message: 'Проверьте год' }];
    if (isOutside(ownEnd)) return [{ field: field('endTestTime'), message: 'Проверьте год' }];
    if (ownStart === null && ownEnd === null) return [];
    const [start, end] = [ownStart ?? startTime, ownEnd ?? endTime];
    if (start === null || end === null || end > start) return [];
    const name = ownEnd === null ? 'startTestTime' : 'endTestTime';
    return [{ field: field(name), message: 'Окончание должно быть позже начала' }];
  });

/**
 * Fewer attempts than already made.
 * @param made attempts by user, without deleted ones
 */
function attemptProblems(
  { attemptsCount, personalTerms }: TestTerms,
  made: ReadonlyMap<string, number>,
): TermsProblem[] {
  const own = new Map(personalTerms.map((term) => [term.userId, term.attemptsCount]));
  const others = [...made].filter(([userId]) => (own.get(userId) ?? null) === null);
  const most = Math.max(0, ...others.map(([, count]) => count));
  const already = (count: number) =>
    `Уже сделано: ${formatCount(count, ATTEMPTS)}. Меньше поставить нельзя`;
  return [
    ...(attemptsCount < most ? [{ field: 'attemptsCount', message: already(most) }] : []),
    ...personalTerms.flatMap((term, index) => {
      const count = made.get(term.userId) ?? 0;
      return term.attemptsCount !== null && term.attemptsCount < count
        ? [{ field: `personalTerms.${index}.attemptsCount`, message: already(count) }]
        : [];
    }),
  ];
}

/** Contradictions in the terms of a test, by field of the wire; empty: none. */
export function termsProblems(terms: TestTerms, made: ReadonlyMap<string, number>): TermsProblem[] {
  const ids = terms.personalTerms.map(({ userId }) => userId);
  return [
    ...timeProblems(terms),
    ...personalTimeProblems(terms),
    ...attemptProblems(terms, made),
    ...(new Set(ids).size < ids.length
      ? [{ field: 'personalTerms', message: 'Ученик указан дважды: оставьте одну строку' }]
      : []),
  ];
}
