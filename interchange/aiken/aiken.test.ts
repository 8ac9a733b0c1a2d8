import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { encoded } from '#interchange/testing/encoded.ts';
import { expectBounded, expectHarmless, expectNoHang } from '#interchange/testing/hostile.ts';
import { expectRoundTrip, newId, outAndBack } from '#interchange/testing/round-trip.ts';
import { readAiken } from './read.ts';
import { writeAiken } from './write.ts';

const read = (text: string) =>
  readAiken({ name: 'т.txt', bytes: new TextEncoder().encode(text) }, { newId });

const rights = (question: Question | undefined) =>
  question?.kind === 'variant'
    ? question.options.filter(({ isRight }) => isRight).map(({ text }) => text)
    : null;

test('a kind and points that some programs add are no part of the question', async () => {
  const { items } = await read(
    'Столица?\nA. Тверь\nB. Москва\nTYPE: single\nANSWER: B\nPOINTS: 2\n\nРека?\nA. Волга\nB. Ом\nANSWER: A\n',
  );
  expect(items.map(({ question }) => [question.text, question.points, rights(question)])).toEqual([
    ['Столица?', 2, ['Москва']],
    ['Река?', 1, ['Волга']],
  ]);
});

test.each([
  'Столица России?\nA. Тверь\nB. Москва\nC. Псков\nANSWER: B\n',
  'Столица России?\nA) Тверь\nB) Москва\nC) Псков\n\nANSWER: B',
  'Столица России?\n\nА. Тверь\n\nБ. Москва\n\nВ. Псков\n\nОТВЕТ: Б\n',
  // Latin letters typed on a Russian keyboard.
  'Столица России?\nА. Тверь\nВ. Москва\nС. Псков\nANSWER: B\n',
  'Столица России?\na) Тверь\nb) Москва\nc) Псков\nanswer: b\n',
])('options and the answer are read: %j', async (text) => {
  const { items, refused } = await read(text);
  expect(refused).toEqual([]);
  expect(items[0]?.question.text).toBe('Столица России?');
  expect(rights(items[0]?.question)).toEqual(['Москва']);
});

test('initials at the beginning are no option', async () => {
  const { items } = await read('А. С. Пушкин родился в\nA. Москве\nB. Твери\nANSWER: A');
  expect(items[0]?.question.text).toBe('А. С. Пушкин родился в');
});

test('several letters of an answer make several right options', async () => {
  const { items } = await read('Чётные?\nA. 2\nB. 3\nC. 4\nANSWER: A, C');
  expect(items[0]?.question).toMatchObject({ multiple: true });
  expect(rights(items[0]?.question)).toEqual(['2', '4']);
});

test('invalid questions are named by their lines, and the rest is imported', async () => {
  const { items, refused } = await read(
    'Раз?\nA. 1\nB. 2\n\nДва?\nA. 1\nB. 2\nANSWER: D\n\nТри?\nA. 1\nANSWER: A\n\nЧетыре?\nA. 4\nB. 5\nANSWER: A\n\nПять?\nA. 1\nB. 2\n',
  );
  expect(items.map(({ question }) => question.text)).toEqual(['Четыре?']);
  expect(refused.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
    'строка 1: Нет строки ANSWER с верным вариантом',
    'строка 5: В строке ANSWER назван вариант «D», а такого нет',
    'строка 10: Нет вариантов: каждый пишется с новой строки, «A. Текст»',
    'строка 19: Нет строки ANSWER с верным вариантом',
  ]);
});

test('an answer without options is not glued to the next question', async () => {
  const { items, refused } = await read('Раз?\nANSWER: A\n\nДва?\nA. 1\nB. 2\nANSWER: B\n');
  expect(items.map(({ question }) => question.text)).toEqual(['Два?']);
  expect(refused.map(({ place }) => place)).toEqual(['строка 1']);
});

test('a remark after the answer is its explanation and no part of the next question', async () => {
  const { items, refused } = await read(
    'Раз?\nA. 1\nB. 2\nANSWER: A\nFEEDBACK: *Потому*\nFeedback: что\n\nДва?\nA. 1\nB. 2\nANSWER: B\n\nПояснение: так вышло\n',
  );
  expect(refused).toEqual([]);
  expect(items.map(({ question }) => [question.text, question.explanation])).toEqual([
    ['Раз?', '\\*Потому\\*\nчто'],
    ['Два?', 'так вышло'],
  ]);
});

test('formulas and old encodings are imported', async () => {
  const text = 'Чему равно \\(x^2\\) при x = 2?\r\nA. 4\r\nB. 2\r\nANSWER: A\r\n';
  const { items } = await readAiken({ name: 'a', bytes: encoded(text, 'ibm866') }, { newId });
  expect(items[0]?.question.text).toBe('Чему равно $x^2$ при x = 2?');
});

test('a file without answers is refused with a message', async () => {
  await expect(read('Просто письмо\nA. раз\nB. два')).rejects.toThrow('нет вопросов Aiken');
});

test('what Aiken cannot express is reported, and the rest comes back as it was', async () => {
  const plain: Question = {
    questionId: newId(),
    kind: 'variant',
    text: 'Чему равно $2^{10}$?',
    points: 1,
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    options: ['1024', '$10^2$', 'ни A, ни B'].map((text, index) => ({
      optionId: newId(),
      text,
      isRight: index === 0,
    })),
  };
  const others: Question[] = [
    { ...plain, points: 3, topic: 'Степени' },
    { ...plain, multiple: true },
    { questionId: newId(), kind: 'file', text: 'Фото', points: 1, maxBytes: 9, accept: [] },
  ];
  const { imported, losses } = await outAndBack(
    { title: 'Т', questions: [plain, ...others], pictures: new Map() },
    writeAiken,
    readAiken,
  );
  expect(imported.items).toHaveLength(2);
  expect(losses).toEqual([
    'Вопрос 2: не перенесены баллы, тема',
    'Вопрос 3: не перенесён: Aiken знает только вопросы с одним верным вариантом',
    'Вопрос 4: не перенесён: Aiken знает только вопросы с одним верным вариантом',
  ]);
});

test('random tests come back equal from Aiken, or the loss is reported', async () => {
  await expectRoundTrip(writeAiken, readAiken);
}, 120_000);

test('hostile files do no harm', async () => {
  const signs = ['A. ', 'B) ', 'ANSWER: ', 'ОТВЕТ:', 'A', 'Б', '\n', '\n\n', ' ', '<b>', 'Текст'];
  await expectHarmless(readAiken, signs);
}, 120_000);

test('long repeated input is read quickly', async () => {
  await expectNoHang(readAiken, [
    'A. ',
    'A. \n',
    'x\nA.1\n',
    'ANSWER:',
    ' ',
    '\n',
    'а и ',
    '1\n\n',
  ]);
}, 120_000);

test('more questions than fit are cut off with a note', async () => {
  await expectBounded(readAiken, (index) => `Вопрос ${index}?\nA. да\nB. нет\nANSWER: A\n\n`);
}, 120_000);
