import type { FaultKind } from './faults.ts';
import type { Violation } from './history.ts';
import type { Script } from './script.ts';

/** Jobs and reports of workers, sent between processes as JSON. */
export type Job = RunJob | PlantJob | CrashJob;

export interface RunJob {
  readonly kind: 'run';
  readonly seed: number;
  readonly trace: boolean;
  /** Only runs with tests that begin without a network. */
  readonly isOfflineStart?: boolean;
  /** Null: chosen at random. */
  readonly script: Script | null;
  /** Name of the planted bug of the run; null: none. */
  readonly bug: string | null;
  /** How long to search for the shortest failing script; for `each` failing run, or a worker's first one. */
  readonly shrink: { readonly withinMs: number; readonly each: boolean };
}

export interface PlantJob {
  readonly kind: 'plant';
  readonly name: string;
  readonly seed: number;
}

/** Repeats a scenario with a power cut at every n-th step, from the first one. */
export interface CrashJob {
  readonly kind: 'crash';
  readonly scenario: string;
  readonly from: number;
  /** Null: only the first one. */
  readonly stride: number | null;
  readonly trace: boolean;
}

/** The shortest script with the same failure. */
export interface ShortestReport {
  readonly script: Script;
  readonly violations: readonly Violation[];
  readonly tries: number;
  readonly isShortest: boolean;
}

export interface RunReport {
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
  /** Only when the run failed and was shrunk. */
  readonly shortest: ShortestReport | null;
}

export interface PlantReport {
  readonly kind: 'plant';
  readonly name: string;
  /** Seeds tried. */
  readonly tried: number;
  /** Null: the checker found nothing. */
  readonly caught: { readonly seed: number; readonly violation: Violation } | null;
  /** An error of the run itself, which proves nothing about the checker. */
  readonly threw: string | null;
}

export interface CrashReport {
  readonly kind: 'crash';
  readonly scenario: string;
  /** Power cuts that took place. */
  readonly cuts: number;
  readonly failed: readonly { readonly at: number; readonly violations: readonly Violation[] }[];
  /** Only when traced. */
  readonly lines: readonly string[];
}

export type Report = RunReport | PlantReport | CrashReport;
