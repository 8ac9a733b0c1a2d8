import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import katex from 'katex';
import { Marked } from 'marked';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Duration } from '#contract/primitives.ts';
import { type Gap, Question } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import { hasAreas } from '#domain/areas.ts';
import { subjectLabel } from '#domain/labels.ts';
import { comparableAnswer, matchesAccepted, parseNumber } from '#domain/normalise.ts';
import { textsOf } from '#domain/question-texts.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { maxPoints } from '#domain/scoring.ts';
import { demoTests } from './all.ts';
import type { DemoTest } from './demo-test.ts';
import { questionsOf } from './stored.ts';

const PICTURES = new URL('../pictures/', import.meta.url);
const FORMULA = /\$\$([\s\S]+?)\$\$|\$([^$\n]+)\$/g;

type Kind = Question['kind'];

const ofKind = <K extends Kind, Q extends { readonly kind: Kind }>(
  kind: K,
  questions: readonly Q[],
) => questions.filter((one): one is Extract<Q, { readonly kind: K }> => one.kind === kind);

const allTexts = (content: DemoTest) => [
  content.description,
  ...questionsOf(content).flatMap(textsOf),
];

/** What is typed and decided by a key: whole answers, and gaps. */
const typedOf = (content: DemoTest) => [
  ...ofKind('open', content.questions).filter(({ accepted }) => accepted.length > 0),
  ...ofKind('gaps', content.questions).flatMap((one) =>
    one.gaps.flatMap((gap) => (gap.input === 'choice' ? [] : [gap])),
  ),
];

/** Markdown without code: the rest is prose. */
const prose = (text: string) => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').replace(FORMULA, '');

test('there are at least seven tests of different subjects with keys of their own', () => {
  expect(new Set(demoTests.map(({ key }) => key)).size).toBe(demoTests.length);
  expect(new Set(demoTests.map(({ theme }) => theme)).size).toBeGreaterThanOrEqual(7);
});

describe.each(demoTests.map((content) => [content.key, content] as const))(
  '%s',
  (_key, content) => {
    const questions = questionsOf(content);

    test('has a header that a test may have', () => {
      expect(subjectLabel(content.theme)).not.toBe('Неизвестная');
      expect(v.is(Difficulty, content.difficulty)).toBe(true);
      expect(v.is(Duration, content.passTime)).toBe(true);
      expect(content.attemptsCount).toBeGreaterThan(0);
    });

    test('has 10 to 20 questions that fit the stored form', () => {
      expect(questions.length).toBeGreaterThanOrEqual(10);
      expect(questions.length).toBeLessThanOrEqual(20);
      for (const question of questions) expect(v.parse(Question, question)).toStrictEqual(question);
    });

    test('could be published', () => {
      expect(publishingProblems(questions)).toStrictEqual([]);
    });

    test('weighs 20 to 40 points in all, and every question has some', () => {
      expect(questions.every(({ points }) => points > 0)).toBe(true);
      expect(maxPoints(questions)).toBeGreaterThanOrEqual(20);
      expect(maxPoints(questions)).toBeLessThanOrEqual(40);
    });

    test('has several kinds: by key, choice, matching, and by hand', () => {
      const kinds = new Set(questions.map(({ kind }) => kind));
      expect(kinds).toContain('open');
      expect(kinds).toContain('variant');
      expect(kinds).toContain('compliance');
      expect(questions.some((one) => one.kind === 'open' && one.accepted.length === 0)).toBe(true);
      expect(questions.some((one) => one.kind === 'variant' && one.multiple)).toBe(true);
      expect(questions.some((one) => one.kind === 'variant' && !one.multiple)).toBe(true);
    });

    test('has one right option in a single choice, two or more beside wrong ones in a multiple', () => {
      for (const question of ofKind('variant', questions)) {
        const right = question.options.filter(({ isRight }) => isRight).length;
        expect(question.multiple ? right >= 2 : right === 1, question.text).toBe(true);
        expect(question.options.length - right).toBeGreaterThanOrEqual(2);
        expect(new Set(question.options.map(({ text }) => text)).size).toBe(
          question.options.length,
        );
      }
    });

    test('lists in a hand-made order exactly its own options', () => {
      for (const question of ofKind('variant', content.questions)) {
        expect(
          (question.order ?? [...question.right, ...question.distractors]).toSorted(),
        ).toStrictEqual([...question.right, ...question.distractors].toSorted());
      }
    });

    test('leaves right items over, or lets them be used more than once', () => {
      for (const question of ofKind('compliance', questions)) {
        const used = new Set(question.pairs.map(({ rightId }) => rightId));
        expect(used.size < question.pairs.length, question.text).toBe(question.reuse ?? false);
        expect(question.right.length > question.left.length, question.text).toBe(!question.reuse);
      }
    });

    test('reveals nothing of pairs and orders by ids and the order of right items', () => {
      for (const question of ofKind('compliance', questions)) {
        const inOrder = question.pairs.every(({ rightId }, place) => rightId === `r${place + 1}`);
        expect(inOrder).toBe(false);
      }
      for (const question of ofKind('ordering', questions)) {
        const ids = question.items.map(({ itemId }) => itemId);
        expect(ids).not.toStrictEqual(ids.toSorted());
      }
    });

    test('accepts numbers that can be read, and none of the mistakes', () => {
      for (const question of typedOf(content)) {
        expect(question.mistakes.length).toBeGreaterThan(0);
        for (const accepted of question.accepted) {
          expect(
            question.input !== 'number' || parseNumber(accepted.text) !== null,
            accepted.text,
          ).toBe(true);
          for (const mistake of question.mistakes) {
            expect([
              mistake,
              matchesAccepted(
                comparableAnswer(mistake),
                comparableAnswer(accepted.text),
                question.tolerance,
              ),
            ]).toStrictEqual([mistake, false]);
          }
        }
        expect(question.accepted.some(({ share }) => share === 1)).toBe(true);
      }
    });

    test('has only formulas that KaTeX draws', () => {
      for (const text of allTexts(content)) {
        for (const [, block, inline] of text
          .replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
          .matchAll(FORMULA)) {
          const draw = () =>
            katex.renderToString(block ?? inline ?? '', {
              displayMode: block !== undefined,
              throwOnError: true,
              strict: 'error',
            });
          expect(draw, text).not.toThrow();
        }
        expect(prose(text), 'a formula without its end').not.toContain('$');
      }
    });

    test('is marked up only where it was meant', () => {
      const marked = new Marked({ gfm: true, breaks: true });
      for (const text of allTexts(content)) {
        const html = marked.parse(text.replace(FORMULA, 'x'), { async: false });
        expect(html, text).not.toMatch(/<(?:h\d|hr|ul|ol|table|del|a|blockquote)\b/);
        expect(content.key !== 'english' && html.includes('<em>'), text).toBe(false);
        expect(html.includes('<pre>'), text).toBe(text.includes('```'));
      }
    });

    test('follows Russian typography: guillemets, en dashes in ranges, no-break spaces before dashes and units', () => {
      for (const text of allTexts(content)) {
        const read = prose(text);
        expect(content.key !== 'english' && /["“”]/.test(read), text).toBe(false);
        expect(read, text).not.toMatch(/\d-\d/);
        expect(read, text).not.toMatch(/ — /);
        expect(read, text).not.toMatch(/\d (?:%|м|с|кг|г|Н|бит|байт|м\/с²)(?![а-яё/])/);
        expect(read, text).not.toMatch(/(?<![\d.])\d+\.\d/);
      }
    });

    test('shows each of its pictures, and no other', () => {
      const used = new Set(
        allTexts(content).flatMap((text) =>
          [...text.matchAll(/!\[[^\]]+\]\(file:([\w-]+)\)/g)].map(([, key]) => key),
        ),
      );
      expect([...used].toSorted()).toStrictEqual(content.pictures.map(({ key }) => key).toSorted());
      for (const { file, alt } of content.pictures) {
        const bytes = readFileSync(new URL(file, PICTURES));
        expect(bytes.subarray(1, 4).toString()).toBe('PNG');
        expect(bytes.readUInt32BE(16)).toBe(640);
        expect(bytes.length).toBeLessThanOrEqual(40 * 1024);
        expect(alt.length).toBeGreaterThan(20);
      }
    });

    test('hands in files that exist as described', () => {
      for (const question of ofKind('file', content.questions)) {
        for (const { file, size, sha256 } of question.handIns) {
          const bytes = readFileSync(new URL(file, PICTURES));
          expect(bytes.length).toBe(size);
          expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
        }
      }
    });
  },
);

test('pictures stand in at least three tests, formulas in four, files to hand in in four', () => {
  expect(demoTests.filter(({ pictures }) => pictures.length > 0).length).toBeGreaterThanOrEqual(3);
  expect(
    demoTests.filter((one) => allTexts(one).some((text) => text.includes('$'))).length,
  ).toBeGreaterThanOrEqual(4);
  expect(
    demoTests.filter(({ questions }) => questions.some(({ kind }) => kind === 'file')).length,
  ).toBeGreaterThanOrEqual(4);
});

test('the newer kinds stand in several subjects, each in all its forms', () => {
  const among = (has: (question: Question) => boolean) =>
    demoTests.filter((one) => questionsOf(one).some(has)).map(({ key }) => key);
  const withGap = (input: Gap['input']) =>
    among((one) => one.kind === 'gaps' && one.gaps.some((gap) => gap.input === input));
  expect(withGap('line').length).toBeGreaterThanOrEqual(2);
  expect(withGap('number').length).toBeGreaterThanOrEqual(3);
  expect(withGap('choice').length).toBeGreaterThanOrEqual(2);
  expect(among(({ kind }) => kind === 'ordering').length).toBeGreaterThanOrEqual(3);
  expect(
    among((one) => one.kind === 'variant' && hasAreas(one.options)).length,
  ).toBeGreaterThanOrEqual(2);
  expect(
    among((one) => one.kind === 'compliance' && one.reuse === true).length,
  ).toBeGreaterThanOrEqual(3);
  expect(among(({ passage }) => passage !== undefined).length).toBeGreaterThanOrEqual(3);
  expect(among(({ passage }) => passage?.text.includes('](file:') === true)).not.toStrictEqual([]);
});

test('questions with a common text follow each other, two or more of them', () => {
  for (const content of demoTests) {
    const passages = questionsOf(content).map(({ passage }) => passage?.passageId);
    for (const id of new Set(passages.filter((one) => one !== undefined))) {
      const first = passages.indexOf(id);
      const last = passages.lastIndexOf(id);
      expect(last).toBeGreaterThan(first);
      expect(new Set(passages.slice(first, last + 1))).toStrictEqual(new Set([id]));
    }
  }
});

test('most questions explain themselves', () => {
  const questions = demoTests.flatMap((one) => one.questions);
  const explained = questions.filter(({ explanation }) => explanation !== undefined);
  expect(explained.length / questions.length).toBeGreaterThan(0.75);
});

test('every PNG beside the content is used; those of projects have their name', () => {
  const used = demoTests.flatMap(({ pictures, questions }) => [
    ...pictures.map(({ file }) => file),
    ...questions.flatMap((one) => (one.kind === 'file' ? one.handIns.map(({ file }) => file) : [])),
  ]);
  const there = readdirSync(PICTURES).filter((name) => /^(?!project-).*\.png$/.test(name));
  expect(there.toSorted()).toStrictEqual([...new Set(used)].toSorted());
});

test('the right option of a single choice occurs at every position, none of them in half of the questions', () => {
  const places = demoTests
    .flatMap((content) => questionsOf(content))
    .flatMap((one) =>
      one.kind === 'variant' && !one.multiple
        ? [one.options.findIndex(({ isRight }) => isRight)]
        : [],
    );
  for (const place of [0, 1, 2, 3]) {
    const share = places.filter((one) => one === place).length / places.length;
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.5);
  }
});
