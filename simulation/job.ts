import type { FaultKind } from './faults.ts';
import type { Violation } from './history.ts';
import type { Script } from './script.ts';

/** What a worker is asked for, and what it tells. Both travel between processes as JSON. */
export type Job = RunJob | PlantJob | CrashJob;

export interface RunJob {
  readonly kind: 'run';
  readonly seed: number;
  readonly trace: boolean;
  /** Null: chance chooses. */
  readonly script: Script | null;
  /** Name of a planted bug that the run has; null: none. */
  readonly bug: string | null;
  /** How long the shortest failing script is looked for; `each` failing run, or a worker's first one. */
  readonly shrink: { readonly withinMs: number; readonly each: boolean };
}

export interface PlantJob {
  readonly kind: 'plant';
  readonly name: string;
  readonly seed: number;
}

/** A scenario once for each n-th step at which the power may go: from the first one, in such strides. */
export interface CrashJob {
  readonly kind: 'crash';
  readonly scenario: string;
  readonly from: number;
  /** Null: only the first one. */
  readonly stride: number | null;
  readonly trace: boolean;
}

/** The shortest script that fails in the same way. */
export interface ShortestTold {
  readonly script: Script;
  readonly violations: readonly Violation[];
  readonly tries: number;
  readonly isShortest: boolean;
}

export interface RunTold {
  readonly kind: 'run';
  readonly seed: number;
  readonly bug: string | null;
  readonly profile: string;
  readonly steps: number;
  readonly operations: number;
  readonly calls: number;
  readonly faults: readonly (readonly [FaultKind, number])[];
  readonly violations: readonly Violation[];
  readonly hash: string;
  /** Only when traced. */
  readonly lines: readonly string[];
  /** Only when it failed and was looked for. */
  readonly shortest: ShortestTold | null;
}

export interface PlantTold {
  readonly kind: 'plant';
  readonly name: string;
  /** Seeds tried. */
  readonly tried: number;
  /** Null: the checker stayed green. */
  readonly caught: { readonly seed: number; readonly violation: Violation } | null;
  /** What broke a run itself, which proves nothing of the checker. */
  readonly threw: string | null;
}

export interface CrashTold {
  readonly kind: 'crash';
  readonly scenario: string;
  /** Power cuts that took place. */
  readonly cuts: number;
  readonly failed: readonly { readonly at: number; readonly violations: readonly Violation[] }[];
  /** Only when traced. */
  readonly lines: readonly string[];
}

export type Told = RunTold | PlantTold | CrashTold;
