import { expect, test } from 'vitest';
import { newId } from '#interchange/testing/round-trip.ts';
import { readMarkedText } from './read.ts';

const read = (text: string) =>
  readMarkedText({ name: 'т.txt', bytes: new TextEncoder().encode(text) }, { newId });

test.each([
  'а) тут +\nб) там 2. Когда? а) вчера б) завтра',
  'А. Молекулы движутся, как им угодно, во все стороны. Б.\nМолекулы стоят +',
])('reports more than one option in a line: %s', async (options) => {
  const { items } = await read(`1. Где?\n${options}`);
  expect(items[0]?.losses.join()).toMatch(/стоят ещё варианты|стоит в строке дважды|опиской/);
});

test.each([
  ['options behind dashes without a space', '1. Где?\n-тут (+)\n-там', /опиской/],
  ['columns of a table', '1. Где?\t*тут\tтам\tнигде', /столбцы/],
  ['a letter that names no option', '1. Где?\nОтвет: б', /похож на букву/],
  [
    'an order of lines that are questions',
    'Кто за кем?\n1) он\n2) она\n3) оно\nОтвет: 312',
    /порядок вариантов/,
  ],
  ['an option without a text', '1. Где?\nа)\nб) тут +', /без текста/],
  [
    'numbered options in one line',
    '1. Где?\n1) тут 3) нигде\n2) там 4) везде',
    /стоят ещё варианты/,
  ],
  ['letters without a bracket', '1. Де?\nА літаки;\nБ танки;\nВ гармати.', /похожи на варианты/],
  ['options behind closed letters', '1. Где?\nA)9 B)10 S)12 D)8\nОтвет: B', /варианты или вопросы/],
  ['a letter glued to a word', '1. Где?\na) tut\nb) tamc) nigde\nОтвет: a', /варианты или вопросы/],
  ['numbers in a line', '1. Где?\nа) Москва 2. Псков\nб) Тула\nОтвет: а', /варианты или вопросы/],
  ['options in the question', '1. Где? а)тут\nб)там +\nв)нигде', /./],
  [
    'the next letter in a line',
    '1. Где?\nА. Псков\nВ. Тула\nС. Москва Д. Тверь\nОтвет: А',
    /ещё вариант/,
  ],
  ['a letter that comes twice', '1. Где?\nА) тут\nВ) там\nВ) нигде\nОтвет: А', /у двух вариантов/],
  ['an option without a text', '1. Где?\nа) тут\nб) ;\nОтвет: а', /без текста/],
  [
    'a question among the options',
    '1. Где?\n1) тут\n2) там\n3) Город – это\nОтвет: 1',
    /варианты или вопросы/,
  ],
  ['two answers', '1. Где?\nа) тут\nб) там\nОтвет: а\nОтвет: б', /две строки с ответом/],
  ['the answer in the question', '1. Где?\nДа. Правильный ответ – тут\nа) тут +\nб) там', /увидит/],
  ['two questions without numbers', 'Как? Так.\n\nГде?\n- тут\n+ там', /пустая строка/],
  ['letters without a space', '1. Сколько? А.1 млнБ.2 млнВ.3 млн\nОтвет: 2', /похожи на варианты/],
  ['an answer that is a line of the question', '1. Где?\nТам\nТут\nОтвет: тут.', /одним из них/],
  ['places of lines', '1. По порядку?\nТри\nДва\nОтвет: 2 1', /порядок вариантов/],
  [
    'letters alone in their lines',
    '1. Где?\na) tut\nb) tam;\nv)\nnigde',
    /присоединена к варианту/,
  ],
])('reports what is not read: %s', async (_, text, words) => {
  const { items } = await read(text);
  expect(items.at(-1)?.losses.join()).toMatch(words);
});

test.each([
  ['options that are questions', '1. На что отвечает падеж?\nа) кого? чего?\nб) кому? чему? +'],
  ['a part of words', '1. Что это?\nчасть в которой живут\nа) дом +\nб) двор'],
  ['a tag that is asked about', '1. Перенос строки?\nа) <br> +\nб) <p>'],
  ['letters of points', '1. Что верно о подпунктах а) и б)?\nа) всё +\nб) ничего'],
  ['signs', '1. Какой знак?\nа) , +\nб) .'],
])('what is right is no doubt: %s', async (_, text) => {
  const { items } = await read(text);
  expect(items).toHaveLength(1);
  expect(items[0]?.losses).toEqual([]);
  if (text.includes('<br>')) expect(JSON.stringify(items[0]?.question)).toContain('<br>');
});

test('reports a question with one option', async () => {
  const { items } = await read('1. Где?\n+1. тут;\n2. там;');
  expect(items[0]?.losses.join()).toMatch(/Вариант один/);
});

const CHOICE = 'Где?\nа) тут +\nб) там\nв) нигде';

test.each([
  ['a number is left out', [`3. ${CHOICE}`, `4. ${CHOICE}`, `6. ${CHOICE}`], 2, /не следует/],
  ['a number comes again', [`1. ${CHOICE}`, `2. ${CHOICE}`, `2. ${CHOICE}`], 2, /не следует/],
  [
    'an option became a question',
    [`1. ${CHOICE}`, '2. Когда?', '1. Вчера?\nа) да +\nб) нет', `3. ${CHOICE}`],
    2,
    /не следует/,
  ],
  [
    'one question alone has no options',
    [...[1, 2, 3, 4].map((number) => `${number}. ${CHOICE}`), '5. Кто?\nОтвет: я'],
    4,
    /нет вариантов, а у других/,
  ],
  [
    'one question has far more options',
    [
      ...[1, 2, 3].map((number) => `${number}. ${CHOICE}`),
      `4. ${CHOICE}\nг) да\nд) нет\nе) оба\nж) никто`,
    ],
    3,
    /сколько у других вопросов \(3\)/,
  ],
])('reports a question unlike the others of its file: %s', async (_, questions, at, words) => {
  const { items } = await read(questions.join('\n\n'));
  expect(items.findIndex(({ losses }) => words.test(losses.join()))).toBe(at);
});

test.each([
  ['numbers of a larger collection', ['14', '27', '3', '118']],
  ['several tests, each from 1', ['1', '2', '1', '2']],
  ['parts of an examination', ['А1', 'А2', 'В1', 'В2']],
])('numbers that mean something else are no doubt: %s', async (_, numbers) => {
  const { items } = await read(numbers.map((number) => `${number}. ${CHOICE}`).join('\n\n'));
  expect(items).toHaveLength(4);
  expect(items.flatMap(({ losses }) => losses)).toEqual([]);
});

test('a key with numbers that occur in two parts is reported; a key in written order is not an ordering', async () => {
  const part = (name: string) => `${name}\n1. Кто?\nА) я\nБ) ты\n`;
  const { items } = await read(`${part('Вариант 1')}${part('Вариант 2')}Ответы: 1-А, 2-Б`);
  expect(items.every(({ losses }) => /в файле не один/.test(losses.join()))).toBe(true);
  const sorted = await read(
    '1. Что верно о последовательности?\nа) раз\nб) два\nв) три\nОтвет: абв',
  );
  expect(sorted.items[0]?.question.kind).toBe('variant');
  expect(sorted.items[0]?.losses.join()).toMatch(/называет все варианты/);
});

test('reports an option that may have become a question', async () => {
  const { items } = await read(
    '1) Путь?\n1) тот\n2) этот\n2) Вид?\n1) один\n2) два\n1) три\nОтветы: 1-2, 2-1',
  );
  expect(items.every(({ losses }) => /в файле не один/.test(losses.join()))).toBe(true);
});

test('reports one line of answers that may belong to all questions', async () => {
  const { items } = await read('Путь?\n1) тот\n2) этот\n\nВид?\n1) один\n2) два\n\nОтветы: 2, 1');
  expect(items[1]?.losses.join()).toMatch(/не ко всему ли тесту/);
});
