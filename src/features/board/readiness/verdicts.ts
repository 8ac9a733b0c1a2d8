import type { DeviceReadiness, ReadinessProblem, StudentReadiness } from '#contract/readiness.ts';
import { inAlphabet } from '#domain/alphabet.ts';
import { isAdvice, READINESS_LASTS_MS } from '#domain/readiness.ts';

/**
 * - `notReady`: the best device has problems
 * - `changed`: the test has changed since, and no device has fetched it
 * - `old`: no device was checked for a day
 * - `never`: no device has reported
 * - `begun`: an attempt has begun, so nothing has to be ready any more
 */
export type Verdict = 'ready' | 'notReady' | 'changed' | 'old' | 'never' | 'begun';

export interface StudentVerdict {
  readonly student: StudentReadiness;
  readonly verdict: Verdict;
  /** Of `notReady`: what the best device lacks. */
  readonly problems: readonly ReadinessProblem[];
}

const lacks = ({ problems }: DeviceReadiness) => problems.filter((problem) => !isAdvice(problem));

/** Whether a device's report is about the present attempt, and new enough. */
const isFresh = ({ offerMadeAt }: StudentReadiness, reportedAt: string, now: number): boolean =>
  now - Date.parse(reportedAt) <= READINESS_LASTS_MS &&
  (offerMadeAt === null || Date.parse(reportedAt) >= Date.parse(offerMadeAt));

/** A student's readiness: that of the best device. */
export function judgeStudent(student: StudentReadiness, now: number): StudentVerdict {
  const { begun, devices, offerMadeAt, offerCurrent } = student;
  const judged = (verdict: Verdict, problems: readonly ReadinessProblem[] = []) => ({
    student,
    verdict,
    problems,
  });
  if (begun) return judged('begun');
  if (devices.length === 0) return judged('never');
  if (offerMadeAt !== null && !offerCurrent) return judged('changed');
  const fresh = devices.filter(({ reportedAt }) => isFresh(student, reportedAt, now));
  if (fresh.some(({ ready }) => ready)) return judged('ready');
  const [best] = fresh.map(lacks).sort((one, other) => one.length - other.length);
  return best ? judged('notReady', best) : judged('old');
}

/** Whether the teacher has to do something about it. */
export const isLacking = ({ verdict }: StudentVerdict): boolean =>
  verdict !== 'ready' && verdict !== 'begun';

const rankOf = (judged: StudentVerdict): number =>
  isLacking(judged) ? 0 : judged.verdict === 'ready' ? 1 : 2;

/** Those who are not ready first, each part by surname. */
export function judgeStudents(
  students: readonly StudentReadiness[],
  now: number,
): StudentVerdict[] {
  const sorted = inAlphabet(students, ({ userId, userName }) => ({ name: userName, id: userId }));
  return sorted
    .map((student) => judgeStudent(student, now))
    .sort((one, other) => rankOf(one) - rankOf(other));
}

export interface ReadinessCounts {
  readonly ready: number;
  /** Who has not begun yet. */
  readonly all: number;
  readonly begun: number;
}

export function countReady(judged: readonly StudentVerdict[]): ReadinessCounts {
  const begun = judged.filter(({ verdict }) => verdict === 'begun').length;
  const ready = judged.filter(({ verdict }) => verdict === 'ready').length;
  return { ready, all: judged.length - begun, begun };
}
