import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Question } from '#contract/questions.ts';
import { TemplateBody } from '#contract/templates.ts';
import { shownIdentity } from '#domain/normalise.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { cpuMs } from '#tests/cpu.ts';
import { compileTemplate } from './compiled.ts';
import { questionOf } from './drawn-question.ts';
import { instantiate, MAX_TRIES, Walk } from './draws.ts';
import { STARTERS } from './starters.ts';
import { TemplateError } from './template-error.ts';
import { newId, templateBody as body, templateId, walked } from './testing.ts';

const PINNED = [
  'Масса 7 кг, ускорение 4 м/с². Какова сила?',
  'Масса 6 кг, ускорение 5 м/с². Какова сила?',
  'Масса 7 кг, ускорение 2 м/с². Какова сила?',
  'Масса 5 кг, ускорение 2 м/с². Какова сила?',
];
const PINNED_LARGE = [
  'Масса 226721,5 кг, ускорение 3 м/с². Какова сила?',
  'Масса 169908,1 кг, ускорение 3 м/с². Какова сила?',
];
const one = (parts: Partial<TemplateBody>, number = 0) =>
  instantiate({ templateId, body: body(parts) }, 'зерно', number, newId);
const fixed = (given: Readonly<Record<string, number>>): TemplateBody['variables'] =>
  Object.entries(given).map(([name, value]) => ({ kind: 'list', name, values: [value] }));

test('the same seed and number always make the same question', () => {
  const pinned = [0, 1, 7, 400].map((number) => {
    const { text } = one({}, number);
    return text;
  });
  expect(pinned).toEqual(PINNED);
  const large = body({
    variables: [
      { kind: 'range', name: 'm', from: 0, to: 1e6, step: 0.1 },
      { kind: 'list', name: 'a', values: [3] },
    ],
  });
  expect(
    [0, 1].map((number) => instantiate({ templateId, body: large }, 'зерно', number, newId).text),
  ).toEqual(PINNED_LARGE);
});

test('another seed or template makes other questions', () => {
  const texts = (seed: string, id: string) =>
    walked(new Walk({ templateId: id, body: body() }, seed), 10).map(({ content }) => content.text);
  expect(texts('a', templateId)).toEqual(texts('a', templateId));
  expect(texts('a', templateId)).not.toEqual(texts('b', templateId));
  expect(texts('a', templateId)).not.toEqual(texts('a', templateId.replace(/1$/, '2')));
});

test('draws are distinct, every set of values is drawn, and the end is reported', () => {
  const walk = new Walk({ templateId, body: body() }, 's');
  const all = walked(walk, 300);
  expect(new Set(all.map(({ content }) => content.text)).size).toBe(27);
  expect(walk.given).toBe(27);
  expect(walk.next()).toBeNull();
});

test('sets with equal texts count once', () => {
  const walk = new Walk(
    {
      templateId,
      body: body({
        text: 'Сколько будет {{m}}?',
        key: { kind: 'open', answer: 'm', tolerance: 0 },
      }),
    },
    's',
  );
  expect(walked(walk, 300)).toHaveLength(9);
});

const pair = (values: readonly [number, number]): TemplateBody['variables'][number][] =>
  ['m', 'a'].map((name) => ({ kind: 'list', name, values: [...values] }));

test.each<[string, number, TemplateBody['key']]>([
  ['two different numbers', 2, { kind: 'open', answer: 'm', tolerance: 0 }],
  [
    'the same options in another order',
    1,
    {
      kind: 'variant',
      answer: '7',
      unit: '',
      distractors: ['m', 'a'].map((expression) => ({ expression, feedback: '' })),
    },
  ],
  [
    'the same options with another right one',
    2,
    {
      kind: 'variant',
      answer: 'm',
      unit: '',
      distractors: [{ expression: 'a', feedback: '' }],
    },
  ],
  [
    'two different numbers in a gap',
    2,
    { kind: 'gaps', gaps: [{ gapId: '1', input: 'number', answer: 'm', tolerance: 0 }] },
  ],
])('one text with %s: %i draws', (_, count, key) => {
  const parts = { text: 'Сколько? [[1]]', variables: pair([1, 2]), condition: 'm != a', key };
  expect(walked(new Walk({ templateId, body: body(parts) }, 's'), 10)).toHaveLength(count);
});

test('every draw satisfies the condition', () => {
  const walk = new Walk({ templateId, body: body({ condition: 'm > a and mod(m; 2) == 1' }) }, 's');
  for (const { content } of walked(walk, 300)) {
    const [m = 0, a = 0] = (content.text.match(/\d+/g) ?? []).map(Number);
    expect(m).toBeGreaterThan(a);
    expect(m % 2).toBe(1);
  }
  expect(walk.given).toBe(9);
});

test('an unsatisfiable condition is reported after at most 2,000 tries', () => {
  const few = new Walk({ templateId, body: body({ condition: 'm > 100' }) }, 's');
  expect(() => few.next()).toThrow(
    'Не подошёл ни один из возможных наборов чисел (27 наборов): условие «m > 100» не выполняется',
  );
  const wide = body({
    variables: [{ kind: 'range', name: 'm', from: 0, to: 1e9, step: 1 }, ...fixed({ a: 1 })],
    condition: 'm < 0',
  });
  expect(MAX_TRIES).toBe(2_000);
  expect(() => new Walk({ templateId, body: wide }, 's').next()).toThrow(
    'За 2\u00a0000 попыток не подошёл ни один набор чисел: условие «m < 0» не выполняется',
  );
});

test('sets that fail to evaluate are skipped; if all fail, the reason is reported', () => {
  const key = { kind: 'open' as const, answer: 'a / (m - 5)', tolerance: 0 };
  expect(walked(new Walk({ templateId, body: body({ key }) }, 's'), 300)).toHaveLength(24);
  const never = body({ key: { ...key, answer: 'a / (m - m)' } });
  expect(() => new Walk({ templateId, body: never }, 's').next()).toThrow(
    /наборов\)\. Деление на ноль при a = \d, m = \d$/,
  );
});

test('a distractor that always equals the answer is reported', () => {
  const key = {
    kind: 'variant' as const,
    answer: 'm * a',
    unit: 'Н',
    distractors: [{ expression: 'a * m', feedback: '' }],
  };
  expect(() => new Walk({ templateId, body: body({ key }) }, 's').next()).toThrow(
    /Варианты ответа повторяются: «\d+\sН» встречается дважды/,
  );
});

test.each([
  ['{{a}} + {{b}} и {{a * b}}', { a: 2.5, b: -3 }, '2,5 + (−3) и −7,5'],
  ['Температура {{b}} °C — {{a}}', { a: -1.25, b: -3 }, 'Температура −3 °C — −1,25'],
  ['$2 + {{b}} - {{b}} \\cdot {{b}}$', { b: -3 }, '$2 + (-3) - (-3) \\cdot (-3)$'],
  ['$x = {{b}}, {{b}}^2, x^{{b}}, x_{{a}}$', { a: 12, b: -3 }, '$x = -3, (-3)^2, x^{-3}, x_{12}$'],
  ['$\\frac{{{b}}}{{{a}}}$', { a: 0.5, b: -3 }, '$\\frac{-3}{0{,}5}$'],
  ['$$2{{b}} + x {{b}}$$', { b: -3 }, '$$2(-3) + x (-3)$$'],
  ['Цена 5 \\$ и {{a}} \\$', { a: 3 }, 'Цена 5 \\$ и 3 \\$'],
  ['{{a / 3}} и {{a}}', { a: 0.125 }, '0,04 и 0,125'],
  ['{{0 * b}}', { b: -3 }, '0'],
  ['{{1 / a}}', { a: 1e9 }, '0'],
])('%s is written %j as %s', (text, given, written) => {
  const made = one({
    text,
    variables: fixed(given),
    key: { kind: 'open', answer: '1', tolerance: 0 },
  });
  expect(made.text).toBe(written);
});

test('a formula variable is computed from those above it, without intermediate rounding', () => {
  const made = one({
    text: '{{v}}',
    variables: [...fixed({ a: 10 }), { kind: 'formula', name: 'v', expression: 'a / 3' }],
    key: { kind: 'open', answer: 'v * 3', tolerance: 0.01 },
  });
  expect(made).toMatchObject({
    kind: 'open',
    input: 'number',
    text: '3,33',
    accepted: [{ text: '10', share: 1 }],
    tolerance: 0.01,
    origin: { kind: 'template', templateId, seed: 'зерно', number: 0 },
  });
});

test('options have unit and feedback, and no distractor equals the answer', () => {
  const made = one({
    topic: 'Динамика',
    difficulty: 'hard',
    tags: ['сила'],
    variables: fixed({ m: 4, a: 3 }),
    key: {
      kind: 'variant',
      answer: 'm * a',
      unit: 'Н',
      distractors: [
        { expression: 'm + a', feedback: 'Не {{m + a}}: их умножают' },
        { expression: 'm / a', feedback: '' },
      ],
    },
  });
  if (made.kind !== 'variant') throw new Error('not a choice');
  expect(made).toMatchObject({
    shuffle: true,
    multiple: false,
    topic: 'Динамика',
    difficulty: 'hard',
    tags: ['сила'],
  });
  expect(made.options.map(({ text }) => text).toSorted()).toEqual([
    '1,33\u00a0Н',
    '12\u00a0Н',
    '7\u00a0Н',
  ]);
  expect(made.options.filter(({ isRight }) => isRight).map(({ text }) => text)).toEqual([
    '12\u00a0Н',
  ]);
  expect(made.options.find(({ text }) => text.startsWith('7'))?.feedback).toBe('Не 7: их умножают');
});

test('every error is reported at its field', () => {
  const { compiled, problems } = compileTemplate(
    body({
      title: ' ',
      points: 0,
      text: '{{x}}',
      explanation: '{{1 +}}',
      condition: 'm >',
      variables: [
        { kind: 'range', name: 'pi', from: 1, to: 0, step: 0 },
        { kind: 'list', name: 'm', values: [] },
        { kind: 'formula', name: 'm', expression: 'later' },
        { kind: 'formula', name: 'later', expression: 'm' },
        { kind: 'list', name: 'ж', values: [1] },
      ],
      key: {
        kind: 'variant',
        answer: 'q',
        unit: '',
        distractors: [{ expression: '', feedback: '{{y}}' }],
      },
    }),
  );
  expect(compiled).toBeNull();
  expect(new Map(problems.map(({ field, message }) => [field, message]))).toEqual(
    new Map([
      ['title', 'Введите название шаблона'],
      ['points', 'Баллы больше нуля'],
      ['variables.0.name', 'Имя pi занято: выберите другое'],
      ['variables.0.step', 'Шаг больше нуля'],
      ['variables.0.to', '«До» не меньше, чем «от»'],
      ['variables.1.values', 'Введите хотя бы одно число'],
      ['variables.2.name', 'Имя m уже есть выше'],
      ['variables.2.expression', 'Переменная later не задана'],
      ['variables.4.name', 'Имя: латинская буква, потом буквы и цифры'],
      ['condition', 'Выражение «m >» не разобрать: в конце не хватает числа или переменной'],
      ['text', 'Переменная x не задана'],
      ['answer', 'Переменная q не задана'],
      ['distractors.0.expression', 'Введите выражение'],
      ['distractors.0.feedback', 'Переменная y не задана'],
      ['explanation', 'Выражение «1 +» не разобрать: в конце не хватает числа или переменной'],
    ]),
  );
});

test.each(STARTERS.map((starter) => [starter.title, starter] as const))(
  'the starter «%s» is whole and makes three hundred questions that can be published',
  (_, starter) => {
    const template = { templateId, body: v.parse(TemplateBody, starter) };
    const walk = new Walk(template, 's');
    const questions = walked(walk, 300).map((drawn) => questionOf(template, 's', drawn, newId));
    expect(questions.length).toBeGreaterThan(100);
    expect(publishingProblems(questions)).toEqual([]);
    for (const question of questions) expect(v.is(Question, question)).toBe(true);
  },
);

test('a hundred and fifty variants are drawn quickly, in short slices', () => {
  const [starter = body()] = STARTERS;
  const template = { templateId, body: starter };
  const started = cpuMs();
  const walk = new Walk(template, 's');
  let longest = 0;
  for (let count = 0; count < 150; count += 1) {
    const before = cpuMs();
    walk.next();
    longest = Math.max(longest, cpuMs() - before);
  }
  expect(cpuMs() - started).toBeLessThan(10_000);
  expect(longest).toBeLessThan(2_000);
});

describe('whatever the template', () => {
  const number = fc.double({ min: -1_000, max: 1_000, noNaN: true });
  const variable = (name: string) =>
    fc.oneof(
      fc.record({
        kind: fc.constant('range' as const),
        name: fc.constant(name),
        from: number,
        to: number.map((span) => Math.abs(span) + 1_000),
        step: fc.double({ min: 0.01, max: 50, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant('list' as const),
        name: fc.constant(name),
        values: fc.array(number, { minLength: 1, maxLength: 6 }),
      }),
    );
  const operand = fc.constantFrom('a', 'b', 'f', '2', '0,5', '(a - b)', 'abs(a)', 'sqrt(b)');
  const expression = fc
    .array(fc.tuple(operand, fc.constantFrom('+', '-', '*', '/', '^')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((all) => `${all.map(([left, sign]) => `${left} ${sign}`).join(' ')} a`);
  const templates = fc
    .record({
      a: variable('a'),
      b: variable('b'),
      formula: fc.constantFrom('a + b', 'a / b', 'sqrt(abs(a))'),
      answer: expression,
      distractors: fc.array(expression, { minLength: 1, maxLength: 4 }),
      condition: fc.constantFrom('', 'a != b', 'a > 0 or b > 0'),
      decimals: fc.integer({ min: 0, max: 10 }),
    })
    .map(({ a, b, formula, answer, distractors, condition, decimals }) =>
      body({
        text: 'Дано {{a}} и ${{b}} + {{f}}^2$',
        variables: [a, b, { kind: 'formula', name: 'f', expression: formula }],
        condition,
        decimals,
        key: {
          kind: 'variant',
          answer,
          unit: '',
          distractors: distractors.map((source) => ({ expression: source, feedback: '' })),
        },
      }),
    );

  test('each question has exactly one correct option, and is reproducible from its origin', () => {
    let made = 0;
    fc.assert(
      fc.property(templates, fc.string({ minLength: 1, maxLength: 20 }), (drawnBody, seed) => {
        const template = { templateId, body: drawnBody };
        const before = cpuMs();
        try {
          const walk = new Walk(template, seed);
          const texts = new Set<string>();
          for (const drawn of walked(walk, 5)) {
            const question = questionOf(template, seed, drawn, newId);
            if (question.kind !== 'variant') throw new Error('not a choice');
            const shown = question.options.map(({ text }) => shownIdentity(text));
            expect(new Set(shown).size).toBe(shown.length);
            expect(question.options.filter(({ isRight }) => isRight)).toHaveLength(1);
            expect(shown.join()).not.toMatch(/nan|infinity|undefined|e/i);
            const again = instantiate(template, seed, drawn.number, newId);
            expect(again.text).toBe(question.text);
            expect(again.kind === 'variant' && again.options.map(({ text }) => text)).toEqual(
              question.options.map(({ text }) => text),
            );
            texts.add(JSON.stringify([question.text, shown.toSorted()]));
            made += 1;
          }
          expect(texts.size).toBe(walk.given);
        } catch (cause) {
          expect(cause).toBeInstanceOf(TemplateError);
        }
        expect(cpuMs() - before).toBeLessThan(20_000);
      }),
      { numRuns: 40 },
    );
    expect(made).toBeGreaterThan(30);
  }, 120_000);
});
