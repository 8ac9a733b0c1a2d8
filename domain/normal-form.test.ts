import fc from 'fast-check';
import { expect, test } from 'vitest';
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
