import type { RunOptions, RunResult } from './run.ts';
import { simulate } from './run.ts';
import { isCheatDeed, isFaultDeed, type Script } from './script.ts';
import type { SimulatedServer } from './server.ts';

/** The shortest script that was found to fail as the whole one does. */
export interface Shrunk {
  readonly script: Script;
  readonly result: RunResult;
  readonly tries: number;
  /** No single deed of it can be left out; false: it had to stop before. */
  readonly isShortest: boolean;
}

/** Gives what is left of failing items; null: they do not fail. */
type Test<T> = (items: readonly T[]) => Promise<readonly T[] | null>;

/** Delta debugging: leaves out ever smaller parts, until none can go. */
export async function minimize<T>(
  items: readonly T[],
  test: Test<T>,
  mayTry: () => boolean,
): Promise<{ items: readonly T[]; isShortest: boolean }> {
  let left = items;
  for (let size = Math.ceil(left.length / 2); size > 0;) {
    let isShorter = false;
    for (let from = 0; from < left.length;) {
      if (!mayTry()) return { items: left, isShortest: false };
      const without = [...left.slice(0, from), ...left.slice(from + size)];
      const failing = await test(without);
      if (failing) {
        left = failing;
        isShorter = true;
      } else from += size;
    }
    if (size === 1 && !isShorter) break;
    size = size === 1 ? 1 : Math.ceil(Math.min(size, left.length) / 2);
    if (left.length === 0) break;
  }
  return { items: left, isShortest: true };
}

/** What a run broke; that it threw counts only when nothing else is wrong. */
function brokenBy({ violations }: RunResult): Set<string> {
  const all = new Set(violations.map(({ invariant }) => invariant));
  if (all.size > 1) all.delete('nothingThrows');
  return all;
}

/**
 * Looks for the shortest script of a failing run that breaks one of the same invariants, as long as
 * `mayGoOn` says after so many tries.
 */
export async function shrink(
  server: SimulatedServer,
  options: () => RunOptions,
  failed: RunResult,
  mayGoOn: (tries: number) => boolean,
): Promise<Shrunk> {
  const wanted = brokenBy(failed);
  let tries = 0;
  const mayTry = (): boolean => mayGoOn(tries);
  let best = failed;

  const test = async (script: Script): Promise<Script | null> => {
    tries += 1;
    const result = await simulate(server, { ...options(), script });
    const isSame = [...brokenBy(result)].some((invariant) => wanted.has(invariant));
    if (!isSame || result.script.length >= best.script.length) return null;
    best = result;
    return result.script;
  };

  // Most failures need neither the dishonest student nor most of the faults.
  for (const isNeedless of [isCheatDeed, isFaultDeed]) {
    const needed = best.script.filter((deed) => !isNeedless(deed));
    if (needed.length < best.script.length && mayTry()) await test(needed);
  }
  const { isShortest } = await minimize(best.script, test, mayTry);
  return { script: best.script, result: best, tries, isShortest };
}
