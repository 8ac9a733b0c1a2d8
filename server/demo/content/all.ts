import { biology } from './biology.ts';
import { chemistry } from './chemistry.ts';
import type { DemoTest } from './demo-test.ts';
import { english } from './english.ts';
import { history } from './history.ts';
import { informatics } from './informatics.ts';
import { math } from './math.ts';
import { physics } from './physics.ts';
import { russian } from './russian.ts';

export const demoTests: readonly DemoTest[] = [
  physics,
  math,
  russian,
  history,
  informatics,
  english,
  biology,
  chemistry,
];

/** Throws when no content has this key. */
export function demoTest(key: string): DemoTest {
  const found = demoTests.find((test) => test.key === key);
  if (found === undefined) throw new Error(`no demo content with the key ${key}`);
  return found;
}
