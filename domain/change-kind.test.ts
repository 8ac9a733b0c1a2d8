import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import {
  changeKind,
  FORM_KINDS,
  formKindOf,
  type FormKind,
  type OtherKinds,
} from './change-kind.ts';
import { newQuestion } from './new-question.ts';

let last = 0;
const newId = () => {
  last += 1;
  return `id-${last}`;
};

const choice: Question = {
  questionId: 'q',
  kind: 'variant',
  text: 'Единица силы?',
  points: 2.5,
  explanation: 'Второй закон.',
  title: 'Сила',
  topic: 'Динамика',
  difficulty: 'easy',
  tags: ['СИ'],
  multiple: false,
  shuffle: true,
  scoring: 'allOrNothing',
  options: [
    { optionId: 'a', text: 'Паскаль', isRight: false, feedback: 'Это давление' },
    { optionId: 'b', text: 'Ньютон', isRight: true, feedback: 'Да' },
  ],
};

function after(kinds: readonly FormKind[], from: Question = choice) {
  let question = from;
  let others: OtherKinds = {};
  for (const kind of kinds) ({ question, others } = changeKind(question, kind, others, newId));
  return question;
}

test.each(FORM_KINDS)(
  'a question changed to %s is of that kind and keeps what any kind has',
  (to) => {
    const changed = after([to]);
    expect(formKindOf(changed)).toBe(to);
    const { questionId, text, points, explanation, title, topic, difficulty, tags } = choice;
    const any = { questionId, text, points, explanation, title, topic, difficulty, tags };
    expect(changed).toMatchObject(any);
  },
);

test.each(FORM_KINDS.filter((kind) => kind !== 'single'))(
  'going to %s and back gives the question as it was',
  (to) => expect(after([to, 'single'])).toEqual(choice),
);

test('the right options become accepted answers, with their feedback', () => {
  expect(after(['line'])).toMatchObject({
    kind: 'open',
    input: 'line',
    accepted: [{ text: 'Ньютон', share: 1, feedback: 'Да' }],
  });
});

test('accepted answers become right options with places for wrong ones', () => {
  const open: Question = {
    ...(newQuestion('open', newId) as Extract<Question, { kind: 'open' }>),
    accepted: [
      { text: '5', share: 1 },
      { text: '6', share: 0, feedback: 'Не то' },
    ],
  };
  const changed = after(['single'], open);
  expect(
    changed.kind === 'variant' && changed.options.map(({ text, isRight }) => [text, isRight]),
  ).toEqual([
    ['5', true],
    ['', false],
    ['', false],
    ['', false],
  ]);
});

test('what was changed meanwhile of the text and the points holds on coming back', () => {
  const essay = changeKind(choice, 'essay', {}, newId);
  const { title: _, ...untitled } = essay.question;
  const edited = { ...untitled, text: 'Опишите силу', points: 4 } as Question;
  const back = changeKind(edited, 'single', essay.others, newId).question;
  expect(back).toMatchObject({ text: 'Опишите силу', points: 4, kind: 'variant' });
  expect(back).not.toHaveProperty('title');
});

test('between one and several the options and all right marks stay', () => {
  const several = after(['several']);
  expect(several).toEqual({ ...choice, multiple: true });
  const two = {
    ...several,
    options:
      several.kind === 'variant' ? several.options.map((o) => ({ ...o, isRight: true })) : [],
  } as Question;
  expect(after(['single'], two)).toEqual({ ...two, multiple: false });
});

test.each([
  ['essay', 'options'],
  ['matching', 'options'],
  ['line', 'options'],
  ['several', null],
] as const)('from one answer to %s it is told what was set aside: %s', (to, setAside) => {
  expect(changeKind(choice, to, {}, newId).setAside).toBe(setAside);
});

test('nothing is told of empty places', () => {
  expect(changeKind(newQuestion('compliance', newId), 'file', {}, newId).setAside).toBeNull();
});
