import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { plainText } from '#tests/hostile-bodies.ts';
import { liftMath } from './format-math.ts';

const SIZE = 20_000;
/** Runs of backticks, each longer than the one before. */
const growing = Array.from({ length: 198 }, (_, index) => `${'`'.repeat(index + 1)}a`).join('');

test.each([
  ['one run of ticks', '`'.repeat(SIZE)],
  ['an odd run of ticks and a text', `${'`'.repeat(SIZE / 2 + 1)}${'a'.repeat(SIZE / 2)}`],
  ['growing runs of ticks', growing],
  ['dollars', '$'.repeat(SIZE)],
  ['dollars that close nothing', '$a\n'.repeat(SIZE / 3)],
  ['escaped dollars', String.raw`$\$`.repeat(SIZE / 3)],
])('costs no more than a small multiple of a plain text of its size: %s', (_, text) => {
  const cost = (source: string) => {
    const runs = Array.from({ length: 3 }, () => {
      const begin = cpuMs();
      liftMath(source);
      return cpuMs() - begin;
    });
    return Math.min(...runs);
  };
  // Below so many milliseconds noise dominates; a quadratic cost takes seconds.
  const plain = Math.max(5, cost(plainText(SIZE)));
  expect(cost(text)).toBeLessThan(8 * plain);
});
