import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { plainText } from '#tests/hostile-bodies.ts';
import { markdownParts } from './markdown-parts.ts';

test('code is recognised as in Markdown', () => {
  const kinds = (text: string) => markdownParts(text).map(({ kind, raw }) => [kind, raw]);
  expect(kinds('``a` $x$`` $y$')).toEqual([
    ['code', '``a` $x$``'],
    ['prose', ' '],
    ['inline', '$y$'],
  ]);
  expect(kinds('``a` $x$')).toEqual([
    ['prose', '``a` '],
    ['inline', '$x$'],
  ]);
});

test('unclosed backticks cost no more than a small multiple of a plain text', () => {
  const half = 10_000;
  const cost = (text: string) => {
    const runs = Array.from({ length: 3 }, () => {
      const begin = cpuMs();
      markdownParts(text);
      return cpuMs() - begin;
    });
    return Math.min(...runs);
  };
  const plain = Math.max(2, cost(plainText(2 * half)));
  expect(cost('`'.repeat(half) + 'a'.repeat(half))).toBeLessThan(8 * plain);
});
