import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES, plainText } from '#tests/hostile-bodies.ts';
import { normalForm } from './normal-form.ts';

const FORMS = ['NFC', 'NFKC'] as const;

test('ordinary texts have the normal form of Unicode', () => {
  for (const text of ['Ёлка и и\u0306од', 'Nguye\u0302\u0303n', 'か\uFF9E', 'ﬁ ½ ①', 'שָׁלוֹם', '각'])
    for (const form of FORMS) expect(normalForm(text, form)).toBe(text.normalize(form));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...FORMS), (text, form) => {
      expect(normalForm(text, form)).toBe(text.normalize(form));
    }),
  );
});

test('every character that normalises to marks only is recognized as one', () => {
  const unknown: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const sign = String.fromCodePoint(code);
    if (/^\p{M}+$/u.test(sign.normalize('NFKD')) && !/^[\p{M}\uFF9E\uFF9F]$/u.test(sign))
      unknown.push(code.toString(16));
  }
  expect(unknown).toEqual([]);
});

test('no text takes more than a small multiple of a plain one of its size', () => {
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
