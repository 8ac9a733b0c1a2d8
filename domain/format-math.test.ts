import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { plainText } from '#tests/hostile-bodies.ts';
import { liftMath } from './format-math.ts';

test.each(['`$x$`', '``a` $x$``', '`a``$x$``b`', '```\n$x$\n```'])(
  'in code a dollar is a sign: %s',
  (source) => {
    expect(liftMath(source)).toEqual({ text: source, formulas: [] });
  },
);

test.each(['a` $x$', '``a` $x$', '`a`` $x$'])(
  'ticks that close nothing are no code: %s',
  (source) => {
    expect(liftMath(source).formulas).toEqual([{ tex: 'x', display: false }]);
  },
);

const SIZE = 20_000;
/** Runs of ticks, each longer than the one before. */
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
  const plain = Math.max(2, cost(plainText(SIZE)));
  expect(cost(text)).toBeLessThan(8 * plain);
});
