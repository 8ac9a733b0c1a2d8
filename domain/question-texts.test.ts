import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { mapTexts, studentTextsOf, textsOf } from './question-texts.ts';

const shared = {
  questionId: '00000000-0000-4000-8000-000000000001',
  text: 'text',
  points: 1,
  title: 'title',
  topic: 'topic',
  transcript: 'transcript',
  explanation: 'explanation',
  passage: {
    passageId: '00000000-0000-4000-8000-000000000002',
    text: 'passage',
    transcript: 'passage transcript',
  },
};
const SHARED = ['text', 'passage', 'passage transcript', 'transcript', 'explanation'];
const FOR_STUDENTS = ['text', 'passage', 'passage transcript', 'transcript'];

const option = (optionId: string) => ({
  optionId,
  text: `option ${optionId}`,
  isRight: true,
  feedback: `feedback ${optionId}`,
});
const accepted = [{ text: 'accepted', share: 1, feedback: 'feedback' }];

/** The question's own Markdown texts, those of them for students, and the plain ones. */
const KINDS: [question: Question, formatted: string[], forStudents: string[], plain: string[]][] = [
  [
    { ...shared, kind: 'open', input: 'line', accepted, tolerance: 0 },
    ['feedback'],
    [],
    ['accepted'],
  ],
  [
    {
      ...shared,
      kind: 'variant',
      multiple: false,
      shuffle: false,
      scoring: 'partial',
      options: [option('a')],
    },
    ['option a', 'feedback a'],
    ['option a'],
    [],
  ],
  [
    {
      ...shared,
      kind: 'compliance',
      shuffle: true,
      left: [{ leftId: 'l', text: 'left' }],
      right: [{ rightId: 'r', text: 'right' }],
      pairs: [{ leftId: 'l', rightId: 'r' }],
    },
    ['left', 'right'],
    ['left', 'right'],
    [],
  ],
  [{ ...shared, kind: 'ordering', items: [{ itemId: 'i', text: 'item' }] }, ['item'], ['item'], []],
  [
    {
      ...shared,
      kind: 'gaps',
      gaps: [
        { gapId: '1', weight: 1, input: 'line', accepted, tolerance: 0 },
        { gapId: '2', weight: 1, input: 'choice', options: [option('b')] },
      ],
    },
    ['feedback', 'feedback b'],
    ['option b'],
    ['accepted', 'option b'],
  ],
  [{ ...shared, kind: 'file', maxBytes: 1, accept: ['image/*'] }, [], [], []],
];

test.each(KINDS)(
  'of $kind each text is found once, and changed where it is Markdown',
  (question, formatted, forStudents, plain) => {
    expect(textsOf(question).toSorted()).toEqual([...SHARED, ...formatted, ...plain].toSorted());
    expect(studentTextsOf(question).toSorted()).toEqual(
      [...FOR_STUDENTS, ...forStudents].toSorted(),
    );
    const changed = mapTexts(question, (text) => `${text}!`);
    expect(textsOf(changed).toSorted()).toEqual(
      [...SHARED, ...formatted]
        .map((text) => `${text}!`)
        .concat(plain)
        .toSorted(),
    );
    const back = mapTexts(changed, (text) => text.slice(0, -1));
    expect(back).toEqual(question);
  },
);
