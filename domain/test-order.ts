import { nameKey } from './alphabet.ts';
import type { TestOrder } from '#contract/tests.ts';

/** The sort keys of lists of tests. */
export interface Ordered {
  readonly id: string;
  readonly name: string;
  /** Milliseconds: when the test was created, or last passed. */
  readonly newness: number;
  /** When it closes, milliseconds; null: never. */
  readonly closes: number | null;
  readonly points: number;
  /** Deadline of the running attempt, milliseconds; null: none runs. */
  readonly runsUntil: number | null;
}

const NEVER = Number.POSITIVE_INFINITY;

// A difference of infinities is no number.
export const ascending = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

/** Tests that close sooner come first; then those that never close; then closed ones, the latest first. */
function byDeadline(a: Ordered, b: Ordered, now: number): number {
  const isPast = ({ closes }: Ordered) => closes !== null && closes <= now;
  if (isPast(a) !== isPast(b)) return isPast(a) ? 1 : -1;
  return isPast(a)
    ? ascending(b.closes ?? NEVER, a.closes ?? NEVER)
    : ascending(a.closes ?? NEVER, b.closes ?? NEVER);
}

/** A test with the key of its name, which is computed once. */
interface Keyed<T extends Ordered> {
  readonly test: T;
  readonly key: string;
}

const byName = (a: Keyed<Ordered>, b: Keyed<Ordered>) =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0;

function compare(
  one: Keyed<Ordered>,
  other: Keyed<Ordered>,
  order: TestOrder,
  now: number,
): number {
  const [a, b] = [one.test, other.test];
  switch (order) {
    case 'new':
      return ascending(b.newness, a.newness);
    case 'name':
      return byName(one, other);
    case 'deadline':
      return byDeadline(a, b, now);
    case 'points':
      return ascending(b.points, a.points);
  }
}

/**
 * Sorts in the requested order, running attempts first; ties are ordered too, so that pages neither repeat a
 * test nor omit one. `now` in milliseconds.
 */
export function inOrder<T extends Ordered>(
  tests: readonly T[],
  order: TestOrder,
  now: number,
): T[] {
  return tests
    .map((test) => ({ test, key: nameKey(test.name) }))
    .sort(
      (one, other) =>
        ascending(one.test.runsUntil ?? NEVER, other.test.runsUntil ?? NEVER) ||
        compare(one, other, order, now) ||
        byName(one, other) ||
        (one.test.id < other.test.id ? -1 : 1),
    )
    .map(({ test }) => test);
}
