import { expect, test } from 'vitest';
import type { Gap, Question } from '#contract/questions.ts';
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

test.each(FORM_KINDS)('a question changed to %s has that kind and the same common fields', (to) => {
  const changed = after([to]);
  expect(formKindOf(changed)).toBe(to);
  const { questionId, text, points, explanation, title, topic, difficulty, tags } = choice;
  const any = { questionId, text, points, explanation, title, topic, difficulty, tags };
  expect(changed).toMatchObject(any);
});

test.each(FORM_KINDS.filter((kind) => kind !== 'single'))(
  'switching to %s and back restores the question',
  (to) => expect(after([to, 'single'])).toEqual(choice),
);

test('the right options become accepted answers, with their feedback', () => {
  expect(after(['line'])).toMatchObject({
    kind: 'open',
    input: 'line',
    accepted: [{ text: 'Ньютон', share: 1, feedback: 'Да' }],
  });
});

test('accepted answers become right options with empty wrong ones', () => {
  const open: Question = {
    ...newQuestion('open', newId),
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

test('changes of the text and the points stay when switching back', () => {
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
  ['essay', 'Варианты ответа'],
  ['matching', 'Варианты ответа'],
  ['line', 'Варианты ответа'],
  ['several', null],
] as const)('from one answer to %s what was set aside is reported: %s', (to, setAside) => {
  expect(changeKind(choice, to, {}, newId).setAside).toBe(setAside);
});

test('empty parts are not reported as lost', () => {
  expect(changeKind(newQuestion('compliance', newId), 'file', {}, newId).setAside).toBeNull();
});

test('gaps that another kind does not show are reported, a text without gaps loses nothing', () => {
  const empty = newQuestion('gaps', newId);
  const gap: Gap = { gapId: '1', weight: 1, input: 'line', accepted: [], tolerance: 0 };
  const setAside = (gaps: Gap[]) => changeKind({ ...empty, gaps }, 'file', {}, newId).setAside;
  expect(setAside([gap])).toBe('Пропуски');
  expect(setAside([])).toBeNull();
});

const openOf = (...texts: string[]): Question => ({
  ...newQuestion('open', newId),
  accepted: texts.map((text) => ({ text, share: 1 })),
});
const matchingOf = (left: string, right: string): Question => ({
  ...newQuestion('compliance', newId),
  left: [
    { leftId: '1', text: left },
    { leftId: '2', text: '' },
  ],
  right: [
    { rightId: 'a', text: right },
    { rightId: 'b', text: ' ' },
  ],
});
const optionsOf = (...options: (readonly [string, boolean])[]): Question => ({
  ...choice,
  options: options.map(([text, isRight], n) => ({ optionId: `o${n}`, text, isRight })),
});

const setAside = (question: Question, to: FormKind) => changeKind(question, to, {}, newId).setAside;

test.each([
  ['an answer that is accepted', openOf('5', ''), 'essay', 'Верные ответы'],
  ['an answer that is accepted', openOf('', '5'), 'file', 'Верные ответы'],
  ['no answer where options are made of it', openOf('5'), 'single', null],
  ['no answer where options are made of it', openOf('5'), 'several', null],
  ['no empty answer', openOf(' '), 'matching', null],
  ['no answer, where there is none', openOf(), 'file', null],
  ['a pair with its left side', matchingOf('Сила', ''), 'line', 'Пары'],
  ['a pair with its right side', matchingOf('', 'Н'), 'single', 'Пары'],
  ['no empty pair', matchingOf(' ', ''), 'single', null],
  ['nothing of a file', newQuestion('file', newId), 'single', null],
  ['no right option where it becomes an answer', optionsOf(['5', true], ['', false]), 'line', null],
  ['a wrong option', optionsOf(['5', true], ['6', false]), 'line', 'Варианты ответа'],
  [
    'a right option where it becomes nothing',
    optionsOf(['5', true], ['', false]),
    'file',
    'Варианты ответа',
  ],
  ['no empty option', optionsOf([' ', true], ['', false]), 'file', null],
] as const)('reported as set aside: %s (%#)', (_, question, to, expected) => {
  expect(setAside(question, to)).toBe(expected);
});

test('origin and alternatives stay with a question of any kind', () => {
  const origin = { kind: 'bank', entryId: '01900000-0000-7000-8000-000000000001' } as const;
  const drawn = { ...choice, variantOf: 'first', origin } as Question;
  for (const to of FORM_KINDS)
    expect(after([to], drawn)).toMatchObject({ variantOf: 'first', origin });
  const essay = changeKind(drawn, 'essay', {}, newId);
  const { variantOf: _, origin: __, ...alone } = essay.question;
  const back = changeKind(alone, 'single', essay.others, newId).question;
  expect(back).not.toHaveProperty('variantOf');
  expect(back).not.toHaveProperty('origin');
});

test('an absent field stays absent in the new kind', () => {
  const bare = optionsOf(['5', true]);
  for (const key of ['explanation', 'title', 'topic', 'difficulty', 'tags'] as const)
    delete bare[key];
  const line = after(['line'], bare);
  expect(Object.keys(line).toSorted()).toEqual(Object.keys(newQuestion('open', newId)).toSorted());
  expect(line.kind === 'open' && line.accepted).toStrictEqual([{ text: '5', share: 1 }]);
});

test('without a right option with a text one empty answer is added', () => {
  const line = after(['line'], optionsOf([' ', true], ['6', false]));
  expect(line.kind === 'open' && line.accepted).toEqual([{ text: '', share: 1 }]);
});
