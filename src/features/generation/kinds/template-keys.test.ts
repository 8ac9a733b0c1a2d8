import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Question } from '#contract/questions.ts';
import type { ItemOrder, TemplateBody, TemplateGap } from '#contract/templates.ts';
import { acceptedInGap, gapsShare } from '#domain/gaps.ts';
import { parseNumber } from '#domain/normalise.ts';
import { questionProblems } from '#domain/publishing.ts';
import { compileTemplate } from '#app/features/generation/template/compiled.ts';
import { questionOf } from '#app/features/generation/template/drawn-question.ts';
import { instantiate, Walk } from '#app/features/generation/template/draws.ts';
import { TemplateError } from '#app/features/generation/template/template-error.ts';
import {
  newId,
  templateBody,
  templateId,
  walked,
} from '#app/features/generation/template/testing.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

const fixed = (given: Readonly<Record<string, number>>): TemplateBody['variables'] =>
  Object.entries(given).map(([name, value]) => ({ kind: 'list', name, values: [value] }));
const withGaps = (gaps: TemplateGap[], parts: Partial<TemplateBody> = {}) =>
  templateBody({
    text: gaps.map(({ gapId }) => `Здесь [[${gapId}]].`).join(' '),
    ...parts,
    key: { kind: 'gaps', gaps },
  });
const withItems = (
  order: ItemOrder,
  items: { text: string; value?: string }[],
  parts: Partial<TemplateBody> = {},
) =>
  templateBody({
    text: 'Расположите по порядку.',
    ...parts,
    key: { kind: 'ordering', order, items: items.map((item) => ({ value: '', ...item })) },
  });
function drawnGaps(body: TemplateBody): Of<'gaps'> {
  const made = instantiate({ templateId, body }, 'зерно', 0, newId);
  if (made.kind !== 'gaps') throw new Error('no gaps');
  return made;
}
function drawnItems(body: TemplateBody): string[] {
  const made = instantiate({ templateId, body }, 'зерно', 0, newId);
  if (made.kind !== 'ordering') throw new Error('no ordering');
  return made.items.map(({ text }) => text);
}
const choice = (right: string, ...wrong: string[]): TemplateGap => ({
  gapId: '1',
  input: 'choice',
  right,
  wrong,
});

test('gaps support words with alternatives, a number with tolerance and options with numbers', () => {
  const made = drawnGaps(
    withGaps(
      [
        { gapId: '2', input: 'line', accepted: ['сила', 'сила {{m}}'] },
        { gapId: '1', input: 'number', answer: 'm / a', tolerance: 0.01 },
        { ...choice('{{m * a}} Н', '{{m + a}} Н', 'не изменится'), gapId: '12' },
      ],
      {
        text: 'При {{m}} кг это [[1]], [[2]] или [[12]].',
        variables: fixed({ m: 10, a: -3 }),
        points: 3,
      },
    ),
  );
  expect(made).toMatchObject({
    text: 'При 10 кг это [[1]], [[2]] или [[12]].',
    points: 3,
    origin: { kind: 'template', templateId, seed: 'зерно', number: 0 },
    gaps: [
      {
        gapId: '2',
        input: 'line',
        weight: 1,
        accepted: [
          { text: 'сила', share: 1 },
          { text: 'сила 10', share: 1 },
        ],
      },
      {
        gapId: '1',
        input: 'number',
        accepted: [{ text: '−3,33', share: 1 }],
        tolerance: 0.01,
      },
      {
        gapId: '12',
        input: 'choice',
        options: [
          { text: '−30 Н', isRight: true },
          { text: '7 Н', isRight: false },
          { text: 'не изменится', isRight: false },
        ],
      },
    ],
  });
  const answers = [
    { gapId: '1', text: '-3.335' },
    { gapId: '2', text: 'СИЛА 10' },
  ];
  expect(gapsShare(made, answers)).toBeCloseTo(2 / 3);
});

test('words that become equal are accepted once, the first as it is written', () => {
  const gap: TemplateGap = { gapId: '1', input: 'line', accepted: ['Ёж {{m}}', 'еж {{a}}', 'кот'] };
  const [made] = drawnGaps(withGaps([gap], { variables: fixed({ m: 2, a: 2 }) })).gaps;
  expect(made && acceptedInGap(made)).toEqual(['Ёж 2', 'кот']);
});

test('a choice with equal options is not drawn, and the reason is reported', () => {
  const variables: TemplateBody['variables'] = [
    { kind: 'list', name: 'm', values: [1, 2, 3] },
    { kind: 'list', name: 'a', values: [2] },
  ];
  const some = new Walk(
    { templateId, body: withGaps([choice('{{m}}', '{{a}}')], { variables }) },
    's',
  );
  expect(walked(some, 10)).toHaveLength(2);
  const never = withGaps([choice('{{m}} Н', '{{a - a + m}}  Н')], { variables });
  expect(() => new Walk({ templateId, body: never }, 's').next()).toThrow(
    /Варианты пропуска 1 повторяются: «\d {2}Н» встречается дважды/,
  );
  // Options that publishing accepts as different are drawn.
  expect(drawnGaps(withGaps([choice('мВт', 'МВт', 'кВт')])).gaps).toMatchObject([
    { options: [{ text: 'мВт' }, { text: 'МВт' }, { text: 'кВт' }] },
  ]);
});

test('a number of the text that would make a gap of its own is no draw', () => {
  const body = withGaps([choice('да', 'нет')], {
    text: '[[1]] и [[{{m}}]]',
    variables: fixed({ m: 7 }),
  });
  expect(() => new Walk({ templateId, body }, 's').next()).toThrow(
    'Число из текста становится номером пропуска: [[7]]',
  );
});

test('items are in the given order or sorted by value', () => {
  const items = [
    { text: 'три: {{c}}', value: 'c' },
    { text: 'раз: {{a}}', value: 'a' },
    { text: 'два: {{a * c}}', value: 'a * c' },
  ];
  const variables = fixed({ a: -2, c: 5 });
  expect(drawnItems(withItems('given', items, { variables }))).toEqual([
    'три: 5',
    'раз: −2',
    'два: −10',
  ]);
  const ascending = ['два: −10', 'раз: −2', 'три: 5'];
  expect(drawnItems(withItems('ascending', items, { variables }))).toEqual(ascending);
  expect(drawnItems(withItems('descending', items, { variables }))).toEqual(ascending.toReversed());
});

test('items with equal texts or values are not drawn, and the reason is reported', () => {
  const refusal = (body: TemplateBody) => {
    try {
      return JSON.stringify(new Walk({ templateId, body }, 's').next());
    } catch (cause) {
      return String(cause);
    }
  };
  const variables = fixed({ a: 0.1, b: 0.2 });
  const level = [
    { text: 'сумма', value: 'a + b' },
    { text: 'число', value: '0,3' },
  ];
  expect(refusal(withItems('ascending', level, { variables }))).toContain(
    'Пункты «число» и «сумма» стоят на одном месте: их значения равны',
  );
  expect(drawnItems(withItems('given', level, { variables }))).toEqual(['сумма', 'число']);
  const same = [{ text: '{{a}}' }, { text: '{{b - a}}' }];
  expect(refusal(withItems('given', same, { variables }))).toContain(
    'Пункты повторяются: «0,1» встречается дважды',
  );
});

const errorsOf = (body: TemplateBody) =>
  compileTemplate(body).problems.map(({ field, message }) => [field, message]);

test('every error of a gap is reported at its field', () => {
  expect(
    errorsOf(
      withGaps(
        [
          { gapId: '1', input: 'line', accepted: [] },
          { gapId: '2', input: 'line', accepted: ['{{x}}', ' '] },
          { gapId: '3', input: 'number', answer: 'm +', tolerance: 0 },
          { ...choice(' '), gapId: '4' },
          { ...choice('да', '{{y}}'), gapId: '4' },
          { gapId: '5', input: 'line', accepted: ['да'] },
        ],
        { text: '[[1]] [[2]] [[3]] [[4]] [[1]] [[9]]' },
      ),
    ),
  ).toEqual([
    ['text', 'Пропуск [[1]] стоит в тексте дважды'],
    ['text', 'В тексте есть [[9]], а такого пропуска нет'],
    ['gaps.0.accepted', 'Введите слово'],
    ['gaps.1.accepted', 'Переменная x не задана'],
    ['gaps.1.accepted', 'Введите слово'],
    ['gaps.2.answer', 'Выражение «m +» не разобрать: в конце не хватает числа или переменной'],
    ['gaps.3.right', 'Введите верный вариант'],
    ['gaps.3.wrong', 'Нужен хотя бы один неверный вариант'],
    ['gaps.4.input', 'Пропуск 4 уже есть выше'],
    ['gaps.4.wrong', 'Переменная y не задана'],
    ['gaps.5.input', 'В тексте нет [[5]]: впишите его на место пропуска или уберите пропуск'],
  ]);
  expect(errorsOf(withGaps([], { text: 'Без пропусков' }))).toEqual([
    ['gaps', 'Добавьте в текст хотя бы один пропуск'],
  ]);
});

test('every error of an item is reported at its field; its value counts only where it orders', () => {
  const items = [{ text: ' ', value: 'z' }];
  expect(errorsOf(withItems('given', items))).toEqual([
    ['items', 'Нужны хотя бы два пункта'],
    ['items.0.text', 'Введите текст пункта'],
  ]);
  expect(errorsOf(withItems('ascending', [{ text: '{{x}}', value: 'z' }, { text: 'б' }]))).toEqual([
    ['items.0.text', 'Переменная x не задана'],
    ['items.0.value', 'Переменная z не задана'],
    ['items.1.value', 'Введите выражение'],
  ]);
});

test('a word longer than a student can type is no draw', () => {
  const long = `${'а'.repeat(490)} {{m * 10^9}}`;
  const gap: TemplateGap = { gapId: '1', input: 'line', accepted: [long] };
  const body = withGaps([gap], { variables: fixed({ m: 123 }) });
  expect(() => new Walk({ templateId, body }, 's').next()).toThrow('Текст длиннее 500 символов');
});

describe('whatever the template', () => {
  const number = fc.oneof(
    fc.integer({ min: -20, max: 99 }),
    fc.double({ min: -1_000, max: 1_000, noNaN: true }),
  );
  const variables = fc
    .tuple(
      ...['a', 'b'].map((name) =>
        fc.tuple(fc.constant(name), fc.array(number, { minLength: 1, maxLength: 5 })),
      ),
    )
    .map((all): TemplateBody['variables'] =>
      all.map(([name, values]) => ({ kind: 'list', name, values })),
    );
  const expression = fc.constantFrom('a', 'b', 'a + b', 'a * b', 'a / b', 'sqrt(a)', 'b - a', '2');
  /** Includes text that could break a gap, a formula or a list of words. */
  const text = fc.oneof(
    expression.map((source) => `{{${source}}}`),
    expression.map((source) => `$x^{{${source}}}$ м`),
    fc.constantFrom('да', 'Нет', '[[1]]', '|', '  ', '«ёж»', '$', '{{', 'x\u00a0y'),
    fc.string({ maxLength: 12 }),
  );
  const gap = (gapId: string): fc.Arbitrary<TemplateGap> =>
    fc.oneof(
      fc.record({
        gapId: fc.constant(gapId),
        input: fc.constant('line' as const),
        accepted: fc.array(text, { maxLength: 4 }),
      }),
      fc.record({
        gapId: fc.constant(gapId),
        input: fc.constant('number' as const),
        answer: expression,
        tolerance: fc.constantFrom(0, 0.5),
      }),
      fc.record({
        gapId: fc.constant(gapId),
        input: fc.constant('choice' as const),
        right: text,
        wrong: fc.array(text, { maxLength: 4 }),
      }),
    );
  const decimals = fc.integer({ min: 0, max: 10 });
  const seeds = fc.string({ minLength: 1, maxLength: 20 });

  /** The questions of the first draws; none where the template has errors. */
  function questionsOf(body: TemplateBody, seed: string): Question[] {
    const template = { templateId, body };
    try {
      return walked(new Walk(template, seed), 5).map((drawn) => {
        const question = questionOf(template, seed, drawn, newId);
        const again = instantiate(template, seed, drawn.number, newId);
        expect(withoutIds(again)).toEqual(withoutIds(question));
        return question;
      });
    } catch (cause) {
      expect(cause).toBeInstanceOf(TemplateError);
      return [];
    }
  }
  const withoutIds = (question: Question): unknown =>
    JSON.parse(
      JSON.stringify(question, (key, value: unknown) =>
        ['questionId', 'optionId', 'itemId'].includes(key) ? undefined : value,
      ),
    );

  test('questions with gaps can be published, and what their key shows earns all points', () => {
    let made = 0;
    fc.assert(
      fc.property(
        fc.tuple(variables, decimals, gap('1'), gap('2'), text, seeds),
        ([given, places, first, second, around, seed]) => {
          const body = withGaps([first, second], {
            text: `${around} [[1]] и {{a}} [[2]]`,
            variables: given,
            decimals: places,
          });
          for (const question of questionsOf(body, seed)) {
            if (question.kind !== 'gaps') throw new Error('no gaps');
            expect(questionProblems(question)).toEqual([]);
            expect(v.is(Question, question)).toBe(true);
            const answers = question.gaps.map((one) =>
              one.input === 'choice'
                ? {
                    gapId: one.gapId,
                    optionId: one.options.find(({ isRight }) => isRight)?.optionId ?? '',
                  }
                : { gapId: one.gapId, text: one.accepted.at(-1)?.text ?? '' },
            );
            expect(gapsShare(question, answers)).toBe(1);
            made += 1;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(made).toBeGreaterThan(100);
  }, 120_000);

  test('orderings can be published, and items stand by their values', () => {
    let made = 0;
    const items = fc.uniqueArray(expression, { minLength: 2, maxLength: 5 });
    const orders = fc.constantFrom<ItemOrder>('ascending', 'descending');
    fc.assert(
      fc.property(fc.tuple(variables, items, orders, seeds), ([given, sources, order, seed]) => {
        const body = withItems(
          order,
          sources.map((source) => ({ text: `{{${source}}}`, value: source })),
          { variables: given, decimals: 10 },
        );
        for (const question of questionsOf(body, seed)) {
          if (question.kind !== 'ordering') throw new Error('no ordering');
          expect(questionProblems(question)).toEqual([]);
          expect(v.is(Question, question)).toBe(true);
          const values = question.items.map((item) => parseNumber(item.text) ?? NaN);
          const sorted = values.toSorted((a, b) => (order === 'ascending' ? a - b : b - a));
          expect(values).toEqual(sorted);
          made += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(made).toBeGreaterThan(100);
  }, 120_000);
});
