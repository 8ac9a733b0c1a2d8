import { describe, expect, test } from 'vitest';
import { tools } from '#interchange/testing/looks.ts';
import { evaluateFormula } from './formula.ts';
import { readMoodleXml } from './read.ts';

const numbers = (name: string, ...values: readonly (number | string)[]) =>
  `<dataset_definition><status><text>private</text></status><name><text>${name}</text></name><type>calculated</type><dataset_items>${values
    .map(
      (value, index) =>
        `<dataset_item><number>${index + 1}</number><value>${value}</value></dataset_item>`,
    )
    .join('')}</dataset_items></dataset_definition>`;

const answer = (
  formula: string,
  { fraction = 100, tolerance = '0.01', type = 1, length = 2, format = 1, feedback = '' } = {},
) =>
  `<answer fraction="${fraction}"><text>${formula}</text><tolerance>${tolerance}</tolerance><tolerancetype>${type}</tolerancetype><correctanswerformat>${format}</correctanswerformat><correctanswerlength>${length}</correctanswerlength><feedback format="html"><text>${feedback}</text></feedback></answer>`;

const read = (type: string, text: string, inner: string, ...data: string[]) =>
  readMoodleXml(
    {
      name: 'a.xml',
      bytes: new TextEncoder().encode(
        `<quiz><question type="${type}"><name><text>Сила</text></name><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext><defaultgrade>2</defaultgrade>${inner}<dataset_definitions>${data.join('')}</dataset_definitions></question></quiz>`,
      ),
    },
    tools,
  );

describe('a calculated question of Moodle', () => {
  test('with more formulas than anybody writes is refused before they are computed', async () => {
    const { refused } = await read(
      'calculated',
      '{={a}}'.repeat(201),
      answer('{a}'),
      numbers('a', 1, 2),
    );
    expect(refused.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('в нём больше 200 формул'),
    ]);
  });

  test('becomes alternatives with the numbers of the file: text, answer, tolerance, feedback', async () => {
    const { items, refused } = await read(
      'calculated',
      '<p>Масса {m} кг, ускорение {a} м/с². Удвоенное – {={a}*2}.</p>',
      answer('{m}*{a}', { feedback: 'Умножьте {m} на {a}' }),
      numbers('m', 2, 2.5),
      numbers('a', '3', '-4.0'),
    );
    expect(refused).toEqual([]);
    expect(items.map(({ question }) => question)).toMatchObject([
      {
        kind: 'open',
        input: 'number',
        points: 2,
        text: 'Масса 2 кг, ускорение 3 м/с². Удвоенное – 6.',
        tolerance: 0.06,
        accepted: [{ text: '6', share: 1, feedback: 'Умножьте 2 на 3' }],
      },
      {
        text: 'Масса 2,5 кг, ускорение -4,0 м/с². Удвоенное – -8.',
        tolerance: 0.1,
        accepted: [{ text: '-10', feedback: 'Умножьте 2,5 на -4,0' }],
      },
    ]);
    const groups = new Set(items.map(({ question }) => question.variantOf));
    expect([groups.size, groups.has(undefined)]).toEqual([1, false]);
    expect(items[0]?.losses).toEqual([
      'Вычисляемый вопрос: это один из 2 наборов чисел файла; ученик получит один из них',
    ]);
  });

  test('with options retains their texts, with numbers rounded as in the file', async () => {
    const { items } = await read(
      'calculatedmulti',
      'Корень из {x}?',
      `<single>true</single>${answer('{=sqrt({x})} см', { length: 3 })}${answer('{={x}/2} см', { fraction: 0, format: 2 })}`,
      numbers('x', 2),
    );
    expect(items).toMatchObject([
      {
        losses: ['Вычисляемый вопрос: числа в нём теперь постоянные'],
        question: {
          kind: 'variant',
          options: [
            { text: '1,414 см', isRight: true },
            { text: '1 см', isRight: false },
          ],
        },
      },
    ]);
    expect(items[0]?.question.variantOf).toBeUndefined();
  });

  test('has the tolerance of Moodle: relative, absolute, or geometric with a note', async () => {
    const toleranceOf = async (tolerance: string, type: number) => {
      const { items } = await read(
        'calculatedsimple',
        '{x}?',
        answer('{x}', { tolerance, type }),
        numbers('x', -50),
      );
      const [item] = items;
      return item?.question.kind === 'open' && [item.question.tolerance, item.losses.length];
    };
    expect(await toleranceOf('0.1', 1)).toEqual([5, 1]);
    expect(await toleranceOf('0.1', 2)).toEqual([0.1, 1]);
    expect(await toleranceOf('0.25', 3)).toEqual([10, 2]);
  });

  test('uses ten of many rows, omits rows without a value, and reports both', async () => {
    const { items } = await read(
      'calculatedsimple',
      '1/{x}?',
      answer('1/{x}'),
      numbers('x', 0, ...Array.from({ length: 30 }, (_, index) => index + 1)),
    );
    expect(items).toHaveLength(9);
    expect(items[0]?.losses.slice(1)).toEqual([
      'Наборов чисел в файле 31, взяты первые 10',
      'Наборы, для которых формула «1/{x}» не считается, пропущены',
    ]);
  });

  test.each([
    ['without rows', answer('{x}'), numbers('x'), 'наборов чисел к нему в файле нет'],
    ['with a formula of chance', answer('rand({x},9)'), numbers('x', 1), '«rand({x},9)»'],
    ['with an unknown variable', answer('{x}+{y}'), numbers('x', 1), '«{x}+{y}»'],
  ])('%s is refused with what to do', async (_, answers, data, words) => {
    const { items, refused } = await read('calculated', '{x}?', answers, data);
    expect(items).toEqual([]);
    expect(refused[0]?.reason).toContain(words);
    expect(refused[0]?.reason).toContain('Сделайте шаблон на экране «Подбор»');
  });
});

test.each([
  ['(2)+(3)*(-4)', -10],
  ['pow((2),10)/pi()', 1024 / Math.PI],
  ['round(2.5)+round(-1.005,2)', 1.99],
  ['LOG((100),10)', 2],
  ['1.5e3-1', 1499],
  ['2^3', null],
  ['2(3)', null],
  ['x=5', null],
  ['constructor(1)', null],
  ['(2', null],
  ['1/(0)', null],
])('%s is computed as Moodle does, or not at all', (formula, value) => {
  const computed = evaluateFormula(formula);
  if (value === null) expect(computed).toBeNull();
  else expect(computed).toBeCloseTo(value, 10);
});
