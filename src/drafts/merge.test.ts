import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { newQuestion } from '#domain/new-question.ts';
import { mergeQuestions, nextStart } from './merge.ts';
import { mergeOrder, withVariantsTogether } from './order.ts';
import { idsOf, sameList } from './same.ts';
import { listArbitrary, idOf, list, question } from './testing.ts';

const texts = (questions: readonly { text: string }[]) => questions.map(({ text }) => text);

describe('mergeQuestions', () => {
  const base = list(1, 2, 3);

  test('uses the changed side of each question', () => {
    const mine = [question(1, 'моё'), ...list(2, 3)];
    const theirs = [...list(1, 2), question(3, 'их')];
    const merged = mergeQuestions(base, mine, theirs);
    expect(texts(merged.questions)).toEqual(['моё', 'Вопрос 2', 'их']);
    expect(merged.conflicts).toEqual([]);
    expect(merged.arrived).toEqual([idOf(3)]);
  });

  test('shows the local version of a question that both changed, and reports the conflict', () => {
    const merged = mergeQuestions(
      base,
      [question(1, 'моё'), ...list(2, 3)],
      [question(1, 'их'), ...list(2, 3)],
    );
    expect(texts(merged.questions)).toEqual(['моё', 'Вопрос 2', 'Вопрос 3']);
    expect(merged.conflicts).toEqual([idOf(1)]);
  });

  test('has no conflict if both sides made the same change', () => {
    const both = [question(1, 'одно'), ...list(2, 3)];
    expect(mergeQuestions(base, both, [...both]).conflicts).toEqual([]);
  });

  test('treats a right column in the server’s order as the typed one', () => {
    const typed = {
      ...newQuestion('compliance', () => crypto.randomUUID()),
      questionId: idOf(1),
    } as Extract<Question, { kind: 'compliance' }>;
    const stored = { ...typed, right: typed.right.toReversed() };
    const renamed = { ...typed, text: 'другое' };
    const merged = mergeQuestions([typed], [renamed], [stored]);
    expect(merged).toEqual({ questions: [renamed], conflicts: [], arrived: [] });
  });

  test('deletes what one side deleted, unless the other changed it', () => {
    expect(texts(mergeQuestions(base, list(1, 2), list(2, 3)).questions)).toEqual(['Вопрос 2']);
    const changedThere = mergeQuestions(base, list(2, 3), [question(1, 'их'), ...list(2, 3)]);
    expect(changedThere.conflicts).toEqual([idOf(1)]);
    const changedHere = mergeQuestions(base, [question(1, 'моё'), ...list(2, 3)], list(2, 3));
    expect(changedHere.conflicts).toEqual([idOf(1)]);
    expect(texts(changedHere.questions)).toContain('моё');
  });

  test('does not treat its own save as a foreign change when the reply was lost', () => {
    const sent = [{ order: idsOf(base), changed: [question(1, 'по')] }];
    const merged = mergeQuestions(
      base,
      [question(1, 'после'), ...list(2, 3)],
      [question(1, 'по'), ...list(2, 3)],
      sent,
    );
    expect(merged.conflicts).toEqual([]);
    expect(texts(merged.questions)[0]).toBe('после');
  });

  test('restores a question that was deleted, sent, and re-added before the reply', () => {
    const sent = [{ order: idsOf(list(1, 2)), changed: [] }];
    const merged = mergeQuestions(base, base, list(1, 2), sent);
    expect(idsOf(merged.questions)).toEqual(idsOf(base));
  });

  test('loses no text that either side wrote', () => {
    fc.assert(
      fc.property(listArbitrary, listArbitrary, listArbitrary, (was, mine, theirs) => {
        const merged = mergeQuestions(was, mine, theirs);
        const start = new Map(was.map(({ questionId, text }) => [questionId, text]));
        const result = new Map(merged.questions.map((each) => [each.questionId, each.text]));
        const open = new Set(merged.conflicts);
        for (const side of [mine, theirs]) {
          for (const { questionId, text } of side) {
            if (start.get(questionId) === text || open.has(questionId)) continue;
            expect(result.get(questionId)).toBe(text);
          }
        }
        for (const { questionId, text } of mine) {
          if (open.has(questionId)) expect(result.get(questionId)).toBe(text);
        }
      }),
    );
  });

  test('is idempotent: merging again changes nothing, and the order is stable', () => {
    fc.assert(
      fc.property(listArbitrary, listArbitrary, listArbitrary, (was, mine, theirs) => {
        const once = mergeQuestions(was, mine, theirs);
        expect(new Set(idsOf(once.questions)).size).toBe(once.questions.length);
        const start = nextStart(was, theirs, once.conflicts);
        const twice = mergeQuestions(start, once.questions, theirs);
        expect(sameList(twice.questions, once.questions)).toBe(true);
        expect([...twice.conflicts].sort()).toEqual([...once.conflicts].sort());
      }),
    );
  });

  test('equals the other side if one side changed nothing', () => {
    fc.assert(
      fc.property(listArbitrary, listArbitrary, (was, side) => {
        expect(sameList(mergeQuestions(was, was, side).questions, side)).toBe(true);
        expect(sameList(mergeQuestions(was, side, was).questions, side)).toBe(true);
      }),
    );
  });
});

describe('mergeOrder', () => {
  const merged = (base: string, mine: string, theirs: string) =>
    mergeOrder(base.split(''), mine.split(''), theirs.split(''), new Set(`${mine}${theirs}`)).join(
      '',
    );

  test.each([
    ['a move here', 'abcd', 'dabc', 'abcd', 'dabc'],
    ['a move there', 'abcd', 'abcd', 'bcda', 'bcda'],
    ['moves of different questions', 'abcd', 'bacd', 'abdc', 'badc'],
    ['an addition here after its neighbour', 'abc', 'axbc', 'cab', 'caxb'],
    ['additions on both sides of one place', 'ab', 'axb', 'ayb', 'axyb'],
    ['an addition at the beginning', 'ab', 'xab', 'ab', 'xab'],
  ])('merges %s', (_, base, mine, theirs, result) => {
    expect(merged(base, mine, theirs)).toBe(result);
  });
});

test('alternatives are adjacent at the place of the first', () => {
  const together = withVariantsTogether([
    { ...question(1), variantOf: idOf(1) },
    question(2),
    { ...question(3), variantOf: idOf(1) },
  ]);
  expect(idsOf(together)).toEqual([idOf(1), idOf(3), idOf(2)]);
});

describe('a save with a lost reply', () => {
  const ids = (...numbers: number[]) => numbers.map(idOf);

  test('that the server stored counts with its order as one’s own', () => {
    const sent = [{ order: ids(2, 1, 3), changed: [] }];
    const merged = mergeQuestions(list(1, 2, 3), list(2, 3, 1), list(2, 1, 3), sent);
    expect(idsOf(merged.questions)).toEqual(ids(2, 3, 1));
    expect(
      idsOf(mergeQuestions(list(1, 2, 3), list(1, 2, 3), list(2, 1, 3), sent).questions),
    ).toEqual(ids(1, 2, 3));
  });

  test('that the server did not store leaves the order of both sides', () => {
    const sent = [{ order: ids(3, 2, 1), changed: [] }];
    const merged = mergeQuestions(list(1, 2, 3), list(1, 2, 3), list(2, 1, 3), sent);
    expect(idsOf(merged.questions)).toEqual(ids(2, 1, 3));
  });

  test('that deleted a question makes no conflict about it', () => {
    const sent = [{ order: ids(1, 3), changed: [] }];
    const merged = mergeQuestions(list(1, 2, 3), list(1, 3), list(1, 3), sent);
    expect(merged.conflicts).toEqual([]);
    expect(idsOf(merged.questions)).toEqual(ids(1, 3));
  });
});

test('a question added on one side only is no conflict, and arrives from the other alone', () => {
  const mine = mergeQuestions(list(1), list(1, 2), list(1));
  expect(mine).toMatchObject({ conflicts: [], arrived: [] });
  const theirs = mergeQuestions(list(1), list(1), list(1, 2));
  expect(theirs).toMatchObject({ conflicts: [], arrived: [idOf(2)] });
  const both = mergeQuestions(list(1), [question(1, 'одно')], [question(1, 'одно')]);
  expect(both).toMatchObject({ conflicts: [], arrived: [] });
});

test('without conflicts the server’s list itself starts the next merge', () => {
  const theirs = list(1, 2);
  expect(nextStart(list(1), theirs, [])).toBe(theirs);
});
