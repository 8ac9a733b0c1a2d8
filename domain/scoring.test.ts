import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { answerMisfit } from './answer-fit.ts';
import { comparableAnswer, matchesAccepted, normaliseText, parseNumber } from './normalise.ts';
import { isAnswered } from './answered.ts';
import { maxPoints, scoreAttempt, scoreItem } from './scoring.ts';

const matches = (typed: string, accepted: string, tolerance: number) =>
  matchesAccepted(comparableAnswer(typed), comparableAnswer(accepted), tolerance);

const questionId = '00000000-0000-4000-8000-000000000001';
const base = { questionId, text: '', points: 2 };
const option = (optionId: string, isRight: boolean) => ({ optionId, text: optionId, isRight });
const single: Question = {
  ...base,
  kind: 'variant',
  multiple: false,
  shuffle: false,
  scoring: 'partial',
  options: [option('a', true), option('b', false)],
};
const several: Question = {
  ...single,
  multiple: true,
  options: [option('a', true), option('b', true), option('c', false), option('d', false)],
};
const open: Question = {
  ...base,
  kind: 'open',
  input: 'line',
  accepted: [
    { text: 'Жёлтый', share: 1 },
    { text: '3,14', share: 0.5 },
  ],
  tolerance: 0.01,
};
const matching: Question = {
  ...base,
  points: 3,
  kind: 'compliance',
  shuffle: false,
  left: ['1', '2', '3'].map((leftId) => ({ leftId, text: leftId })),
  right: ['a', 'b', 'c', 'd'].map((rightId) => ({ rightId, text: rightId })),
  pairs: [
    { leftId: '1', rightId: 'a' },
    { leftId: '2', rightId: 'b' },
    { leftId: '3', rightId: 'c' },
  ],
};
const shared: Question = {
  ...matching,
  reuse: true,
  pairs: [
    { leftId: '1', rightId: 'a' },
    { leftId: '2', rightId: 'a' },
    { leftId: '3', rightId: 'b' },
  ],
};
const file: Question = { ...base, kind: 'file', maxBytes: 100, accept: [] };
const chosen = (...optionIds: string[]): Answer => ({ questionId, kind: 'variant', optionIds });
const typed = (text: string): Answer => ({ questionId, kind: 'open', text });
const paired = (...pairs: string[]): Answer => ({
  questionId,
  kind: 'compliance',
  pairs: pairs.map((pair) => ({ leftId: pair.charAt(0), rightId: pair.charAt(1) })),
});
const handedIn: Answer = {
  questionId,
  kind: 'file',
  fileId: questionId,
  name: 'a.pdf',
  size: 5,
  mimeType: 'application/pdf',
  sha256: '',
};

describe('scoring', () => {
  test.each<[string, Question, Answer | undefined, number]>([
    ['single: right', single, chosen('a'), 2],
    ['single: wrong', single, chosen('b'), 0],
    ['several: all', several, chosen('a', 'b'), 2],
    ['several: (right − wrong) / number of right', several, chosen('a', 'b', 'c'), 1],
    ['several: half', several, chosen('a'), 1],
    ['several: never below zero', several, chosen('c', 'd'), 0],
    ['several, all or nothing', { ...several, scoring: 'allOrNothing' }, chosen('a'), 0],
    [
      'several, all or nothing, with a wrong one beside',
      { ...several, scoring: 'allOrNothing' },
      chosen('a', 'b', 'c'),
      0,
    ],
    [
      'several, all or nothing, exactly',
      { ...several, scoring: 'allOrNothing' },
      chosen('a', 'b'),
      2,
    ],
    ['matching without a key', { ...matching, pairs: [] }, paired('1a'), 0],
    ['an answer of another kind', file, typed('да'), 0],
    ['matching: right pairs / all pairs', matching, paired('1a', '2c', '3c'), 2],
    ['matching: one right item for several', shared, paired('1a', '2a', '3b'), 3],
    ['matching: each left item counts by itself', shared, paired('1a', '2b', '3b'), 2],
    ['open: case and ё', open, typed(' желтый '), 2],
    ['open: share', open, typed('3.14'), 1],
    ['open: tolerance', open, typed('3,149'), 1],
    ['open: beyond it', open, typed('3,16'), 0],
    ['skipped', open, undefined, 0],
    ['cleared', open, typed('  '), 0],
    ['file not handed in', file, undefined, 0],
  ])('%s', (_, question, answer, points) => {
    expect(scoreItem(question, answer, undefined)).toEqual({ kind: 'graded', points });
  });

  test('answers that only a person can grade are pending until graded; the grade never exceeds the points', () => {
    expect(scoreItem(file, handedIn, undefined)).toEqual({ kind: 'pending' });
    expect(scoreItem({ ...open, accepted: [] }, typed('эссе'), undefined)).toEqual({
      kind: 'pending',
    });
    expect(scoreItem(file, handedIn, 1.5)).toEqual({ kind: 'graded', points: 1.5 });
    expect(scoreItem(file, handedIn, 9)).toEqual({ kind: 'graded', points: 2 });
  });

  test('the sum is partial while a grade is missing', () => {
    const other = { ...file, questionId: '00000000-0000-4000-8000-000000000002' };
    const answers = new Map<string, Answer>([
      [questionId, chosen('a')],
      [other.questionId, { ...handedIn, questionId: other.questionId }],
    ]);
    const score = scoreAttempt([single, other], answers, new Map());
    expect(score).toMatchObject({
      points: 2,
      gradedMax: 2,
      max: 4,
      pendingQuestionIds: [other.questionId],
    });
  });

  test('points lie between zero and the maximum and have at most two decimals', () => {
    const subset = fc.subarray(['a', 'b', 'c', 'd']);
    const points = fc.integer({ min: 0, max: 1000 }).map((n) => n / 100);
    fc.assert(
      fc.property(subset, points, (ids, max) => {
        const item = scoreItem({ ...several, points: max }, chosen(...ids), undefined);
        const value = item.kind === 'graded' ? item.points : Number.NaN;
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(max);
        expect(Math.abs(value * 100 - Math.round(value * 100))).toBeLessThan(1e-6);
      }),
    );
  });
});

describe('normalising', () => {
  test('case, spaces, ё/е, dashes and quotes do not matter', () => {
    expect(normaliseText('  Ёлка —  «да» ')).toBe(normaliseText('елка - "да"'));
  });

  test.each([
    ['4,9', 4.9],
    ['4.9', 4.9],
    ['−3', -3],
    ['1 000', 1000],
    ['+2', 2],
    ['', null],
    ['4,9,1', null],
    ['0x10', null],
    ['1e400', null],
    ['4 м', null],
  ])('%j is the number %s', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  test('numbers compare as numbers, texts as texts', () => {
    expect(matches('0.30', '0,3', 0)).toBe(true);
    expect(matches('0,3 м', '0,3', 0)).toBe(false);
    expect(matches('007', '7', 0)).toBe(true);
    expect(matches('4,95', '4,9', 0.05)).toBe(true);
  });

  test.each([
    ['1073741825', '1073741824'],
    ['12345678901234567', '12345678901234568'],
    ['0,30000000001', '0,3'],
  ])('without a tolerance %s is not %s', (typed, accepted) => {
    expect(matches(typed, accepted, 0)).toBe(false);
  });
});

describe('which answers fit a question', () => {
  test.each<[string, Answer, Question | undefined, string | null]>([
    ['unknown question', typed(''), undefined, 'UNKNOWN_QUESTION'],
    ['other kind', typed(''), single, 'INVALID_ANSWER'],
    ['unknown option', chosen('x'), single, 'INVALID_ANSWER'],
    ['two options of a single choice', chosen('a', 'b'), single, 'INVALID_ANSWER'],
    ['doubled option', chosen('a', 'a'), several, 'INVALID_ANSWER'],
    ['unknown right item', paired('1z'), matching, 'INVALID_ANSWER'],
    ['file too large', { ...handedIn, size: 101 }, file, 'INVALID_ANSWER'],
    ['one unknown option among known ones', chosen('a', 'x'), several, 'INVALID_ANSWER'],
    ['one unknown pair among known ones', paired('1a', '2z'), matching, 'INVALID_ANSWER'],
    ['an unknown left item', paired('9a'), matching, 'INVALID_ANSWER'],
    ['one left item twice', paired('1a', '1b'), matching, 'INVALID_ANSWER'],
    ['options for a typed answer', chosen('a'), open, 'INVALID_ANSWER'],
    ['pairs for a typed answer', paired('1a'), open, 'INVALID_ANSWER'],
    ['a file for a typed answer', handedIn, open, 'INVALID_ANSWER'],
    ['a typed answer', typed('да'), open, null],
    ['one option', chosen('b'), single, null],
    ['several options', chosen('a', 'c'), several, null],
    ['a file as large as allowed', { ...handedIn, size: 100 }, file, null],
    ['a removed file that was too large', { ...handedIn, fileId: null, size: 101 }, file, null],
    ['cleared choice', chosen(), single, null],
    ['removed file', { ...handedIn, fileId: null, size: 0 }, file, null],
    ['one right item twice', paired('1a', '2a'), matching, null],
  ])('%s', (_, answer, question, misfit) => {
    expect(answerMisfit(answer, question)).toBe(misfit);
  });

  test('cleared answers are unanswered', () => {
    expect([typed(' '), chosen(), paired(), { ...handedIn, fileId: null }].map(isAnswered)).toEqual(
      [false, false, false, false],
    );
  });
});

test('half a hundredth of a point is rounded up for the student', () => {
  const half = { ...open, points: 2.01, accepted: [{ text: '5', share: 0.5 }] } as Question;
  expect(scoreItem(half, { questionId, kind: 'open', text: '5' }, undefined)).toEqual({
    kind: 'graded',
    points: 1.01,
  });
});

test('of a single choice with two right options either counts, and both together never', () => {
  const either: Question = { ...single, options: [option('a', true), option('b', true)] };
  const answer = (...optionIds: string[]): Answer => ({ questionId, kind: 'variant', optionIds });
  expect(scoreItem(either, answer('a'), undefined)).toEqual({ kind: 'graded', points: 2 });
  expect(scoreItem(either, answer('b'), undefined)).toEqual({ kind: 'graded', points: 2 });
  expect(scoreItem(either, answer('a', 'b'), undefined)).toEqual({ kind: 'graded', points: 0 });
});

describe('a question that does not count by its key', () => {
  const other: Question = { ...single, questionId: '00000000-0000-4000-8000-000000000002' };
  const byHand: Question = { ...open, accepted: [] };
  const wrong: Answer = { questionId, kind: 'variant', optionIds: ['b'] };
  const typed: Answer = { questionId, kind: 'open', text: 'Ответ' };

  test.each<[string, Question, Answer | undefined, number | undefined]>([
    ['wrong', single, wrong, undefined],
    ['unanswered', single, undefined, undefined],
    ['graded lower', single, wrong, 0],
    ['waiting for a grade', byHand, typed, undefined],
  ])('is credited to everybody or left out, %s', (_, question, answer, grade) => {
    const credited = scoreItem({ ...question, credit: 'everybody' }, answer, grade);
    expect(credited).toEqual({ kind: 'graded', points: 2 });
    const leftOut = scoreItem({ ...question, credit: 'nobody' }, answer, grade);
    expect(leftOut).toEqual({ kind: 'graded', points: 0 });
  });

  test('has its points in the maximum, or none', () => {
    expect(maxPoints([{ ...single, credit: 'everybody' }, other])).toBe(4);
    expect(maxPoints([{ ...single, credit: 'nobody' }, other])).toBe(2);
    const score = (credit: 'everybody' | 'nobody') =>
      scoreAttempt([{ ...byHand, credit }, other], new Map([[questionId, typed]]), new Map());
    expect(score('everybody')).toMatchObject({ points: 2, gradedMax: 4, max: 4 });
    expect(score('nobody')).toMatchObject({ points: 0, gradedMax: 2, max: 2 });
    expect(score('nobody').pendingQuestionIds).toEqual([]);
  });
});
