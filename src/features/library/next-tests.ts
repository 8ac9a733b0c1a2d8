import type { ListedTest } from './local-attempts.ts';
import { sortTests } from './select-page.ts';

/** The number of tests that fit under the title. */
const MOST = 5;

/** The assigned tests that can be taken now: running ones first, then by closing date. */
export function nextTests(items: readonly ListedTest[]): ListedTest[] {
  const open = items.filter(
    ({ status, isQueued }) => !isQueued && ['inProgress', 'available'].includes(status),
  );
  return sortTests(open, 'deadline', 0).slice(0, MOST);
}
