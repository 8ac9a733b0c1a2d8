import { expect, test } from 'vitest';
import { comparable } from '#interchange/comparable.ts';
import { encoded } from '#interchange/testing/encoded.ts';
import { expectBounded, expectHarmless, expectNoHang } from '#interchange/testing/hostile.ts';
import { expectRoundTrip, expectUnfinishedSafe, newId } from '#interchange/testing/round-trip.ts';
import { readCsv } from './read.ts';
import { writeCsv } from './write.ts';

const read = (text: string, encoding = 'utf-8') =>
  readCsv({ name: 'т.csv', bytes: encoded(text, encoding) }, { newId });

test('a right option named by its text is the one that is written so, whatever looks like it', async () => {
  const { items } = await read(
    'Вопрос;Верные;Вариант 1;Вариант 2\nГде?;Красная Площадь;Красная площадь;Красная Площадь\nГде?;тверь;Псков;Тверь\n',
  );
  expect(items.map(({ question }) => comparable(question))).toMatchObject([
    { options: [{ isRight: false }, { isRight: true }] },
    { options: [{ isRight: false }, { isRight: true }] },
  ]);
});

test.each([';', ',', '\t'])('a table separated by %j, with other names of columns', async (by) => {
  const rows = [
    ['№', 'Текст вопроса', 'Вариант А', 'Вариант Б', 'Вариант В', 'Правильный ответ', 'Балл'],
    ['1', '"Столица, или ""первый"" город; какой?"', 'Тверь', 'Москва', 'Псков', 'Б', '2'],
  ];
  const { items, refused, notes } = await read(rows.map((row) => row.join(by)).join('\r\n'));
  expect(refused).toEqual([]);
  expect(items[0] && comparable(items[0].question)).toMatchObject({
    kind: 'variant',
    text: 'Столица, или "первый" город; какой?',
    points: 2,
    multiple: false,
    options: [
      { text: 'Тверь', isRight: false },
      { text: 'Москва', isRight: true },
      { text: 'Псков', isRight: false },
    ],
  });
  expect(notes.join()).toContain('«№»');
});

test.each([
  ['a quiz site', 'question,option_a,option_b,option_c,correct_option\nСила?,Па,Н,Дж,B'],
  ['keys in Latin letters', 'Вопрос,Вариант 1,Вариант 2,Вариант 3,Ответ\nСила?,Па,Н,Дж,B'],
  ['keys in Russian letters', 'Вопрос,Вариант 1,Вариант 2,Вариант 3,Ответ\nСила?,Па,Н,Дж,Б'],
  ['German words', 'Nr;Frage;Antwort A;Antwort B;Antwort C;Loesung\n1;Сила?;Па;Н;Дж;B'],
  ['Spanish words', 'pregunta,opcion_a,opcion_b,opcion_c,respuesta_correcta\nСила?,Па,Н,Дж,B'],
  ['options by letters', 'Question,A,B,C,Answer\nСила?,Па,Н,Дж,B'],
  [
    'Kahoot',
    'Kahoot\nQuestion - max 120 characters,Answer 1 - max 75 characters,Answer 2 - max 75 characters,Answer 3 - max 75 characters,"Time limit (sec) – 5, 10, 20",Correct answer(s) - choose at least one\nСила?,Па,Н,Дж,20,2',
  ],
  [
    'TAO',
    'name;question;shuffle;language;min_choices;max_choices;choice_1;choice_2;choice_3;correct_answer\nа;Сила?;0;ru-RU;0;1;Па;Н;Дж;choice_2',
  ],
])('a table of %s', async (_, text) => {
  const { items, refused } = await read(text);
  expect(refused).toEqual([]);
  expect(items[0]?.losses).toEqual([]);
  expect(items[0] && comparable(items[0].question)).toMatchObject({
    text: 'Сила?',
    options: [
      { text: 'Па', isRight: false },
      { text: 'Н', isRight: true },
      { text: 'Дж', isRight: false },
    ],
  });
});

test('right and wrong options in columns of their own, several of each', async () => {
  const { items, notes } = await read(
    'question,TRUE_1,TRUE_2,FALSE_1,FALSE_2\nЧётные?,2,4,1,3\nСтолица?,Москва,,Тверь,\n',
  );
  expect(items.map(({ question }) => comparable(question))).toMatchObject([
    {
      multiple: true,
      options: [
        { text: '2', isRight: true },
        { text: '4', isRight: true },
        { text: '1', isRight: false },
        { text: '3', isRight: false },
      ],
    },
    {
      multiple: false,
      options: [
        { text: 'Москва', isRight: true },
        { text: 'Тверь', isRight: false },
      ],
    },
  ]);
  expect(notes).toEqual([]);
});

test('a table without heads is read, with a note, if each row repeats its right option at the end', async () => {
  const { items, notes } = await read('Столица?;Тверь;Москва;Москва\nРека?;Ом;Волга;Волга\n');
  expect(items.map(({ question }) => comparable(question))).toMatchObject([
    {
      text: 'Столица?',
      options: [
        { text: 'Тверь', isRight: false },
        { text: 'Москва', isRight: true },
      ],
    },
    { text: 'Река?', options: [{ isRight: false }, { isRight: true }] },
  ]);
  expect(notes.join()).toContain('Заголовков у столбцов нет');
  await expect(read('Столица?;Тверь;Москва;2\nРека?;Ом;Волга;2\n')).rejects.toThrow(
    'нет столбца «Вопрос»',
  );
});

test('keys counted from 0 are understood and reported', async () => {
  const { items, refused, notes } = await read(
    'Вопрос;Верные;Вариант 1;Вариант 2;Вариант 3\nА;0;да;нет;всё\nБ;2;да;нет;всё\nВ;1;да;нет;всё\n',
  );
  expect(refused).toEqual([]);
  expect(
    items.map(({ question }) =>
      question.kind === 'variant' ? question.options.findIndex(({ isRight }) => isRight) : null,
    ),
  ).toEqual([0, 2, 1]);
  expect(notes.join()).toContain('с нуля');
});

test('a zero beside the number of the last option is refused, not guessed', async () => {
  const { items, refused } = await read(
    'Вопрос;Верные;Вариант 1;Вариант 2\nА;0;да;нет\nБ;2;да;нет\n',
  );
  expect(items.map(({ question }) => question.text)).toEqual(['Б']);
  expect(refused.map(({ place }) => place)).toEqual(['строка 2']);
});

test('a letter without the option that it names says so', async () => {
  const { items } = await read('Question,A,B,Answer\nСила?,Па,Н,B\nМасса?,,,B');
  expect(items.map(({ losses }) => losses.length)).toEqual([0, 1]);
  expect(items[1]?.losses.join()).toMatch(/похож на букву варианта/);
});

test('a number among options that are numbers says that it is a place', async () => {
  const { items } = await read('Question,A,B,C,Answer\nСколько?,1,3,4,2\nЕщё?,1,2,3,2');
  expect(items.map(({ losses }) => losses.join())).toEqual([
    expect.stringMatching(/понято как номер/),
    '',
  ]);
});

test('a row without a key says so', async () => {
  const { items } = await read('Вопрос;Ответ;Вариант 1;Вариант 2\nСумма?;;5;7\n');
  expect(items[0]?.losses).toEqual(['Верный вариант не назван: отметьте его в редакторе']);
});

test('an answer number that is also the text of an option is reported', async () => {
  const { items } = await read(
    'Вопрос;Правильный ответ;Вариант 1;Вариант 2;Вариант 3\nСумма?;2;2;5;7\n',
  );
  expect(items[0]?.losses.join()).toContain('понято как номер варианта');
});

test('the kind is derived from the cells where no column names it', async () => {
  const { items } = await read(
    'Вопрос;Верные;Вариант 1;Вариант 2;Пара 1;Пара 2\nA;1;да;нет;;\nB;1, 2;да;нет;;\nC;12,5;;;;\nD;кот | кошка;;;;\nE;;;;;\nF;;а;б;1;2\nG;нет;да;нет;;\n',
  );
  expect(
    items.map(({ question: { kind, text }, question }) => [
      text,
      kind === 'variant' ? question.kind === 'variant' && question.multiple : kind,
    ]),
  ).toEqual([
    ['A', false],
    ['B', true],
    ['C', 'open'],
    ['D', 'open'],
    ['E', 'open'],
    ['F', 'compliance'],
    ['G', false],
  ]);
  expect(items[3]?.question).toMatchObject({ accepted: [{ text: 'кот' }, { text: 'кошка' }] });
});

test('invalid rows are named by their lines, and the rest is imported', async () => {
  const { items, refused } = await read(
    'Вид;Вопрос;Верные;Вариант 1;Вариант 2;Баллы\nодин вариант;"в две\nстроки";1;а;б;1\nодин вариант;Б;5;а;б;1\nзагадка;В;1;а;б;1\nчисло;Г;5;;;два\nчисло;;5;;;1\nчисло;Д;5;;;1,5\n',
    'windows-1251',
  );
  expect(items.map(({ place, question }) => [place, question.text, question.points])).toEqual([
    ['строка 2', 'в две\nстроки', 1],
    ['строка 8', 'Д', 1.5],
  ]);
  expect(refused.map(({ place, reason }) => [place, reason.slice(0, 30)])).toEqual([
    ['строка 4', 'В столбце «Верные» стоит «5», '],
    ['строка 5', 'Вид «загадка» неизвестен. Быва'],
    ['строка 6', 'Баллы — «два», а нужно число о'],
    ['строка 7', 'Нет текста вопроса'],
  ]);
});

test('an unclosed quote refuses no more than its row', async () => {
  const { items } = await read('Вопрос;Верные\nА;1\n"Б;2\nВ;3\n');
  expect(items.map(({ question }) => question.text)).toContain('А');
  expect(items.map(({ question }) => question.text)).toContain('В');
});

test('a table without required columns is refused with their names', async () => {
  await expect(read('Имя;Фамилия\nИван;Иванов\n')).rejects.toThrow('нет столбца «Вопрос»');
  await expect(read('Вопрос;Баллы\nГде?;1\n')).rejects.toThrow('нет столбца «Верные»');
});

test('random tests come back equal from CSV, or the loss is reported', async () => {
  await expectRoundTrip(writeCsv, readCsv);
}, 120_000);

test('unfinished questions do no harm', async () => {
  await expectUnfinishedSafe(writeCsv, readCsv);
}, 120_000);

test('hostile files do no harm', async () => {
  const signs = ['Вопрос', 'Верные', 'Вариант 1', ';', '"', '""', '\n', '1', 'один вариант', '\t'];
  await expectHarmless(readCsv, ['Вопрос;Верные;Вариант 1;Вид\n', ...signs, '=1+1', '<b>', '|']);
}, 120_000);

test('long repeated input is read quickly', async () => {
  const head = 'Вопрос;Верные;Вариант 1\n';
  await expectNoHang(readCsv, [';', '"', '""', 'а;"', `${head}"`, `${head}а;`, '\n', ' ', '![']);
}, 120_000);

test('more questions than fit are cut off with a note', async () => {
  await expectBounded(readCsv, (index) =>
    index === 0 ? 'Вопрос;Верные\nНулевой;1\n' : `Вопрос ${index};${index}\n`,
  );
}, 120_000);

test('cells of other systems are plain text: no sign in them is markup', async () => {
  const { items } = await read(
    'Question,Answer 1,Answer 2,Correct answer,Explanation\nЧто делает __init__ и 2*3*4?,# ошибка,1945. Победа,2,*так*',
  );
  expect(items[0]?.question).toMatchObject({
    text: String.raw`Что делает \_\_init\_\_ и 2\*3\*4?`,
    options: [
      { text: String.raw`\# ошибка`, isRight: false },
      { text: String.raw`1945\. Победа`, isRight: true },
    ],
    explanation: String.raw`\*так\*`,
  });
});

test.each([
  [
    'several columns of right answers',
    'Question Type,Question,Answer A,Answer B,Answer C,Correct Answer,Correct Answer\nMultiple choice,Кто?,кот,пёс,лев,A,C',
    [true, false, true],
  ],
  [
    'wrong options in columns of their own',
    'Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2 (Optional)\nСтолица?,Рим,Милан,Турин',
    [true, false, false],
  ],
  [
    'a number that is the right answer, beside wrong ones',
    'Вопрос,Ответ,Неверный ответ 1,Неверный ответ 2\nСколько?,2,3,4',
    [true, false, false],
  ],
  [
    'all options in one cell, the right one by its text',
    'question,choices,answer\nСколько?,2|3|4,2',
    [true, false, false],
  ],
  [
    'heads with remarks, and a number of the question',
    'Question #,Question Text,Answer 1,"Answer 2\n(Optional)","Correct Answer(s)\n(Only include Answer #)"\n1,Кто?,кот,пёс,2',
    [false, true],
  ],
  [
    'a right answer of several words',
    'Вопрос,Вариант 1,Вариант 2,Ответ\nГде?,Нью Йорк,Рим,Нью Йорк',
    [true, false],
  ],
])('foreign tables: %s', async (_, text, key) => {
  const { items, refused } = await read(text);
  expect(refused).toEqual([]);
  const question = items[0]?.question;
  expect(items[0]?.losses).toEqual([]);
  if (question?.kind !== 'variant') throw new Error(question?.kind);
  expect(question.options.map(({ isRight }) => isRight)).toEqual(key);
  expect(question.multiple).toBe(key.filter(Boolean).length > 1);
});

test('heads without spaces between their words are known', async () => {
  const { items } = await read('questionText,optionA,optionB,CorrectOption\nСила?,Па,Н,B');
  expect(items[0]?.question).toMatchObject({ kind: 'variant', options: [{}, { isRight: true }] });
});

test('a row with more cells than heads is refused instead of being read askew', async () => {
  const { items, refused } = await read(
    'question,option_a,option_b,correct_option\nСколько штук, ровно?,1,2,B\nСила?,Па,Н,B',
  );
  expect(items).toHaveLength(1);
  expect(refused).toMatchObject([{ reason: expect.stringContaining('больше, чем столбцов') }]);
});

test('one option in each row is no answer to type', async () => {
  const { items, refused } = await read('вопрос;вариант;баллы\nКто вы?;лидер;5\nКто вы?;зритель;0');
  expect(items).toEqual([]);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.reason).toContain('один вариант');
});

test('an unknown kind of a foreign table is derived from the answers and reported', async () => {
  const { items } = await read('type,question,option_a,option_b,answer\nmcq,Сила?,Па,Н,B');
  expect(items[0]?.question).toMatchObject({ kind: 'variant' });
  expect(items[0]?.losses).toEqual([expect.stringContaining('«mcq»')]);
});

test('a lone column of answers to different questions is one, whatever its kind is called', async () => {
  const { items, refused } = await read(
    'Вопрос,Ответ 1\nСтолица?,Париж\nРека?,Сена\nОпишите город,',
  );
  expect(refused).toEqual([]);
  expect(items.map(({ question }) => question.kind)).toEqual(['open', 'open', 'open']);
  const named = await read('Тип,Вопрос,Вариант\nвикторина,Столица?,Париж\nвикторина,Столица?,Рим');
  expect(named.refused).toHaveLength(2);
});

test("heads of other systems' tables: a lone «правильный», marks, a category", async () => {
  const { items, notes } = await read(
    'категория;вопрос;варианты;правильный;marks\nСплавы;Что легче?;медь|алюминий|олово;2;3\n',
  );
  expect(notes).toEqual([]);
  expect(items[0]).toMatchObject({
    losses: [],
    question: {
      kind: 'variant',
      points: 3,
      topic: 'Сплавы',
      options: [{ isRight: false }, { text: 'алюминий', isRight: true }, { isRight: false }],
    },
  });
});

test('the better named of two columns for one field is read; the other is reported', async () => {
  const { items, notes } = await read(
    'Категория;Тема;Вопрос;Marks;Points;Вариант 1;Вариант 2;Верные\nХимия;Соли;Что?;7;3;а;б;1\n',
  );
  expect(items[0]?.question).toMatchObject({ topic: 'Соли', points: 3 });
  expect(notes).toEqual(['Столбцы «Категория», «Marks» не читаются: таких у вопросов нет']);
});
