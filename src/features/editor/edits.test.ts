import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import {
  addQuestions,
  changeQuestions,
  copiesForAnotherTest,
  duplicateQuestions,
  moveAlternative,
  movePlace,
  movePlaceTo,
  passagesOf,
  removedOf,
  removeQuestions,
  replaceQuestion,
  restoreQuestions,
} from './edits.ts';
import { placesOf } from './rows.ts';

const question = (questionId: string, variantOf?: string): Question => ({
  questionId,
  kind: 'file',
  text: questionId,
  points: 1,
  maxBytes: 1_000,
  accept: [],
  ...(variantOf === undefined ? {} : { variantOf }),
});
const questions = [
  question('a'),
  question('b1', 'b'),
  question('b2', 'b'),
  question('c'),
  question('d'),
];
const ids = (list: readonly Question[]) => list.map(({ questionId }) => questionId).join(' ');

test('a place moves with all its alternatives, never beyond the ends', () => {
  expect(ids(movePlace('b', (from) => from + 1)(questions))).toBe('a c b1 b2 d');
  expect(ids(movePlace('d', () => 0)(questions))).toBe('d a b1 b2 c');
  expect(ids(movePlace('a', (_, count) => count)(questions))).toBe('b1 b2 c d a');
  expect(movePlace('a', (from) => from - 1)(questions)).toBe(questions);
  expect(movePlace('gone', () => 0)(questions)).toBe(questions);
  expect(ids(movePlaceTo('a', 'c')(questions))).toBe('b1 b2 c a d');
  expect(ids(movePlaceTo('d', 'b')(questions))).toBe('a d b1 b2 c');
});

test('an alternative moves within its place', () => {
  expect(ids(moveAlternative('b2', -1)(questions))).toBe('a b2 b1 c d');
  expect(moveAlternative('b2', 1)(questions)).toBe(questions);
});

test('removed questions are restored at their place, whatever happened meanwhile', () => {
  const removed = removedOf(questions, ['a', 'c', 'd']);
  const left = removeQuestions(['a', 'c', 'd'])(questions);
  expect(ids(left)).toBe('b1 b2');
  expect(ids(restoreQuestions(removed)(left))).toBe('a b1 b2 c d');
  expect(ids(restoreQuestions(removed)([...left, question('a')]))).toBe('b1 b2 c d a');
  expect(ids(restoreQuestions(removedOf(questions, ['d']))([question('x')]))).toBe('x d');
});

test('a copy is inserted after its original and is not linked to the bank', () => {
  const drawn = { ...question('a'), origin: { kind: 'ai' } as const };
  const copied = duplicateQuestions(['a'], new Map([['a', 'new']]))([drawn, question('c')]);
  expect(ids(copied)).toBe('a new c');
  expect(copied[1]).toEqual({ ...question('a'), questionId: 'new', text: 'a' });
});

test('a copied alternative joins the others, copied alternatives make a place of their own', () => {
  const one = duplicateQuestions(['b1'], new Map([['b1', 'n1']]))(questions);
  expect(placesOf(one).map(({ rows }) => rows.length)).toEqual([1, 3, 1, 1]);
  const fresh = new Map([
    ['b1', 'n1'],
    ['b2', 'n2'],
    ['b', 'n'],
  ]);
  const all = duplicateQuestions(['b1', 'b2'], fresh)(questions);
  expect(ids(all)).toBe('a b1 b2 n1 n2 c d');
  expect(placesOf(all).map(({ rows }) => rows.length)).toEqual([1, 2, 2, 1, 1]);
});

test('copies for another test have ids of their own and stay alternatives of each other', () => {
  let made = 0;
  const copies = copiesForAnotherTest(questions, () => `n${(made += 1)}`);
  expect(placesOf(copies).map(({ rows }) => rows.length)).toEqual([1, 2, 1, 1]);
  expect(copies[0]?.origin).toEqual({ kind: 'bank', entryId: 'a' });
  expect(copies.map(({ questionId }) => questionId)).not.toContain('b1');
});

test('new questions come to the end, alternatives to their place', () => {
  expect(ids(addQuestions([question('b3', 'b'), question('e'), question('a')])(questions))).toBe(
    'a b1 b2 b3 c d e',
  );
});

test('several are changed at once, and what is not named stays', () => {
  const tagged = { ...question('a'), tags: ['сила'], topic: 'Законы', difficulty: 'easy' as const };
  const [a, c] = changeQuestions(
    ['a'],
    { points: 3, difficulty: null, addTags: ['сила', 'егэ'] },
    20,
  )([tagged, question('c')]);
  expect(a).toEqual({ ...question('a'), points: 3, topic: 'Законы', tags: ['сила', 'егэ'] });
  expect(c).toEqual(question('c'));
});

test('after any edits nothing is lost and alternatives are adjacent', () => {
  const edit = fc.oneof(
    fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: -2, max: 6 }))
      .map(([place, to]) => movePlace(place, () => to)),
    fc
      .tuple(fc.constantFrom('b1', 'b2'), fc.integer({ min: -2, max: 2 }))
      .map(([id, by]) => moveAlternative(id, by)),
    fc.constant(restoreQuestions(removedOf(questions, ['b1', 'c']))),
  );
  fc.assert(
    fc.property(fc.array(edit), (edits) => {
      let now: readonly Question[] = questions;
      for (const one of edits) now = one(now);
      expect([...now].map(({ questionId }) => questionId).sort()).toEqual(
        questions.map(({ questionId }) => questionId).sort(),
      );
      const at = (id: string) => now.findIndex(({ questionId }) => questionId === id);
      expect(Math.abs(at('b1') - at('b2'))).toBe(1);
    }),
  );
});

test('an edited shared text changes in all its questions, and in no other', () => {
  const [one, other] = ['p1', 'p2'].map((passageId) => ({ passageId, text: `Текст ${passageId}` }));
  const shared = [
    { ...question('a'), passage: one },
    { ...question('b'), passage: other },
    { ...question('c'), passage: one },
    question('d'),
  ] as Question[];
  const passage = { passageId: 'p1', text: 'Исправлен' };
  const edited = replaceQuestion({ ...question('a'), text: 'новый', passage })(shared);
  expect(edited[0]).toMatchObject({ text: 'новый', passage });
  expect(edited[1]).toBe(shared[1]);
  expect(edited[2]).toEqual({ ...shared[2], passage });
  expect(edited[3]).toBe(shared[3]);
  // The transcript and its visibility belong to the shared text.
  const recording = { ...passage, transcript: 'Слова', transcriptShown: true };
  for (const part of [
    recording,
    { ...recording, transcript: '' },
    { ...recording, transcriptShown: false },
  ])
    expect(replaceQuestion({ ...question('a'), passage: part })(edited)[2]?.passage).toEqual(part);
  expect(passagesOf(edited)).toEqual([passage, other]);
  // Removed from one question, it stays in the others.
  const taken = replaceQuestion(question('a'))(shared);
  expect(taken[2]).toBe(shared[2]);
});

test('an old copy of a shared text is not spread; a re-added one gets the new text', () => {
  const old = { passageId: 'p1', text: 'Старый' };
  const shared = [
    { ...question('a'), passage: old },
    { ...question('c'), passage: old },
  ] as Question[];
  const removed = removedOf(shared, ['c']);
  const rewritten = { passageId: 'p1', text: 'Новый' };
  const left = removeQuestions(['c'])(shared);
  const edited = replaceQuestion({ ...question('a'), passage: rewritten })(left);
  const textsOf = (list: readonly Question[]) => list.map(({ passage }) => passage?.text);
  expect(textsOf(restoreQuestions(removed)(edited))).toEqual(['Новый', 'Новый']);
  const inserted = addQuestions([{ ...question('d'), passage: old }])(edited);
  expect(textsOf(inserted)).toEqual(['Новый', 'Новый']);
  // Copies that differ, as after a merge: an edit of the points of one does not change the text of the others.
  const differing = [
    { ...question('a'), passage: rewritten },
    { ...question('c'), passage: old },
  ] as Question[];
  const worth = { ...question('c'), passage: old, points: 5 };
  expect(textsOf(replaceQuestion(worth)(differing))).toEqual(['Новый', 'Старый']);
  expect(passagesOf(differing)).toEqual([rewritten]);
});
