import { useMemo, useState } from 'react';
import type { GradingEntry } from '#contract/grading.ts';
import type { Draft } from './drafts.ts';
import type { Problem } from './words.ts';

/** The answer as it was looked at, and what one call says of it. */
export interface GivenGrade {
  readonly entry: GradingEntry;
  /** Null withdraws the grade. */
  readonly points: number | null;
  readonly draft: Draft;
}

/** A grade that was given and is not saved; what was typed is among the drafts. */
export interface FailedGrade {
  readonly item: string;
  readonly given: GivenGrade;
  readonly problem: Problem;
  /** Sent as it is it may go through. */
  readonly canRetry: boolean;
}

export interface Failures {
  /** The oldest first. */
  readonly all: readonly FailedGrade[];
  add(failed: FailedGrade): void;
  drop(item: string): void;
}

/** Grades that could not be saved, wherever their teacher has gone on this page since. */
export function useFailures(): Failures {
  const [all, setAll] = useState<readonly FailedGrade[]>([]);
  return useMemo(() => {
    const others = (now: readonly FailedGrade[], item: string) =>
      now.some((each) => each.item === item) ? now.filter((each) => each.item !== item) : now;
    return {
      all,
      add: (failed) => setAll((now) => [...others(now, failed.item), failed]),
      drop: (item) => setAll((now) => others(now, item)),
    };
  }, [all]);
}
