import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { scoreItem } from '#domain/scoring.ts';
import { tools } from '#interchange/testing/looks.ts';
import {
  and,
  choices,
  equal,
  html,
  item,
  not,
  or,
  processing,
  quiz,
  rule,
  typed,
  xmlFile,
} from '#interchange/testing/qti1-xml.ts';
import { readQti1 } from './read.ts';

/** A condition built by the test, with its meaning. */
interface Built {
  readonly xml: string;
  readonly holds: (chosen: ReadonlySet<string>) => boolean;
}
interface BuiltRule {
  readonly condition: Built;
  readonly action: 'Add' | 'Set';
  readonly value: number;
}

const OPTIONS = ['a', 'b', 'c', 'd'];

const { built } = fc.letrec<{ built: Built }>((tie) => ({
  built: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...OPTIONS).map((name) => ({
      xml: equal(name),
      holds: (chosen: ReadonlySet<string>) => chosen.has(name),
    })),
    tie('built').map(({ xml, holds }) => ({
      xml: not(xml),
      holds: (chosen: ReadonlySet<string>) => !holds(chosen),
    })),
    fc.array(tie('built'), { minLength: 1, maxLength: 4 }).map((parts) => ({
      xml: and(...parts.map(({ xml }) => xml)),
      holds: (chosen: ReadonlySet<string>) => parts.every(({ holds }) => holds(chosen)),
    })),
    fc.array(tie('built'), { minLength: 1, maxLength: 4 }).map((parts) => ({
      xml: or(...parts.map(({ xml }) => xml)),
      holds: (chosen: ReadonlySet<string>) => parts.some(({ holds }) => holds(chosen)),
    })),
  ),
}));

const builtRule: fc.Arbitrary<BuiltRule> = fc.record({
  condition: built,
  action: fc.constantFrom('Add', 'Set'),
  value: fc.constantFrom(-50, 0, 25, 50, 100),
});

/** The key in the form of exporters: one rule that names every option. */
const exactRule = (key: ReadonlySet<string>): BuiltRule => ({
  action: 'Set',
  value: 100,
  condition: {
    xml: and(...OPTIONS.map((name) => (key.has(name) ? equal(name) : not(equal(name))))),
    holds: (chosen) => OPTIONS.every((name) => chosen.has(name) === key.has(name)),
  },
});

const scoreOf = (rules: readonly BuiltRule[], chosen: ReadonlySet<string>): number => {
  let score = 0;
  for (const { condition, action, value } of rules)
    if (condition.holds(chosen)) score = action === 'Add' ? score + value : value;
  return Math.max(0, score);
};

const answersOf = (cardinality: string): ReadonlySet<string>[] =>
  cardinality === 'Single'
    ? OPTIONS.map((name) => new Set([name]))
    : Array.from(
        { length: 15 },
        (_, bits) => new Set(OPTIONS.filter((__, at) => ((bits + 1) >> at) % 2)),
      );

async function imported(rules: readonly BuiltRule[], cardinality: string) {
  const { items, refused } = await readQti1(
    xmlFile(
      quiz(
        item(
          html('Что?') +
            choices(Object.fromEntries(OPTIONS.map((one) => [one, one])), { cardinality }),
          processing(
            rules.map(({ condition, action, value }) => rule(condition.xml, [action, value])),
          ),
        ),
      ),
    ),
    tools,
  );
  const [only] = items;
  if (!only) throw new Error(JSON.stringify(refused));
  return only;
}

function pointsOf(question: Question, chosen: ReadonlySet<string>): number {
  if (question.kind !== 'variant') throw new Error(question.kind);
  const optionIds = question.options.flatMap(({ optionId, text }) =>
    chosen.has(text) ? [optionId] : [],
  );
  const score = scoreItem(
    question,
    { kind: 'variant', questionId: question.questionId, optionIds },
    undefined,
  );
  return score.kind === 'graded' ? score.points : Number.NaN;
}

test.each(['Single', 'Multiple'])(
  'random rules of a %s choice score every answer as in the file or report a loss',
  async (cardinality) => {
    await fc.assert(
      fc.asyncProperty(fc.array(builtRule, { minLength: 1, maxLength: 4 }), async (rules) => {
        const { question, losses } = await imported(rules, cardinality);
        if (losses.length > 0) return;
        const answers = answersOf(cardinality);
        const best = Math.max(...answers.map((chosen) => scoreOf(rules, chosen)));
        for (const chosen of answers)
          expect(pointsOf(question, chosen)).toBeCloseTo(scoreOf(rules, chosen) / best, 1);
      }),
      { numRuns: 400 },
    );
  },
  60_000,
);

test('a rule that names every option is read exactly, whatever stands beside it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(OPTIONS, { minLength: 1 }), async (key) => {
      const { question, losses } = await imported([exactRule(new Set(key))], 'Multiple');
      expect(losses).toEqual([]);
      expect(question).toMatchObject({
        scoring: 'allOrNothing',
        options: OPTIONS.map((name) => ({ text: name, isRight: key.includes(name) })),
      });
    }),
  );
});

test('random intervals of numbers: what the file accepts is accepted, what it does not is not', async () => {
  const hundredth = fc.integer({ min: -5000, max: 5000 }).map((value) => value / 100);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(hundredth, hundredth), { minLength: 1, maxLength: 3 }),
      async (pairs) => {
        const ranges = pairs.map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) }));
        const rules = ranges.map(({ low, high }) =>
          rule(`<vargte respident="r">${low}</vargte><varlte respident="r">${high}</varlte>`, [
            'Set',
            100,
          ]),
        );
        const { items } = await readQti1(
          xmlFile(quiz(item(html('Сколько?') + typed('fibtype="Decimal"'), processing(rules)))),
          tools,
        );
        const [only] = items;
        if (!only) throw new Error('refused');
        expect(only.losses).toEqual([]);
        for (const value of ranges.flatMap(({ low, high }) => [
          low,
          high,
          low - 0.01,
          high + 0.01,
        ])) {
          const typedValue = Math.round(value * 100) / 100;
          const isAccepted = ranges.some(
            ({ low, high }) => typedValue >= low && typedValue <= high,
          );
          const score = scoreItem(
            only.question,
            { kind: 'open', questionId: only.question.questionId, text: String(typedValue) },
            undefined,
          );
          expect(score, `${typedValue}`).toEqual({ kind: 'graded', points: isAccepted ? 1 : 0 });
        }
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);
