import * as v from 'valibot';
import { logProblem } from '#app/lib/log.ts';
import type { AnnouncedWarning } from './time-notices.ts';

const KEY = 'toldTimes';
const Row = v.object({ deadline: v.number(), threshold: v.picklist([10, 5, 1]) });
const Rows = v.record(v.string(), Row);

/** The used part of `Storage`; every call may throw. */
export type LocalMemory = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

function readAll(local: LocalMemory): Record<string, AnnouncedWarning> {
  try {
    return v.parse(Rows, JSON.parse(local.getItem(KEY) ?? '{}'));
  } catch (cause) {
    logProblem('Отметки не читаются', { cause });
    return {};
  }
}

/** The last warning announced for an attempt, across reloads; null if none. */
export const readAnnounced = (local: LocalMemory, attemptId: string): AnnouncedWarning | null =>
  readAll(local)[attemptId] ?? null;

/** Saves the warning and drops those of attempts that ended long ago. */
export function markAnnounced(
  local: LocalMemory,
  attemptId: string,
  warning: AnnouncedWarning,
  now: number,
): void {
  const current = Object.entries(readAll(local)).filter(([, { deadline }]) => deadline > now);
  try {
    local.setItem(KEY, JSON.stringify({ ...Object.fromEntries(current), [attemptId]: warning }));
  } catch (cause) {
    logProblem('Отметки не записать', { cause });
  }
}
