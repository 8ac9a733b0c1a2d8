import type { ReadinessProblem } from '#contract/readiness.ts';

/** A check of a device, or of its prepared attempt, counts for a day: from the evening to the lesson. */
export const READINESS_LASTS_MS = 24 * 60 * 60_000;

/** Nobody can do anything about it in most browsers, and the test begins all the same. */
const ADVICE: ReadonlySet<ReadinessProblem> = new Set(['notPersisted']);

/** Whether a problem is only a warning. */
export const isAdvice = (problem: ReadinessProblem): boolean => ADVICE.has(problem);

/** Whether a device with these problems is ready. */
export const isReady = (problems: readonly ReadinessProblem[]): boolean => problems.every(isAdvice);
