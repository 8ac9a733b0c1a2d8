import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES, plainText } from '#tests/hostile-bodies.ts';
import { comparableAnswer, shownIdentity } from './normalise.ts';

/** Against the notations of powers, and the letters of several scripts. */
const OWN: Record<string, string> = {
  'powers that never close': '^{',
  'powers in round brackets': '^(',
  'powers of powers': 'x^2^',
  'charges without an end': '^1+ ',
  'charges with blanks': `^1+${' '.repeat(200)}`,
  'degrees without a circle': '^ ',
  'raised tags': '<sup>',
  'raised tags that close': '<sup>a</sup>',
  'raised tags with attributes': '<sup class="',
  'formulas that never close': '$a_ ',
  'dollars with blanks': `$a${' '.repeat(200)}`,
  'texts in formulas': '\\text{',
  superscripts: '²',
  'superscripts between digits': '2²',
  fractions: '1½',
  'composed fractions': '¹⁄',
  'signs that stay': '①a',
  'words of two scripts': 'аa ',
  'words of look-alikes': 'КОТ ',
  'one word of look-alikes': 'О',
  'letters with marks': 'а\u0301',
  'marks between what nobody sees': '\u0301\u200B\u0323',
  underscores: '_a',
};

test('no answer costs more than a small multiple of a plain one of its size', () => {
  const cost = (text: string) => {
    const begin = cpuMs();
    for (let time = 0; time < 3; time += 1) {
      comparableAnswer(text);
      shownIdentity(text);
    }
    return cpuMs() - begin;
  };
  const size = 8_000;
  const texts = [
    ...Object.entries(HOSTILE_BODIES).map(([name, text]) => [name, text(size)] as const),
    ...Object.entries(OWN).map(
      ([name, unit]) => [name, unit.repeat(Math.ceil(size / unit.length)).slice(0, size)] as const,
    ),
  ];
  const plain = Math.max(1, cost(plainText(size)));
  const slow = texts.flatMap(([name, text]) => {
    const ratio = Math.min(cost(text), cost(text)) / plain;
    return ratio > 20 ? [`${name}: ${Math.round(ratio)}`] : [];
  });
  expect(slow).toEqual([]);
});
