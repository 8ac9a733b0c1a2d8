import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';
import { WIRE_VERSION } from '#contract/version.ts';
import {
  ADDED_CONTENT,
  type AddedContent,
  knowsAllContent,
  needNewerApp,
  templateNeedsNewerApp,
} from './needed-version.ts';

const file: Question = {
  questionId: 'q',
  text: 'Вопрос',
  points: 1,
  kind: 'file',
  maxBytes: 5,
  accept: [],
};
const ordering: Question = {
  questionId: 'o',
  text: 'Вопрос',
  points: 1,
  kind: 'ordering',
  items: [],
};
const added: readonly AddedContent[] = [
  { since: 3, isInQuestion: ({ kind }) => kind === 'ordering' },
  { since: 5, isInTemplate: ({ key }) => key.kind === 'gaps' },
];
const template = (key: TemplateBody['key']) => ({ key }) as TemplateBody;

test('an app before the version that knows a part is too old for it, alone and among others', () => {
  for (const questions of [[ordering], [file, ordering], [ordering, file]]) {
    expect(needNewerApp(added, questions, 2)).toBe(true);
    expect(needNewerApp(added, questions, 3)).toBe(false);
  }
});

test.each<[string, readonly Question[]]>([
  ['without questions', []],
  ['of known questions', [file]],
])('a test %s needs no newer app', (_, questions) => {
  expect(needNewerApp(added, questions, 1)).toBe(false);
});

test('a template needs the app that knows its key', () => {
  const gaps = template({ kind: 'gaps', gaps: [] });
  expect(templateNeedsNewerApp(added, gaps, 4)).toBe(true);
  expect(templateNeedsNewerApp(added, gaps, 5)).toBe(false);
  const open = template({ kind: 'open', answer: 'a', tolerance: 0 });
  expect(templateNeedsNewerApp(added, open, 4)).toBe(false);
});

test.each([
  [4, false],
  [5, true],
])('an app of version %i knows all content: %s', (version, knows) => {
  expect(knowsAllContent(added, version)).toBe(knows);
});

test('no content is newer than the present app', () => {
  expect(knowsAllContent(ADDED_CONTENT, WIRE_VERSION)).toBe(true);
});
