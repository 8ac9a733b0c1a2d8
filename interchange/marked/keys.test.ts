import { expect, test } from 'vitest';
import { describeQuestion } from '#interchange/testing/describe-question.ts';
import { newId } from '#interchange/testing/round-trip.ts';
import { readMarkedText } from './read.ts';

const read = (text: string) =>
  readMarkedText({ name: 'т.txt', bytes: new TextEncoder().encode(text) }, { newId });

const Q3 =
  '1. Столица?\nа) Тверь\nб) Москва\n2. Да?\nа) да\nб) нет\n3. Что?\nа) раз\nб) два\nв) три';
const KEYED = ['Столица?: Тверь, Москва+', 'Да?: да+, нет', 'Что?: раз, два+, три+'];

test.each([
  ['Ответы: 1. б; 2. а; 3. б, в'],
  ['Ответы: 1 – б, 2 – а, 3 – б, в.'],
  ['Ответы: 1 б, 2 а, 3 б, в'],
  ['Ответы: 1б, 2а, 3бв'],
  ['Ключи\n1. б\n2. а\n3. б, в'],
  ['Ответы\n1 вариант\n1. б #\n2. а\n3. б, в'],
  ['Ответы\n1-Б\n2-А\n3-Б,В'],
  ['Ответы к тесту. Вариант 1. 1 – б; 2 – а; 3 – б, в'],
  ['Ответы к тесту № 3: 1 – б; 2 – а; 3 – бв'],
  ['Ответы на тест:\n1. Б\n2. А\n3. БВ'],
  ['Ответы на тест по теме «Города»\n1. Б\n2. А\n3. БВ'],
  ['Таблица ответов\n1\tб\n2\tа\n3\tбв'],
  ['Ответы:\n№ вопроса 1 2 3\nОтвет Б А БВ'],
  ['Эталоны ответов: 1 – б (1 балл), 2 – а (1 балл), 3 – б, в (2 балла)'],
  ['Keys: 1-б 2-а 3-бв'],
  ['Ответы: 2-а, 1-б, 3-бв'],
  ['Javoblar: 1-б, 2-а, 3-бв'],
  ['Адказы: 1-б, 2-а, 3-бв'],
])('a table of answers is read whole: %j', async (keys) => {
  const { items } = await read(`${Q3}\n\n${keys}`);
  expect(items.map(({ question }) => describeQuestion(question))).toEqual(KEYED);
  expect(items.flatMap(({ losses }) => losses)).toEqual([]);
});

test('a test behind a table of answers is no part of it', async () => {
  const keys = 'Ответы\n1 вариант\n1. Б\n2. А\n3. БВ\n\n';
  const { items } = await read(`${keys}1. Где?\nа) тут +\nб) там\n\n${Q3}`);
  expect(items.map(({ question }) => question.text)).toEqual(['Где?', 'Столица?', 'Да?', 'Что?']);
});

test('a letter for each question', async () => {
  const { items } = await read(`${Q3}\n\nКлюч: бав`);
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    ...KEYED.slice(0, 2),
    'Что?: раз, два, три+',
  ]);
});

test('a letter for each question without a number, and a word that is none', async () => {
  const { items } = await read('Где?\nа) тут\nб) там\n\nКто?\nа) я\nб) ты\n\nКлюч: ба');
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Где?: тут, там+',
    'Кто?: я+, ты',
  ]);
  const { items: words } = await read('1. Раз?\n2. Два?\n3. Столица Италии?\nКлюч: Рим');
  expect(words.slice(-1).map(({ question }) => describeQuestion(question))).toEqual([
    'Столица Италии?: =Рим',
  ]);
});

test('numbers as keys, with commas of their own', async () => {
  const { items } = await read(
    '1. Сколько?\n2. Ещё?\n3. Всего?\n\nОтветы: 1. 2,5; 2. 3; 3. 1,5 кг',
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Сколько?: =2,5',
    'Ещё?: =3',
    'Всего?: =1,5 кг',
  ]);
});
