import { expect, test } from 'vitest';
import { speakTex } from '#domain/format-spoken-tex.ts';
import { PALETTE } from './formula-palette.ts';

test.each(PALETTE.flatMap(({ signs }) => signs))('$name is read in words', (sign) => {
  const filled = sign.tex.replace('|', 'x');
  for (const tex of [sign.shown ?? sign.tex, sign.tex.replace('|', ''), filled]) {
    const spoken = speakTex(tex);
    expect(spoken, tex).toMatch(/[\p{L}\d]/u);
    expect(spoken, tex).not.toMatch(/[\\{}^$_&]/);
    // Latin letters belong to the formula itself: no symbol is read by its name in TeX.
    expect(spoken.replace(/\b[a-zA-Z]\b/g, ''), tex).not.toMatch(/[a-zA-Z]/);
  }
  expect(speakTex(filled)).not.toBe('пустая формула');
});
