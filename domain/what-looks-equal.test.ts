import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { keyProblems } from './key-correction.ts';
import { groupingText, matchedAnswers } from './matched-answers.ts';
import { questionProblems } from './publishing.ts';
import { normaliseText } from './normalise.ts';
import { reviewedGaps } from './reviewed-gaps.ts';

type Open = Extract<Question, { kind: 'open' }>;

const openWith = (...keys: string[]): Open => ({
  questionId: 'q',
  text: 'Вопрос',
  points: 1,
  kind: 'open',
  input: 'line',
  accepted: keys.map((text) => ({ text, share: 1 })),
  tolerance: 0,
});
const isRight = (key: string, typed: string) => matchedAnswers(openWith(key), typed).length > 0;

/** Each row is one picture on the screen; it does not say how answers are normalised. */
const GLYPHS: readonly (readonly string[])[] = [
  ['a', 'а'],
  ['A', 'А', 'Α'],
  ['B', 'В', 'Β'],
  ['c', 'с'],
  ['C', 'С'],
  ['e', 'е'],
  ['E', 'Е', 'Ε'],
  ['H', 'Н', 'Η'],
  ['K', 'К', 'Κ', '\u212A'],
  ['M', 'М', 'Μ'],
  ['o', 'о', 'ο'],
  ['O', 'О', 'Ο'],
  ['p', 'р'],
  ['P', 'Р', 'Ρ'],
  ['T', 'Т', 'Τ'],
  ['x', 'х'],
  ['y', 'у'],
  ['й', 'и\u0306'],
  ['ё', 'е\u0308', 'ë'],
  ['к'],
  ['н'],
  ['т'],
  ['Ж'],
  ['t'],
  ['w'],
  ['Ω', '\u2126'],
  ['å', 'a\u030A'],
  ['μ', '\u00B5'],
  ['ﬁ', 'fi'],
  [' ', '\u00A0', '\u2009', '\u202F', '\t', '  '],
  ['-', '−', '‐', '\u2011', '–', '—'],
  ['«', '"', '„', '“'],
  ["'", '’', '\u2032', '\u02BC'],
  ['/', '\u2044', '\u2215'],
  ['½'],
  ['²', '<sup>2</sup>'],
  ['₂', '<sub>2</sub>'],
  ['2', '２', '𝟐'],
  ['5', '５'],
  ['·', '\u22C5', '\u2219'],
  ['№'],
  ['°', 'º', '\u02DA'],
  ['~', '\u02DC', '\u223C'],
  ['①'],
];
const UNSEEN = [
  '',
  '',
  '',
  '\u200B',
  '\u00AD',
  '\uFEFF',
  '\u200D',
  '\u200E',
  '\uFE0F',
  '\u034F',
  '\u2060',
  '\u3164',
];

/** A text in two spellings, with invisible characters between its signs. */
const twoSpellings = fc
  .array(
    fc
      .constantFrom(...GLYPHS)
      .chain((glyph) =>
        fc.tuple(
          ...[0, 1].map(() => fc.tuple(fc.constantFrom(...glyph), fc.constantFrom(...UNSEEN))),
        ),
      ),
    { minLength: 1, maxLength: 8 },
  )
  .map((signs) => [0, 1].map((which) => signs.map((sign) => sign[which]?.join('') ?? '').join('')));

describe('row 45: invisible or look-alike characters in answers or keys', () => {
  test('what looks equal in the review is marked equal', () => {
    fc.assert(
      fc.property(twoSpellings, ([key = '', typed = '']) => {
        expect(isRight(key, typed)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('digits at another level are another answer', () => {
    const level = fc.constantFrom('2', '²', '₂', '5', '⁵', '₅', '①');
    const text = fc
      .array(level, { minLength: 1, maxLength: 4 })
      .map((signs) => `7${signs.join('')}`);
    fc.assert(
      fc.property(text, text, (key, typed) => {
        expect(isRight(key, typed)).toBe(key === typed);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['10²', '10^2'],
    ['10²', '10^{2}'],
    ['10²', '10^(2)'],
    ['10²', '10<sup>2</sup>'],
    ['10²', '10<SUP class="x">2</SUP>'],
    ['10²', '$10^2$'],
    ['10²', '$10^{2}$'],
    ['10²', '$$10^2$$'],
    ['10¹⁹', '10^19'],
    ['10¹⁹', '10<sup>1</sup><sup>9</sup>'],
    ['10⁻¹⁹', '10^-19'],
    ['10⁻¹⁹', '10^{−19}'],
    ['10⁻¹⁹', '10^(-19)'],
    ['1,6·10⁻¹⁹', '1,6⋅10^-19'],
    ['H₂O', 'H_2O'],
    ['H₂O', 'H_{2}O'],
    ['H₂O', 'H<sub>2</sub>O'],
    ['H₂O', '$H_2O$'],
    ['H₂O', 'Н₂О'],
    ['v_ср', 'v<sub>ср</sub>'],
    ['v_ср', 'v$_{\\text{ср}}$'],
    ['xⁿ', 'x^n'],
    ['Ca²⁺', 'Ca^2+'],
    ['Ca²⁺ + 2Cl⁻', 'Ca^2+ + 2Cl^-'],
    ['x²+1', 'x^2+1'],
    ['5 m²', '5 ㎡'],
    ['90°', '90º'],
    ['90°', '$90^\\circ$'],
    ['90°', '90\u02DA'],
    ['10²', '10\u02C62'],
    ['1½', '1 1/2'],
    ['½', '¹⁄₂'],
    ['сосна', 'cоcна'],
    ['натрий', 'Hатрий'],
    ['КОТ', 'KOT'],
    ['кот', 'KOT'],
    ['CO2', 'СО2'],
    ['cat', 'САТ'],
    ['замо\u0301к', 'замóк'],
    ['5″', '5"'],
    ['5″', '5′′'],
    ['Δt', '∆t'],
    ['Φ', 'Ф'],
    ['5 м', '5\u2800м'],
  ])('%s and %s are one answer', (one, other) => {
    expect(isRight(one, other)).toBe(true);
    expect(isRight(other, one)).toBe(true);
    expect(questionProblems(openWith(one, other))).toEqual(['верные ответы повторяются']);
    expect(keyProblems(openWith(one, other))).toHaveLength(1);
  });

  test('a number with a Cyrillic «е» is the number that it looks like', () => {
    expect(isRight('1000', '1е3')).toBe(true);
    expect(isRight('−5', '‒5\u200B')).toBe(true);
  });

  test.each([
    ['10²', '102'],
    ['10²', '100'],
    ['5²', '25'],
    ['x₂', 'x2'],
    ['x²', 'x₂'],
    ['2³⁴', '2^3^4'],
    ['x²ⁿ', 'x²n'],
    ['1½', '11/2'],
    ['5①', '51'],
    ['5㎡', '5m2'],
    ['кот', 'kot'],
    ['там', 'tam'],
    ['hot', 'нот'],
    ['Windows™', 'WindowsTM'],
    ['замо\u0301к', 'замок'],
    ['й', 'и'],
    ['$HOME$PATH', 'HOMEPATH'],
    ['snake_case', 'snakecase'],
  ])('%s and %s are two answers', (one, other) => {
    expect(isRight(one, other)).toBe(false);
    expect(isRight(other, one)).toBe(false);
    expect(questionProblems(openWith(one, other))).toEqual([]);
  });

  test('the review never shows two identical words as right and wrong', () => {
    const gap = (text: string) =>
      ({
        gapId: '1',
        weight: 1,
        input: 'line',
        accepted: [{ text, share: 1 }],
        tolerance: 0,
      }) as const;
    fc.assert(
      fc.property(twoSpellings, ([key = '', typed = '']) => {
        const [reviewed] = reviewedGaps([gap(`ж${key}`)], [{ gapId: '1', text: `ж${typed}` }]);
        expect(reviewed?.share).toBe(1);
      }),
    );
  });

  test('two options that look the same cannot be published', () => {
    const options = (...texts: string[]) =>
      questionProblems({
        questionId: 'q',
        text: 'Вопрос',
        points: 1,
        kind: 'variant',
        multiple: false,
        shuffle: false,
        scoring: 'partial',
        options: texts.map((text, index) => ({
          optionId: String(index),
          text,
          isRight: index === 0,
        })),
      });
    expect(options('лес', 'ле\u00ADс')).toEqual(['варианты повторяются']);
    expect(options('сосна', 'cocна')).toEqual(['варианты повторяются']);
    expect(options('лес', '\u200B')).toEqual(['есть вариант без текста']);
    expect(options('мПа', 'МПа')).toEqual([]);
    expect(options('все', 'всё')).toEqual([]);
    expect(options('10²', '102')).toEqual([]);
  });

  test('equal answers are grouped by a text that earns the same', () => {
    for (const [key, typed] of [
      ['кот', 'KOT'],
      ['cat', 'САТ'],
      ['10²', '10^2'],
      ['v_ср', 'v<sub>ср</sub>'],
      ['сосна', 'cоcна'],
    ] as const) {
      const question = openWith(key);
      expect(groupingText(question, typed, normaliseText)).toBe(normaliseText(key));
    }
    expect(groupingText(openWith('кот'), 'Пёс', normaliseText)).toBe('пес');
  });

  test('normalising again changes nothing', () => {
    fc.assert(
      fc.property(twoSpellings, ([text = '']) => {
        const once = normaliseText(text);
        expect(normaliseText(once)).toBe(once);
      }),
    );
  });
});
