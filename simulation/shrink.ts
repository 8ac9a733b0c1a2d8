import type { RunOptions, RunResult } from './run.ts';
import { simulate } from './run.ts';
import { isCheatEntry, isFaultEntry, type Script } from './script.ts';
import type { SimulatedServer } from './server.ts';

/** The shortest script found that fails like the whole one. */
export interface Shrunk {
  readonly script: Script;
  readonly result: RunResult;
  readonly tries: number;
  /** No single item can be removed; false: the search was stopped early. */
  readonly isShortest: boolean;
}

/** Returns the effective items of a failing run; null: it does not fail. */
type Test<T> = (items: readonly T[]) => Promise<readonly T[] | null>;

/** Delta debugging: removes ever smaller parts until none can be removed. */
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

/** Violated invariants of a run; its exception counts only when there are no others. */
function brokenBy({ violations }: RunResult): Set<string> {
  const all = new Set(violations.map(({ invariant }) => invariant));
  if (all.size > 1) all.delete('nothingThrows');
  return all;
}

/**
 * Searches for the shortest script of a failing run that violates one of the same invariants, while
 * `mayGoOn` allows it, given the number of tries.
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
  for (const isNeedless of [isCheatEntry, isFaultEntry]) {
    const needed = best.script.filter((entry) => !isNeedless(entry));
    if (needed.length < best.script.length && mayTry()) await test(needed);
  }
  const { isShortest } = await minimize(best.script, test, mayTry);
  return { script: best.script, result: best, tries, isShortest };
}
