import { expect, test } from 'vitest';
import { comparable } from '#interchange/comparable.ts';
import { detectFormat } from '#interchange/detect.ts';
import { encoded } from '#interchange/testing/encoded.ts';
import { expectHarmless, expectNoHang } from '#interchange/testing/hostile.ts';
import { newId } from '#interchange/testing/round-trip.ts';
import { readMarkedText } from './read.ts';

async function read(text: string) {
  const file = { name: 'т.txt', bytes: encoded(text, 'utf-8') };
  expect(detectFormat(file)).toBe('markedText');
  const { items, refused, notes } = await readMarkedText(file, { newId });
  return {
    questions: items.map(({ question }) => comparable(question)),
    losses: items.map(({ losses }) => losses),
    refused,
    notes,
  };
}

test('signs in options are text where tags say which are right', async () => {
  const { questions } = await read(
    '<question>Знак умножения?\n<variantright>*\n<variant>%;\n<variant>+x;\n<question>Ещё?\n<variantright>int[] a = {1};\n<variant>++',
  );
  expect(questions).toMatchObject([
    {
      multiple: false,
      options: [
        { text: '\\*', isRight: true },
        { text: '%;', isRight: false },
        { text: '+x;', isRight: false },
      ],
    },
    {
      options: [
        { text: 'int\\[] a = {1};', isRight: true },
        { text: '++', isRight: false },
      ],
    },
  ]);
  const { questions: ast } = await read('I:\nS: Знак?\n+: *\n-: +');
  expect(ast).toMatchObject([
    {
      options: [
        { text: '\\*', isRight: true },
        { text: '\\+', isRight: false },
      ],
    },
  ]);
});

test.each(['variantright', 'variant_right', 'variant_correct'])(
  '<%s> is the right option',
  async (tag) => {
    const { questions, losses } = await read(`<question>Столица?\n<variant>Тверь\n<${tag}>Москва`);
    expect(questions).toMatchObject([
      {
        options: [
          { text: 'Тверь', isRight: false },
          { text: 'Москва', isRight: true },
        ],
      },
    ]);
    expect(losses).toEqual([[]]);
  },
);

test('«АСТ-Тест»: options, an answer in words, pairs with a spare right side', async () => {
  const { questions, losses, refused, notes } = await read(
    [
      'V1: {{1}} Механика',
      'I: {{1}} ТЗ 1; t=90',
      'Q: Выберите ответ',
      'S: Единица силы',
      'в системе СИ',
      '+: ньютон',
      '-: паскаль',
      '-: джоуль',
      '',
      'I: {{2}}',
      'S: Столица России — ###.',
      '+: Москва',
      '+: г. Москва',
      '',
      'I: {{3}}',
      'S: Величины и единицы',
      'L1: сила',
      'R1: Н',
      'L2: давление',
      'R2: Па',
      'R3: Дж',
    ].join('\n'),
  );
  expect(refused).toEqual([]);
  expect(questions).toMatchObject([
    {
      kind: 'variant',
      text: 'Выберите ответ\nЕдиница силы\nв системе СИ',
      multiple: false,
      options: [
        { text: 'ньютон', isRight: true },
        { text: 'паскаль', isRight: false },
        { text: 'джоуль', isRight: false },
      ],
    },
    { kind: 'open', accepted: [{ text: 'Москва' }, { text: 'г. Москва' }] },
    {
      kind: 'compliance',
      left: [
        { text: 'сила', right: 0 },
        { text: 'давление', right: 1 },
      ],
      right: ['Н', 'Па', 'Дж'],
    },
  ]);
  expect(losses).toEqual([[], [], []]);
  expect(notes.join()).toContain('Механика');
});

test('«АСТ-Тест» without «I:»; the numbers of an order are the places of its items', async () => {
  const { questions, refused } = await read(
    'S: Один?\n+: да\n-: нет\nS: Два?\n-: да\n+: нет\nI: 3\nS: По порядку\n2: второе\nи ещё\n1: первое',
  );
  expect(questions.map((question) => question['text'])).toEqual(['Один?', 'Два?', 'По порядку']);
  expect(questions[2]).toMatchObject({ kind: 'ordering', items: ['первое', 'второе\nи ещё'] });
  expect(refused).toEqual([]);
});

test('<question> and <variant>: the first variant is right, with a note', async () => {
  const { questions, losses } = await read(
    '<question>Единица силы?\n<variant>Н\n<variant>Па\n<question>Столица? <variant>Астана<variant>Алматы',
  );
  expect(questions).toMatchObject([
    {
      text: 'Единица силы?',
      // Otherwise every student would find it in the first position.
      shuffle: true,
      options: [
        { text: 'Н', isRight: true },
        { text: 'Па', isRight: false },
      ],
    },
    { text: 'Столица?', options: [{ text: 'Астана', isRight: true }, { text: 'Алматы' }] },
  ]);
  expect(losses.flat()).toEqual(Array(2).fill(expect.stringContaining('Верным принят первый')));
});

test('end tags begin nothing and are no text', async () => {
  const { questions } = await read(
    '<question1>Сила?</question1>\n<variant>Н</variant>\n<variant>Па</variant></question1>',
  );
  expect(questions).toMatchObject([{ text: 'Сила?', options: [{ text: 'Н' }, { text: 'Па' }] }]);
});

test('reports a picture typed as a tag', async () => {
  const { losses } = await read(
    '<question>Число: <img src="/static/1.png"/>\n<variant>1\n<variant>2\n<question>Столица?\n<variant>Астана\n<variant>Алматы',
  );
  expect(losses[0]?.join()).toContain('тег остался текстом');
  expect(losses[1]?.join()).not.toContain('тег остался текстом');
});

test('<variantright> names the right one', async () => {
  const { questions, losses } = await read(
    '<question1>Сила?\n<variant>Па\n<variantright>Н\n<variant>Дж',
  );
  expect(questions).toMatchObject([
    { options: [{ isRight: false }, { text: 'Н', isRight: true }, { isRight: false }] },
  ]);
  expect(losses).toEqual([[]]);
});

test('hostile files do no harm and are read quickly', async () => {
  const signs = [
    'I:',
    'S:',
    '+:',
    '-:',
    'L1:',
    'R1:',
    '1:',
    'V1:',
    '\n',
    '<question>',
    '<variant>',
  ];
  await expectHarmless(readMarkedText, signs);
  await expectNoHang(readMarkedText, [
    'S:\n+:\n',
    '<question>a<variant>b',
    '<variant>',
    'S: ',
    'L1:\n',
  ]);
}, 300_000);

test('«АСТ-Тест»: a stem after an order begins a question; reports mixed answers and repeated numbers', async () => {
  const { questions, losses, refused } = await read(
    [
      'S: Расставьте по возрасту',
      '1: Игорь',
      '2: Ольга',
      'S: Единица силы',
      '+: ньютон',
      '2: лишняя строка',
      '-: паскаль',
      'S: Города по населению',
      '1: Москва',
      '1: Казань',
      '2: Тула',
    ].join('\n'),
  );
  expect(refused).toEqual([]);
  expect(questions).toMatchObject([
    { kind: 'ordering', items: ['Игорь', 'Ольга'] },
    {
      kind: 'variant',
      options: [
        { text: 'ньютон', isRight: true },
        { text: 'паскаль', isRight: false },
      ],
    },
    { kind: 'ordering' },
  ]);
  const isSaid = losses.map((all) => all.some((one) => one.startsWith('В вопросе смешаны')));
  expect(isSaid).toEqual([false, true, true]);
});
