import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { questionProblems } from './publishing.ts';
import { scoreItem } from './scoring.ts';
import { withSharedRight } from './shared-right.ts';

type Matching = Extract<Question, { kind: 'compliance' }>;

/** A row for each left item, with the text on its right; extra texts follow. */
function matching(rows: readonly string[], extra: readonly string[] = []): Matching {
  const right = [...rows, ...extra].map((text, index) => ({ rightId: `r${index}`, text }));
  return {
    questionId: 'q',
    text: 'К какому классу относится животное?',
    points: 10,
    kind: 'compliance',
    shuffle: true,
    left: rows.map((_, index) => ({ leftId: `l${index}`, text: `животное ${index}` })),
    right,
    pairs: rows.map((_, index) => ({ leftId: `l${index}`, rightId: `r${index}` })),
  };
}

const textsOf = ({ left, right, pairs }: Matching) =>
  left.map(({ leftId }) => {
    const rightId = pairs.find((pair) => pair.leftId === leftId)?.rightId;
    return right.find((item) => item.rightId === rightId)?.text.trim();
  });

test('a right text that stands at several left items becomes one item that may be used again', () => {
  const shared = withSharedRight(matching(['рыбы', 'птицы', ' рыбы '], ['птицы', 'гады']));
  expect(shared.right.map(({ text }) => text)).toEqual(['рыбы', 'птицы', 'гады']);
  expect(textsOf(shared)).toEqual(['рыбы', 'птицы', 'рыбы']);
  expect(shared.reuse).toBe(true);
  expect(questionProblems(shared)).toEqual([]);
});

test('spaces of any kind and number make no other text', () => {
  const shared = withSharedRight(matching(['речные рыбы', ' речные \n\t рыбы']));
  expect(shared.right.map(({ rightId }) => rightId)).toEqual(['r0']);
  expect(shared.reuse).toBe(true);
});

test('different texts stay as they are, those that differ in case and empty ones included', () => {
  const question = matching(['мВт', 'МВт', '', '']);
  expect(withSharedRight(question)).toEqual(question);
});

const text = fc.constantFrom('рыбы', 'птицы', 'гады', 'звери', ' рыбы');

test('whatever repeats: the key stays, the texts differ, and each left item is worth the same', () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 2, maxLength: 7 }),
      fc.array(text, { maxLength: 3 }),
      fc.array(fc.nat({ max: 6 }), { minLength: 7, maxLength: 7 }),
      (rows, extra, picks) => {
        const shared = withSharedRight(matching(rows, extra));
        expect(textsOf(shared)).toEqual(rows.map((row) => row.trim()));
        expect(questionProblems(shared)).toEqual([]);
        const pairs = shared.left.map(({ leftId }, index) => ({
          leftId,
          rightId: shared.right[(picks[index] ?? 0) % shared.right.length]?.rightId ?? '',
        }));
        const hits = pairs.filter(({ leftId, rightId }) =>
          shared.pairs.some((pair) => pair.leftId === leftId && pair.rightId === rightId),
        ).length;
        const answer = { questionId: 'q', kind: 'compliance' as const, pairs };
        expect(scoreItem(shared, answer, undefined)).toEqual({
          kind: 'graded',
          points: Math.round((10 * hits * 100) / rows.length) / 100,
        });
      },
    ),
  );
});
