import * as v from 'valibot';
import { logProblem } from '#app/offline/log.ts';
import type { Told } from './time-notices.ts';

const KEY = 'toldTimes';
const Row = v.object({ deadline: v.number(), threshold: v.picklist([10, 5, 1]) });
const Rows = v.record(v.string(), Row);

/** The part of local storage that is used; it may throw at any call. */
export type LocalMemory = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

function readAll(local: LocalMemory): Record<string, Told> {
  try {
    return v.parse(Rows, JSON.parse(local.getItem(KEY) ?? '{}'));
  } catch (cause) {
    logProblem('Сказанное о времени не прочитать', { cause });
    return {};
  }
}

/** What this device told of an attempt's time, over reloads; null: nothing yet. */
export const readTold = (local: LocalMemory, attemptId: string): Told | null =>
  readAll(local)[attemptId] ?? null;

/** Remembers it; attempts whose time is long over are forgotten. */
export function rememberTold(local: LocalMemory, attemptId: string, told: Told, now: number): void {
  const kept = Object.entries(readAll(local)).filter(([, { deadline }]) => deadline > now);
  try {
    local.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [attemptId]: told }));
  } catch (cause) {
    logProblem('Сказанное о времени не записать', { cause });
  }
}
