import { expect, test } from 'vitest';
import type { StudentQuestion } from '#contract/questions.ts';
import { questionPointsLabel } from './labels-points.ts';

const common = { questionId: 'q', text: 'Что?', points: 4 };
const questions: readonly (readonly [string, StudentQuestion])[] = [
  ['4 балла', { ...common, kind: 'open', input: 'line' }],
  ['4 балла', { ...common, kind: 'open', input: 'number' }],
  ['до 4 баллов', { ...common, kind: 'open', input: 'text' }],
  ['4 балла', { ...common, kind: 'variant', multiple: false, options: [] }],
  ['4 балла', { ...common, kind: 'gaps', gaps: [] }],
  ['до 4 баллов', { ...common, kind: 'file', maxBytes: 1, accept: [] }],
];

test.each(questions)('«%s»: a person gives a part of the points to %j', (label, question) => {
  expect(questionPointsLabel(question)).toBe(label);
});
