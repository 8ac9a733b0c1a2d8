import { createHash } from 'node:crypto';
import type { FaultKind } from './faults.ts';

/** A violated invariant. */
export interface Violation {
  /** Name of the invariant. */
  readonly invariant: string;
  readonly detail: string;
}

/** Log of a run; ids are named by order of appearance, so that equal runs have equal logs. */
export interface RunHistory {
  /** A short name for an id: `o12` for the twelfth operation. */
  name(kind: 'o' | 'a' | 's' | 'f', id: string | null): string;
  /** The short name, if the id has one. */
  known(id: string): string | undefined;
  note(text: string): void;
  fault(kind: FaultKind, about: string): void;
  violate(violation: Violation): void;
  readonly lines: readonly string[];
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly violations: readonly Violation[];
  /** Deterministic for a seed. */
  hash(): string;
}

export function createHistory(now: () => number): RunHistory {
  const startedAt = now();
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const lines: string[] = [];
  const faults = new Map<FaultKind, number>();
  const violations: Violation[] = [];

  function note(text: string): void {
    lines.push(`${((now() - startedAt) / 1000).toFixed(3)} ${text}`);
  }

  return {
    lines,
    faults,
    violations,
    note,
    known: (id) => names.get(id),
    name: (kind, id) => {
      if (id === null) return '—';
      const known = names.get(id);
      if (known) return known;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      names.set(id, `${kind}${count}`);
      return `${kind}${count}`;
    },
    fault: (kind, about) => {
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      note(`! ${kind} ${about}`);
    },
    violate: (violation) => {
      violations.push(violation);
      note(`VIOLATED ${violation.invariant}: ${violation.detail}`);
    },
    hash: () => createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
  };
}
