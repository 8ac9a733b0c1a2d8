import { describe, expect, test } from 'vitest';
import { QUESTIONS_PER_TEST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import {
  chosenCount,
  firstChosen,
  namedPictures,
  nextPart,
  partsOf,
  readyQuestions,
  roomLeft,
  sourcesIn,
} from './import-plan.ts';
import type { ImportedTest } from './messages.ts';

const KEY = '11111111-1111-4111-8111-111111111111';
const SENT = '22222222-2222-4222-8222-222222222222';

const question = (number: number, text = 'Текст'): Question => ({
  questionId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  kind: 'variant',
  multiple: false,
  shuffle: false,
  scoring: 'partial',
  text,
  points: 1,
  options: [{ optionId: 'a', text: `![схема](file:${KEY})`, isRight: true }],
});

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

const imported = (...questions: Question[]): ImportedTest => ({
  format: 'moodleXml',
  title: null,
  items: questions.map((one) => ({
    question: one,
    place: '',
    losses: [],
    source: one.questionId,
  })),
  refused: [],
  pictures: [],
  notes: [],
});

describe('what comes in', () => {
  test('initially as many as fit into the test are selected; variants count as one', () => {
    const variants = [1, 2, 3].map((number) => ({ ...question(number), variantOf: KEY }));
    expect(roomLeft(variants)).toBe(QUESTIONS_PER_TEST - 1);
    const file = imported(question(1), question(2), question(3));
    const [all] = partsOf(file);
    if (!all) throw new Error('a part');
    expect(firstChosen(file, all, new Set(), 2)).toEqual(new Set([0, 1]));
  });

  test('alternatives are one question: no part parts them, and all of them are selected', () => {
    const variantsOf = (place: number) =>
      [0, 1, 2].map((number) => ({
        ...question(place * 3 + number),
        variantOf: question(9_000 + place).questionId,
      }));
    const bank = imported(...range(0, QUESTIONS_PER_TEST + 1).flatMap(variantsOf));
    const parts = partsOf(bank);
    expect(parts).toEqual([
      { from: 0, to: QUESTIONS_PER_TEST * 3 },
      { from: QUESTIONS_PER_TEST * 3, to: QUESTIONS_PER_TEST * 3 + 3 },
    ]);
    const chosen = firstChosen(bank, parts[0] ?? { from: 0, to: 0 }, new Set(), 2);
    expect(chosen).toEqual(new Set(range(0, 6)));
    expect(chosenCount(bank, chosen)).toBe(2);
  });

  test('a bank is imported in parts, without duplicates', () => {
    const bank = imported(...Array.from({ length: 650 }, (_, index) => question(index)));
    const parts = partsOf(bank);
    expect(parts).toEqual([
      { from: 0, to: 300 },
      { from: 300, to: 600 },
      { from: 600, to: 650 },
    ]);
    const taken = readyQuestions(bank, new Set([0, 1, ...range(300, 600)]), new Map());
    const present = sourcesIn(taken);
    const part = nextPart(bank, present, present);
    expect(part).toEqual(parts[0]);
    expect([...firstChosen(bank, part, present, 3)]).toEqual([2, 3, 4]);
    const [, second, third] = parts;
    if (!second || !third) throw new Error('parts');
    expect(firstChosen(bank, second, present, 300).size).toBe(0);
    expect([...firstChosen(bank, third, present, 300)]).toEqual(range(600, 650));
    const whole = readyQuestions(bank, new Set(range(0, 300)), new Map());
    expect(nextPart(bank, sourcesIn(whole), sourcesIn(whole))).toEqual(second);
  });

  test('another test is offered the first part not begun, whatever was left out of those before', () => {
    const bank = imported(...Array.from({ length: 650 }, (_, index) => question(index)));
    const [first, second, third] = partsOf(bank);
    const sources = (from: number, to: number) =>
      sourcesIn(readyQuestions(bank, new Set(range(from, to)), new Map()));
    const but = sources(1, 300);
    expect(nextPart(bank, new Set(), but)).toEqual(second);
    expect(nextPart(bank, but, but)).toEqual(first);
    expect(nextPart(bank, new Set(), sources(1, 600))).toEqual(third);
    expect(nextPart(bank, new Set(), sources(1, 650))).toEqual(first);
    expect(nextPart(bank, new Set(), sources(0, 650))).toEqual(first);
  });

  test('pictures get their server keys, wherever they are used', () => {
    const [ready] = readyQuestions(
      imported(question(1, `Смотрите: ![ось](file:${KEY})`)),
      new Set([0]),
      new Map([[KEY, SENT]]),
    );
    expect(ready?.text).toBe(`Смотрите: ![ось](file:${SENT})`);
    expect(namedPictures(ready ? [ready] : [])).toEqual(new Set([SENT]));
    expect(ready?.origin).toMatchObject({ kind: 'import', format: 'moodleXml' });
  });

  test('recordings get theirs, whatever brackets are in the description', () => {
    const text = (key: string) => `![Аудио \\[1\\]](audio-file:${key})`;
    const keys = new Map([[KEY, SENT]]);
    const [ready] = readyQuestions(imported(question(1, text(KEY))), new Set([0]), keys);
    expect(ready?.text).toBe(text(SENT));
    const long = (key: string) => `![${'а'.repeat(700)}](file:${key})`;
    const [whole] = readyQuestions(imported(question(1, long(KEY))), new Set([0]), keys);
    expect(whole?.text).toBe(long(SENT));
    const [lost] = readyQuestions(
      imported(question(1, `![](audio-file:${KEY})`)),
      new Set([0]),
      new Map(),
    );
    expect(lost?.text).toBe('[запись]');
  });

  test('a failed picture leaves its description', () => {
    const [ready] = readyQuestions(imported(question(1)), new Set([0]), new Map());
    expect(ready?.kind === 'variant' && ready.options[0]?.text).toBe('[схема]');
  });

  test('only selected questions are imported', () => {
    const ready = readyQuestions(imported(question(1), question(2)), new Set([1]), new Map());
    expect(ready.map(({ questionId }) => questionId)).toEqual([question(2).questionId]);
  });
});
