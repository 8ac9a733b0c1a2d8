import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES, plainText } from '#tests/hostile-bodies.ts';
import { questionLabel } from './question-label.ts';

test('no text costs more than a small multiple of a plain one of its size', () => {
  const cost = (text: string) => {
    const begin = cpuMs();
    for (let time = 0; time < 20; time += 1) questionLabel({ text });
    return cpuMs() - begin;
  };
  const plain = Math.max(1, cost(plainText(20_000)));
  const slow = Object.entries(HOSTILE_BODIES).filter(([, text]) => {
    const hostile = text(20_000);
    return Math.min(cost(hostile), cost(hostile)) > 50 * plain;
  });
  expect(slow.map(([name]) => name)).toEqual([]);
});
