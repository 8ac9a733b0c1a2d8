import { useMemo, useState } from 'react';
import type { GradingEntry } from '#contract/grading.ts';
import type { GradeDraft } from './drafts.ts';
import type { Problem } from './messages.ts';

/** A submitted grade with the answer as it was displayed. */
export interface SubmittedGrade {
  readonly entry: GradingEntry;
  /** Null withdraws the grade. */
  readonly points: number | null;
  readonly draft: GradeDraft;
}

/** A grade that could not be saved; its input is among the drafts. */
export interface FailedGrade {
  readonly item: string;
  readonly submitted: SubmittedGrade;
  readonly problem: Problem;
  /** The same call may succeed later. */
  readonly canRetry: boolean;
}

export interface Failures {
  /** The oldest first. */
  readonly all: readonly FailedGrade[];
  add(failed: FailedGrade): void;
  drop(item: string): void;
}

/** Grades that could not be saved, across the views of this page. */
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
