import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { publishingProblems } from './publishing.ts';
import { shownQuestion } from './shown-question.ts';
import { studentQuestion } from './student-question.ts';

const WORDS = 'The train leaves at nine.';
const RECORDING = '![Диалог](audio-file:10000000-0000-4000-8000-000000000001)';

const base = { questionId: 'q', text: RECORDING, points: 1 };
const questions: readonly Question[] = [
  { ...base, kind: 'open', input: 'line', accepted: [{ text: 'nine', share: 1 }], tolerance: 0 },
  {
    ...base,
    kind: 'variant',
    multiple: false,
    shuffle: true,
    scoring: 'partial',
    options: ['9', '10'].map((text) => ({ optionId: text, text, isRight: text === '9' })),
  },
  {
    ...base,
    kind: 'compliance',
    shuffle: true,
    left: [{ leftId: 'l', text: '9' }],
    right: [{ rightId: 'r', text: 'nine' }],
    pairs: [{ leftId: 'l', rightId: 'r' }],
  },
  { ...base, kind: 'ordering', items: [{ itemId: 'i', text: '9' }] },
  { ...base, kind: 'gaps', gaps: [] },
  { ...base, kind: 'file', maxBytes: 5, accept: [] },
];
const rank = () => '';

const forms = (question: Question) => [
  studentQuestion(question, rank),
  shownQuestion(question, rank, true),
  shownQuestion(question, rank, false),
];

for (const transcriptShown of [undefined, false])
  test.each(questions)(
    `a transcript of $kind stays with the teacher while its rule is ${String(transcriptShown)}`,
    (question) => {
      const rule = transcriptShown === undefined ? {} : { transcriptShown };
      const hidden = { ...question, transcript: WORDS, ...rule };
      const shared = {
        ...question,
        passage: { passageId: 'p', text: RECORDING, transcript: WORDS, ...rule },
      };
      for (const form of [...forms(hidden), ...forms(shared)])
        expect(JSON.stringify(form)).not.toMatch(/transcript|train/);
    },
  );

test.each(questions)(
  'a transcript of $kind is shown by its own rule, without the rule',
  (question) => {
    const own = { ...question, transcript: WORDS, transcriptShown: true };
    for (const form of forms(own)) {
      expect(form).toMatchObject({ text: RECORDING, transcript: WORDS });
      expect(JSON.stringify(form)).not.toContain('transcriptShown');
    }
    const passage = { passageId: 'p', text: RECORDING, transcript: WORDS, transcriptShown: true };
    const shared = { ...question, transcript: 'own', passage };
    for (const form of forms(shared)) {
      expect(form.passage).toEqual({ passageId: 'p', text: RECORDING, transcript: WORDS });
      expect(JSON.stringify(form)).not.toMatch(/transcriptShown|own/);
    }
  },
);

test('no transcript at all leaves no empty field', () => {
  for (const question of questions)
    for (const form of forms({ ...question, transcript: '', transcriptShown: true }))
      expect(form).not.toHaveProperty('transcript');
});

test('different transcripts of one shared text prevent publishing', () => {
  const [open] = questions as [Question];
  const passage = { passageId: 'p', text: 'Текст', transcript: WORDS };
  const other = { ...open, questionId: 'o' };
  const problems = (differing: typeof passage & { transcriptShown?: boolean }) =>
    publishingProblems([
      { ...open, passage },
      { ...other, passage: differing },
    ]);
  expect(problems(passage)).toEqual([]);
  for (const differing of [
    { ...passage, transcript: 'Other words' },
    { ...passage, transcriptShown: true },
  ])
    expect(problems(differing)[0]?.message).toMatch(/общий текст не такой/);
});
