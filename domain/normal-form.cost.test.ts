import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES, plainText } from '#tests/hostile-bodies.ts';
import { normalForm } from './normal-form.ts';

const FORMS = ['NFC', 'NFKC'] as const;

test('no text costs more than a small multiple of a plain one of its size', () => {
  const cost = (text: string, form: (typeof FORMS)[number]) => {
    const runs = Array.from({ length: 3 }, () => {
      const begin = cpuMs();
      normalForm(text, form);
      return cpuMs() - begin;
    });
    return Math.min(...runs);
  };
  const size = 200_000;
  for (const form of FORMS) {
    const plain = Math.max(1, cost(plainText(size), form));
    const slow = Object.entries(HOSTILE_BODIES).filter(
      ([, text]) => cost(text(size), form) > plain * 50,
    );
    expect(slow.map(([name]) => name)).toEqual([]);
  }
});
