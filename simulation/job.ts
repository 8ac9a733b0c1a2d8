import type { FaultKind } from './faults.ts';
import type { Violation } from './history.ts';

/** What a worker is asked for, and what it tells. Both travel between processes as JSON. */
export type Job =
  | { readonly kind: 'run'; readonly seed: number; readonly trace: boolean }
  | { readonly kind: 'plant'; readonly name: string; readonly seed: number };

export interface RunTold {
  readonly kind: 'run';
  readonly seed: number;
  readonly profile: string;
  readonly steps: number;
  readonly operations: number;
  readonly calls: number;
  readonly faults: readonly (readonly [FaultKind, number])[];
  readonly violations: readonly Violation[];
  readonly hash: string;
  /** Only when traced. */
  readonly lines: readonly string[];
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

export type Told = RunTold | PlantTold;
