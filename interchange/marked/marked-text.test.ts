import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { encoded } from '#interchange/testing/encoded.ts';
import { describeQuestion } from '#interchange/testing/describe-question.ts';
import { expectBounded, expectHarmless, expectNoHang } from '#interchange/testing/hostile.ts';
import { newId } from '#interchange/testing/round-trip.ts';
import { readMarkedText } from './read.ts';

const read = (text: string, encoding = 'utf-8') =>
  readMarkedText({ name: 'т.txt', bytes: encoded(text, encoding) }, { newId });

test.each([
  ['a sign before the letter', '1. Столица?\nа) Тверь\n+б) Москва\nв) Псков'],
  ['a sign behind the letter', '1. Столица?\nа) Тверь\nб) *Москва\nв) Псков'],
  ['a sign at the end', '1) Столица?\nа) Тверь\nб) Москва +\nв) Псков'],
  ['a word at the end', '1. Столица?\nА. Тверь\nБ. Москва (верно)\nВ. Псков'],
  ['a line with the letter', '1. Столица?\nа) Тверь;\nб) Москва;\nв) Псков;\nОтвет: б'],
  ['a line with the words', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\nПравильный ответ: Москва'],
  ['a green tick at the end', '1. Столица?\nа) Тверь\nб) Москва ✅\nв) Псков'],
  ['a green tick before the letter', '1. Столица?\nа) Тверь\n✅ б) Москва\nв) Псков'],
  ['a Kazakh word at the end', '1. Столица?\nа) Тверь\nб) Москва (дұрыс)\nв) Псков'],
  ['a Kazakh line', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\nДұрыс жауап: б'],
  ['a Kazakh line with a tick', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\n✅ Жауабы: б'],
  ['Kazakh letters', '1. Столица?\nА) Тверь\nӘ) Москва\nБ) Псков\nЖауап: Ә'],
  ['a table of answers', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\n\nКлюч:\n1-б, 2-а'],
  ['a table in one line', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\n\nОтветы: 1 - б; 2 - а'],
  ['numbers for letters', '1. Столица?\n1) Тверь\n2) Москва\n3) Псков\nОтвет: 2'],
  ['Latin letters', 'Вопрос 1. Столица?\nA) Тверь\nB) Москва\nC) Псков\nОтвет: B'],
  ['bullets', '1. Столица?\n- Тверь\n+ Москва\n- Псков'],
  ['letters in brackets', '1. Столица?\n(А) Тверь\n+(Б) Москва\n(В) Псков'],
  ['options in one line', '1. Столица?\nа) Тверь б) Москва + в) Псков'],
  [
    'options in one line behind the question',
    '1. Столица? А) Тверь   Б) Москва   В) Псков\nОтвет: Б',
  ],
  ['options in two lines', '1. Столица?\nа) Тверь\tб) Москва\nв) Псков\nОтвет: б'],
  [
    'a number with a hash',
    '#001. Столица?\n1) Тверь\n2) Москва\n3) Псков\n#002. Да?\n1) да\n2) нет\nОтветы: 001 – 2; 002 – 1',
  ],
  [
    'a number with a zero',
    '001 Столица?\n1) Тверь\n2) Москва\n3) Псков\n002 Да?\n1) да\n2) нет\nОтветы: 1-2, 2-1',
  ],
  [
    'the parts of an examination',
    'А1 Столица?\n1) Тверь\n2) Москва\n3) Псков\nВ1 Да?\n1) да\n2) нет\nОтветы: А1-2, В1-1',
  ],
  [
    'numbers of options alone',
    'Столица?\n1) Тверь\n2) Москва\n3) Псков\n\nДа?\n1) да\n2) нет\n\nОтветы: 1-2, 2-1',
  ],
  [
    'rows of numbers and keys',
    '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\n2. Да?\nа) да\nб) нет\n\nКлюч\n1\t2\nб\tа',
  ],
  [
    'a table of Markdown',
    '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\n\n## Ответы\n\n| № | Ответ |\n|---|---|\n| 1 | б |',
  ],
  ['a bold line of Markdown', '**1. Столица?**\n\nа) Тверь\nб) Москва\nв) Псков\n\n**Ответ: б**'],
  ['a bold option of Markdown', '### 1. Столица?\n- а) Тверь\n- **б) Москва**\n- в) Псков'],
  ['boxes of Markdown', '1. Столица?\n- [ ] Тверь\n- [x] Москва\n- [ ] Псков'],
  ['round boxes', '1. Столица?\n( ) Тверь\n(X) Москва\n( ) Псков'],
  ['letters behind round bullets', '1. Столица?\n○ a) Тверь\n○ b) Москва\n○ c) Псков\nAnswer: b'],
  [
    'a caption above the options',
    '1. Столица?\nВарианты ответов:\nа) Тверь\nб) Москва +\nв) Псков',
  ],
  ['letters alone in their lines', '1. Столица?\n1)\nТверь\n2)\nМосква\n3)\nПсков\nОтвет: 2'],
  ['breaks of lines', '1. Столица?<br>\nа) Тверь<br>\nб) Москва +<br/>\nв) Псков'],
  ['a standard answer', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\nстандартный ответ:: б'],
  [
    'options numbered as questions',
    '201. Столица?\n1. Тверь\n2. Москва\n3. Псков\nANSWER: B\n202. Да?\n1. да\n2. нет\nANSWER: A',
  ],
  ['letters of two keyboards', '1. Столица?\nA) Тверь\nБ) Москва\nB) Псков\nОтвет: Б'],
  [
    'a Kazakh notation',
    '$$$001\nСтолица?\nA) Тверь\nB) Москва\nC) Псков\n{Дұрыс жауабы}=B\n$$$002\nДа?\nA) да\nB) нет\n{Дұрыс жауабы}=A',
  ],
  ['a sign before the number', '1. Столица?\n1) Тверь\n+2) Москва\n3) Псков'],
  ['an Uzbek word', "1. Столица?\nA) Тверь\nB) Москва (To'g'ri javob)\nC) Псков"],
  ['a letter and the text', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\nОтвет: б) Москва.'],
  ['a line in brackets', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\n(ответ: б)'],
  ['a line without a colon', '1. Столица?\nа) Тверь\nб) Москва\nв) Псков\nОтвет б'],
  ['an Ukrainian line', 'Питання 1. Столица?\nа) Тверь\nб) Москва\nв) Псков\nВідповідь: б'],
  ['an English line', 'Question 1: Столица?\nA) Тверь\nB) Москва\nC) Псков\nCorrect answer: B'],
  ['a German line', 'Frage 1: Столица?\na) Тверь\nb) Москва\nc) Псков\nLösung: b'],
  ['a Spanish line', '1. Столица?\na) Тверь\nb) Москва\nc) Псков\nRespuesta correcta: b'],
  ['letters of a Russian keyboard', '1. Столица?\nА) Тверь\nВ) Москва\nС) Псков\nОтвет: В'],
  ['no numbers at all', 'Столица?\nа) Тверь\nб) Москва +\nв) Псков\n\nЕщё?\nа) да +\nб) нет'],
])('reads the key with %s', async (_, text) => {
  const { items } = await read(text);
  expect(items[0] && describeQuestion(items[0].question)).toBe('Столица?: Тверь, Москва+, Псков');
  expect(items[0]?.losses).toEqual([]);
});

/** «левое – правое» of each pair, and the unused texts on the right. */
function matched(question: Question | undefined): readonly string[] {
  if (question?.kind !== 'compliance') return [question?.kind ?? 'nothing'];
  const { left, right, pairs } = question;
  const rightOf = (leftId: string) => pairs.find((pair) => pair.leftId === leftId)?.rightId;
  const used = new Set(pairs.map(({ rightId }) => rightId));
  return [
    question.text,
    ...left.map(({ leftId, text }) => {
      const found = right.find(({ rightId }) => rightId === rightOf(leftId));
      return `${text} – ${found?.text}`;
    }),
    ...right.flatMap(({ rightId, text }) => (used.has(rightId) ? [] : [text])),
  ];
}

const NUMBERS = '1) Москва\n2) Париж\n3) Минск';
const LETTERS = 'А) Франция\nБ) Беларусь\nВ) Россия\nГ) Чили';
const CAPITALS = [
  'Установите соответствие',
  'Москва – Россия',
  'Париж – Франция',
  'Минск – Беларусь',
];

test.each([
  ['numbers first', `1. Установите соответствие\n${NUMBERS}\n${LETTERS}\nОтвет: 1-В, 2-А, 3-Б`],
  [
    'a gap between the lists',
    `1. Установите соответствие\n\n${NUMBERS}\n\n${LETTERS}\n\nОтвет: 1В 2А 3Б`,
  ],
  [
    'letters first in the file',
    `1. Установите соответствие\n${LETTERS}\n${NUMBERS}\nОтвет: 1 – В; 2 – А; 3 – Б.`,
  ],
  ['«Ответы:»', `1. Установите соответствие\n${NUMBERS}\n${LETTERS}\nОтветы: 1-В, 2-А, 3-Б`],
])('two lists and a key of pairs are a matching question: %s', async (_, text) => {
  const { items, notes } = await read(`${text}\n\n2. Два?\nа) 1\nб) 2 +`);
  expect(matched(items[0]?.question)).toEqual([...CAPITALS, 'Чили']);
  expect(items[0]?.losses).toEqual([]);
  expect(items).toHaveLength(2);
  expect(notes).toEqual([]);
});

test('the side named first in the key is paired with the other; bare digits follow the letter order', async () => {
  const lists = 'А) Москва\nБ) Париж\n1) Франция\n2) Россия\n3) Чили';
  const expected = ['Соотнесите', 'Москва – Россия', 'Париж – Франция', 'Чили'];
  for (const key of ['21', 'А2, Б1', 'А-2 Б-1', 'а – 2; б – 1'])
    expect(
      matched((await read(`1. Соотнесите\n${lists}\nОтвет: ${key}`)).items[0]?.question),
    ).toEqual(expected);
});

test('one letter may belong to several numbers', async () => {
  const { items } = await read(`1. Соотнесите\n${NUMBERS}\n${LETTERS}\nОтвет: 1-В, 2-А, 3-В`);
  expect(items[0]?.question).toMatchObject({ kind: 'compliance', reuse: true });
});

test.each([
  ['a key that does not fit', `1. Соотнесите\n${NUMBERS}\n${LETTERS}\nОтвет: 1-В, 2-А`],
  [
    'a line without a label among the lists',
    `1. Соотнесите\n${NUMBERS}\nСтраны\n${LETTERS}\nОтвет: 1-В, 2-А, 3-Б`,
  ],
  ['no key', `1. Соотнесите\n${NUMBERS}\n${LETTERS}`],
])('two lists with %s are only reported', async (_, text) => {
  const { items } = await read(text);
  expect(items[0]?.question.kind).toBe('variant');
  expect(items[0]?.losses.join()).toContain('похожа на вариант');
});

test('«Ответы:» above the options of each question is a caption; once, at the end, it heads the keys', async () => {
  const { items } = await read(
    '1. Дважды два?\nОтветы:\n1) 4 +\n2) 5\n\n2. Трижды два?\nОтветы:\n1) 6 +\n2) 7',
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Дважды два?: 4+, 5',
    'Трижды два?: 6+, 7',
  ]);
  const { items: keyed } = await read('1. Дважды два?\nа) 4\nб) 5\n\nОтветы:\n1) а');
  expect(keyed.map(({ question }) => describeQuestion(question))).toEqual(['Дважды два?: 4+, 5']);
});

test('signs that contradict the key, or are all of an option, are text; so is the semicolon of code', async () => {
  const { items } = await read(
    [
      '1. Прибавить один?\na) ++\nb) *\nc) --\nОтвет: a',
      '2. Адрес?\na) *p\nb) &p\nОтвет: b',
      '3. Объявление?\nа) int x = 1;\nб) x: int;\nв) let x;\nОтвет: а',
      '4. Город?\nа) Тверь;\n+б) Москва;\nв) Псков.',
    ].join('\n\n'),
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Прибавить один?: +++, \\*, \\--',
    'Адрес?: \\*p, \\&p+',
    'Объявление?: int x = 1;+, x: int;, let x;',
    'Город?: Тверь, Москва+, Псков.',
  ]);
});

test('each key belongs to its part in any notation; an unnamed part is reported', async () => {
  const part = (name: string) => `${name}\n1. Кто?\nА) я\nБ) ты\n2. Где?\nА) тут\nБ) там\n`;
  const right = async (text: string) => {
    const { items } = await read(text);
    return items.map(({ question, losses }) =>
      `${describeQuestion(question)} ${losses.join()}`.trim(),
    );
  };
  const asKeyed = ['Кто?: я, ты+', 'Где?: тут+, там', 'Кто?: я+, ты', 'Где?: тут, там+'];
  const both = `${part('Вариант 1')}\n${part('Вариант 2')}\n`;
  expect(
    await right(`${part('Вариант 1')}Ключ: 1-Б, 2-А\n\n${part('Вариант 2')}Ключ: 1-А, 2-Б`),
  ).toEqual(asKeyed);
  expect(await right(`${both}Ключи\nВариант 1: 1-Б, 2-А\nВариант 2: 1-А, 2-Б`)).toEqual(asKeyed);
  expect(await right(`${both}Ответы\nI вариант: 1-Б, 2-А\nII вариант: 1-А, 2-Б`)).toHaveLength(4);
  expect(await right(`${both}Ключи\nВариант 1\n1-Б\n2-А\nВариант 2\n1-А\n2-Б`)).toEqual(asKeyed);
  for (const one of await right(`${both}Ответы:\n1-Б, 2-А\n1-А, 2-Б`))
    expect(one).toMatch(/в файле не один/);
});

const Q2 = '1. Столица?\nа) Тверь\nб) Москва\n2. Да?\nа) да\nб) нет';

test.each([
  [
    'a column of numbers',
    '1. Раз?\n1) а\n2) б\n2. Два?\n1) в\n2) г\n3. Три?\n1) д\n2) е\n\nКлюч\n1\t2\n2\t1\n3\t2',
    ['Раз?: а, б+', 'Два?: в+, г', 'Три?: д, е+'],
  ],
  [
    'numbers to type',
    '1. 2+3?\n2. 3+4?\n3. 4+5?\n\nОтветы\n1\t5\n2\t7\n3\t9',
    ['2+3?: =5', '3+4?: =7', '4+5?: =9'],
  ],
  [
    'the text of an option that is a number',
    '1. 3·4?\nа) 12\nб) 15\nв) 21\nОтвет: 12',
    ['3·4?: 12+, 15, 21'],
  ],
  [
    'the text to the letter',
    '1. Что?\nа) int x\nб) int x;\nОтвет: int x;',
    ['Что?: int x, int x;+'],
  ],
  [
    'initials behind bullets',
    '1. Кто?\n- А. С. Пушкин +\n- М. Ю. Лермонтов',
    ['Кто?: А. С. Пушкин+, М. Ю. Лермонтов'],
  ],
  [
    'units that look like letters',
    '1. Что?\nа) в 1801 г. в Польше\nб) Державин Г. Р. +\nв) 5 г. соли\nг) 10 г. сахара',
    ['Что?: в 1801 г. в Польше, Державин Г. Р.+, 5 г. соли, 10 г. сахара'],
  ],
  [
    'a range of questions in a heading',
    `Завдання 1–10 мають відповіді.\n${Q2}\nОтветы: 1-б, 2-а`,
    ['Столица?: Тверь, Москва+', 'Да?: да+, нет'],
  ],
  [
    'a part with a dot',
    `Тема 1. Города\n${Q2}\nОтветы\nТема 1. 1-б, 2-а`,
    ['Столица?: Тверь, Москва+', 'Да?: да+, нет'],
  ],
  [
    'a part that only the keys have',
    `${Q2}\nОтветы\nВариант 1: 1-б, 2-а`,
    ['Столица?: Тверь, Москва+', 'Да?: да+, нет'],
  ],
  [
    'parts of an examination in the keys alone',
    `${Q2}\nОтветы: А1-б, А2-а`,
    ['Столица?: Тверь, Москва+', 'Да?: да+, нет'],
  ],
  [
    'words behind the table',
    `${Q2}\n\nОтветы: 1-б, 2-а\n\n2 четверть`,
    ['Столица?: Тверь, Москва+', 'Да?: да+, нет'],
  ],
  [
    'answers of their own in two parts',
    'Тема 1\n1. Кто?\nОтвет: я\nТема 2\n1. Где?\nОтвет: тут',
    ['Кто?: =я', 'Где?: =тут'],
  ],
  [
    'a hint in brackets',
    '1. Корень?\n(Ответ – целое число.)\nОтвет: 5',
    ['Корень?\n(Ответ – целое число.): =5'],
  ],
  ['intervals', '1. Где?\nа) (2; 5]\nб) [2; 5) +\nв) f(x)', ['Где?: (2; 5], \\[2; 5)+, f(x)']],
  [
    'a figure and a year in brackets',
    '1. Где (см. рис. 5)? В 1861 г.\nа) тут (1) +\nб) там',
    ['Где (см. рис. 5)? В 1861 г.: тут (1)+, там'],
  ],
  ['all options marked by a plus', '1. Кто?\n+ кит\n+ кот', ['Кто?: кит+, кот+']],
  [
    'numbers in an order without any',
    '1. Какие ряды в порядке возрастания?\nа) 1, 2\nб) 2, 1\nОтвет: а',
    ['Какие ряды в порядке возрастания?: 1, 2+, 2, 1'],
  ],
])('what was right stays so, without a word: %s', async (_, text, expected) => {
  const { items } = await read(text);
  expect(items.map(({ question }) => describeQuestion(question))).toEqual(expected);
  expect(items.flatMap(({ losses }) => losses)).toEqual([]);
});

test('what goes on from a line that was left out is left out, too', async () => {
  const { items, notes } = await read(
    '1. Где?\nа) тут\nб) там\n\n2 Как их делят\nпо цвету?\nа) так\n',
  );
  expect(items[0] && describeQuestion(items[0].question)).toMatch(/^Где\?: тут, там/);
  expect(notes.join()).toMatch(/по цвету/);
});

test('unsigned lines beside a signed one become options and are reported', async () => {
  const { items } = await read('1. Столица?\nТверь\n+Москва\nПсков');
  expect(items[0] && describeQuestion(items[0].question)).toBe('Столица?: Тверь, Москва+, Псков');
  expect(items[0]?.losses.join()).toMatch(/взяты по строкам/);
});

test('unnumbered questions retain their own options; a question in the first line is reported', async () => {
  const { items, notes } = await read(
    'Какие верны?\n+ раз\n- два\n(то есть два),\n- три\n\nЧто ещё?\n+ да\n\nКто?\n- он\n+ она',
  );
  expect(items.map(({ question }) => describeQuestion(question).replaceAll('\n', ' '))).toEqual([
    'Какие верны?: раз+, два (то есть два),, три',
    'Что ещё?: да+',
    'Кто?: он, она+',
  ]);
  expect(notes).toEqual([]);
  const { notes: noted } = await read('Вариант I 1. Что первое?\n2. Что второе?\nОтвет: это');
  expect(noted.join()).toMatch(/Первая строка взята как название/);
});

test('a list in an explanation is no list of options', async () => {
  const { items } = await read(
    '1. Что?\n- раз\n- два\nРешение: смотрим\n- раз (1), потому что\n- два (2), нет\nОтвет: 1',
  );
  expect(items[0] && describeQuestion(items[0].question)).toBe('Что?: раз+, два');
});

test('comments of a program and code stay in the question', async () => {
  const { items } = await read(
    '1. Что выведет?\n# 1. Прочитать\n# Ответ: нет\nprint(2 ** 3)\nа) 8\nб) 6\nОтвет: а',
  );
  expect(items).toHaveLength(1);
  expect(items[0]?.question.text).toContain('Прочитать');
  expect(items[0] && describeQuestion(items[0].question)).toContain('8+, 6');
});

test.each(['ВАБ', 'В, А, Б', 'в) а) б)'])(
  'a key that names each item of an order is the order: %s',
  async (key) => {
    const { items } = await read(
      `1. Установите последовательность\nА) анализ\nБ) вывод\nВ) цель\nОтвет: ${key}`,
    );
    const question = items[0]?.question;
    expect(question?.kind === 'ordering' && question.items.map(({ text }) => text)).toEqual([
      'цель',
      'анализ',
      'вывод',
    ]);
  },
);

test('numbers are ordered by the key; a key of all options without order words is reported', async () => {
  const list = '1) десять\n2) пять\n3) семь\nОтвет: 231';
  const { items } = await read(`1. Расположите числа по порядку\n${list}\n2. Что верно?\n${list}`);
  const [first, second] = items.map(({ question }) => question);
  expect(first?.kind === 'ordering' && first.items.map(({ text }) => text)).toEqual([
    'пять',
    'семь',
    'десять',
  ]);
  expect(second?.kind).toBe('variant');
  expect(items[1]?.losses.join()).toMatch(/называет все варианты/);
});

test('the same sign before every option is a bullet', async () => {
  const { items } = await read('1. Столица?\n* Тверь\n* Москва\n* Псков');
  expect(items[0] && describeQuestion(items[0].question)).toBe('Столица?: Тверь, Москва, Псков');
  expect(items[0]?.losses.join()).toMatch(/не отмечен/);
});

test.each([
  ['the number of a page', 'а) Тверь\n2\n\nб) Москва +'],
  ['a name and a value', 'а) Тверь\nб) Москва +\nPoints: 2'],
  ['the next option in the same line', 'а) Тверь +\nб) Москва б) Псков'],
])('reports text glued to an option: %s', async (_, options) => {
  const { items } = await read(`1. Столица?\n${options}`);
  expect(items[0]?.losses.join()).toMatch(/присоединена к варианту|стоит в строке дважды/);
});

test('a long option goes on in the next line without a word', async () => {
  const { items } = await read(
    '1. Что это?\nа) Сила, с которой тело давит на опору или подвес\nТак её называют в механике\nб) вес +',
  );
  expect(items[0]?.losses.join()).not.toMatch(/присоединена/);
});

test('the full stop behind a word is no part of the answer; that of an abbreviation is', async () => {
  const { items } = await read('1. Столица?\nОтвет: Токио.\n2. Когда?\nОтвет: 1147 г.');
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Столица?: =Токио',
    'Когда?: =1147 г.',
  ]);
});

test('reports unlettered options with a numeric answer', async () => {
  const { items } = await read('1. Сколько будет 2+2?\n3\n4\n5\nОтвет: 2\n\n2. А 1+1?\nОтвет: 2');
  expect(items.map(({ losses }) => losses.join())).toEqual([
    expect.stringContaining('вариантами без букв'),
    '',
  ]);
});

test.each([
  ['an item without a pair', '1-В 2-А 3-нет'],
  ['two pairs of one item', '1-В,Г; 2-А; 3-Б'],
  ['more pairs than items', '1-В 2-А 3-Б 1-Г'],
  ['letters of another alphabet', '1-C, 2-A, 3-B'],
])('a key with %s is only reported', async (_, key) => {
  const { items } = await read(`1. Соотнесите\n${NUMBERS}\n${LETTERS}\nОтвет: ${key}`);
  expect(items[0]?.question.kind).toBe('variant');
  expect(items[0]?.losses).not.toEqual([]);
});

test.each([
  [
    'behind lists to match, while another question has no key',
    '1. Столица?\nа) Тверь\nб) Москва\n\n2. Соотнесите\n1) x\n2) y\nА) a\nБ) b\nОтветы: 1-б, 2-а',
    'Москва+',
  ],
  [
    'behind a question about what corresponds',
    '1. Столица?\nа) Тверь\nб) Москва\n\n2. Что соответствует норме?\nа) да\nб) нет\nОтветы: 1-б, 2-а',
    'Москва+',
  ],
  [
    'in two parts',
    '1. Столица?\nа) Тверь\nб) Москва\n\nКлюч:\n1-б\n\nЧасть Б\n\n2. Река?\nа) Ом\nб) Волга\n\nКлюч:\n2-б',
    'Москва+',
  ],
  [
    'below questions with captions',
    '1. Столица?\nОтветы:\nа) Тверь\nб) Москва\n\n2. Река?\nОтветы:\nа) Ом\nб) Волга\n\nОтветы:\n1) б\n2) б',
    'Москва+',
  ],
])('a table of answers stays one: %s', async (_, text, right) => {
  const { items } = await read(text);
  expect(items).toHaveLength(2);
  expect(items[0] && describeQuestion(items[0].question)).toContain(right);
  expect(items[0]?.losses).toEqual([]);
});

test('a heading behind a question about what corresponds is no part of its options', async () => {
  const { items, notes } = await read(
    '1. Какой год соответствует событию?\nа) 1812\n+б) 1945\n\nЧасть 2. Задания\n\n2. Ещё?\nа) да +\nб) нет',
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Какой год соответствует событию?: 1812, 1945+',
    'Ещё?: да+, нет',
  ]);
  expect(notes.join()).toContain('Часть 2. Задания');
});

test('marks that contradict the key are reported; words of marks are never shown', async () => {
  const { items } = await read(
    '1. Столица?\nа) Тверь;\nб) Москва (верно)\nв) Рим (Италия);\nОтвет: а',
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Столица?: Тверь+, Москва, Рим (Италия)',
  ]);
  expect(items[0]?.losses.join()).toContain('взята строка ответа');
});

test('letters of a sentence are no options', async () => {
  const { items } = await read(
    '1. Верны ли суждения: а) Земля круглая; б) Земля плоская?\n1) только а\n2) только б\nОтвет: 1\n\n2. Что гласит закон?\nа) то же, что подпункт б) статьи 2\nб) иное\nОтвет: б',
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Верны ли суждения: а) Земля круглая; б) Земля плоская?: только а+, только б',
    'Что гласит закон?: то же, что подпункт б) статьи 2, иное+',
  ]);
});

test('letters that go on as Kazakh ones do only beside a Kazakh letter', async () => {
  const { items } = await read('1. Кто?\nА) кот\nБ) пёс\nВ) лев\nВ) тигр\nОтвет: В');
  expect(items[0]?.losses.join()).toMatch(/опиской/);
  const heading = await read('1. Қашан?\nЖауаптары:\nА) 1939-1945 жж\nӘ) 1941-1945 жж\nЖауабы: Ә');
  expect(heading.items[0] && describeQuestion(heading.items[0].question)).toContain(
    '1941-1945 жж+',
  );
});

test('initials are no options', async () => {
  const { items } = await read(
    '1. Кто написал?\nА. М. Ю. Лермонтов\nБ. Н. В. Гоголь\nВ. А. Б. Пушкин\nГ. Н. В. Успенский\nОтвет: А\n\n2. А. Б. Один?\nа) А. Б. В. Иванов\nб) нет\nОтвет: б',
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Кто написал?: М. Ю. Лермонтов+, Н. В. Гоголь, А. Б. Пушкин, Н. В. Успенский',
    'А. Б. Один?: А. Б. В. Иванов, нет+',
  ]);
});

test('several right ones, points, explanations, texts of several lines', async () => {
  const { items, title } = await read(
    'Контрольная работа\n\n1. Какие числа\nчётные? (2 балла)\nа) 2\nб) 3\nв) 4\nОтвет: а, в\nПояснение: делятся на два\n\n2. Чему равно 3 \\cdot 4?\nОтвет: 12\n\n3. Сочинение о лете\nОтвет: ______\n\n4. Автор?\nОтвет: Пушкин; А. С. Пушкин',
  );
  expect(title).toBe('Контрольная работа');
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Какие числа\nчётные?: 2+, 3, 4+',
    'Чему равно 3 \\\\cdot 4?: =12',
    'Сочинение о лете: ',
    'Автор?: =Пушкин, =А. С. Пушкин',
  ]);
  expect(items[0]?.question).toMatchObject({
    points: 2,
    multiple: true,
    explanation: 'делятся на два',
  });
  expect(items.map(({ question }) => question.kind === 'open' && question.input)).toEqual([
    false,
    'number',
    'text',
    'line',
  ]);
});

test('undetermined parts are reported, and invalid questions are named', async () => {
  const { items, notes } = await read(
    '1. Где?\nа) тут\nб) там\n\nЧасть 2\n\n2. Кто?\nа) он +\nб) она',
    'windows-1251',
  );
  expect(items[0]?.losses.join()).toContain('Верный ответ не отмечен');
  expect(notes).toEqual([
    'Кодировка файла: windows-1251',
    'Пропущено, так как это не вопрос и не ответ (строка 5): Часть 2',
  ]);
});

test('tags and stars are plain text', async () => {
  const { items } = await read('1. Что делает <b>2*3*4</b> в C++?\nа) <script>x</script> +\nб) a*');
  expect(items[0]?.question.text).toBe('Что делает \\<b>2\\*3\\*4\\</b> в C++?');
});

test('hostile files do no harm', async () => {
  const signs = [
    '1. ',
    '2) ',
    'а) ',
    'б) ',
    '+',
    '*',
    'Ответ: ',
    'Ключ:',
    '1-а',
    ', ',
    '\n',
    '\n\n',
  ];
  await expectHarmless(readMarkedText, [...signs, '(2 балла)', '<b>', '$x$', 'Вопрос']);
}, 120_000);

test('long repeated input is read quickly', async () => {
  const units = [
    '1. ',
    '1. \n',
    'а) \n',
    '- \n',
    '1-а, ',
    'Ключ:\n1-а\n',
    '+',
    ' ',
    '(',
    '1. а\nа) б\n',
  ];
  await expectNoHang(readMarkedText, [
    ...units,
    '1. а\n+\n',
    'Ответ: ',
    '$',
    '*',
    '1. a\nа) +\n',
    '_',
    '+ а\nб\n',
    'A1 Тест\n1. а\n',
    'Вариант 1\n1. а\n1) б\n',
    ' 1) а 2. б',
    'Ключ\n1 2 3\n',
    '**а ',
    '# 1. а\n',
  ]);
}, 300_000);

test('more questions than fit are cut off with a note', async () => {
  await expectBounded(
    readMarkedText,
    (index) => `${(index % 9000) + 1}. Вопрос\nа) да +\nб) нет\n\n`,
  );
}, 120_000);

test.each([
  ['а) Н\nб) кг\nи) м\nг) с', ['и) м', 'г) с']],
  ['а) Н\nб) кг\n6) м\nг) с', ['6) м', 'г) с']],
  ['A. Н\nB. кг\nC. м\nB. с', ['B. с']],
  ['и) Н\nб) кг', ['и) Н', 'б) кг']],
  ['а) Н\nа именно ньютон\nб) кг', []],
  ['а) Н\nА. С. Пушкин\nб) кг', []],
  ['а) Н\nб) кг', []],
])('reports a mistyped letter of an option: %j', async (options, glued) => {
  const { items } = await read(`1. Единица силы?\n${options}\nОтвет: а\n`);
  const said = items[0]?.losses.filter((line) => line.includes('с опиской')) ?? [];
  expect(said.map((line) => /«(.*?)»/.exec(line)?.[1])).toEqual(glued);
});
