import type { TemplateBody } from '#contract/templates.ts';

const common = { topic: '', tags: [], condition: '', explanation: '' };

/** Starter templates, which are copied to the teacher. */
export const STARTERS: readonly TemplateBody[] = [
  {
    ...common,
    title: 'Второй закон Ньютона',
    theme: 'physics',
    topic: 'Динамика',
    difficulty: 'easy',
    points: 1,
    text: 'Тело массой {{m}} кг движется с ускорением {{a}} м/с². Чему равна равнодействующая сил, приложенных к телу?',
    explanation: 'По второму закону Ньютона $F = ma = {{m}} \\cdot {{a}} = {{m * a}}$ Н.',
    variables: [
      { kind: 'range', name: 'm', from: 2, to: 20, step: 1 },
      { kind: 'range', name: 'a', from: 0.5, to: 5, step: 0.5 },
    ],
    condition: 'm != a',
    decimals: 2,
    key: {
      kind: 'variant',
      answer: 'm * a',
      unit: 'Н',
      distractors: [
        { expression: 'm / a', feedback: 'Массу нужно умножить на ускорение, а не делить.' },
        { expression: 'm + a', feedback: 'Массу и ускорение не складывают: у них разные единицы.' },
        { expression: 'm * a * 10', feedback: 'Ускорение свободного падения здесь ни при чём.' },
      ],
    },
  },
  {
    ...common,
    title: 'Линейное уравнение',
    theme: 'math',
    topic: 'Уравнения',
    difficulty: 'medium',
    points: 2,
    text: 'Решите уравнение ${{a}}x + {{b}} = {{a * x + b}}$. В ответ запишите $x$.',
    explanation: '${{a}}x = {{a * x + b}} - {{b}} = {{a * x}}$, поэтому $x = {{x}}$.',
    variables: [
      { kind: 'range', name: 'a', from: 2, to: 9, step: 1 },
      { kind: 'range', name: 'b', from: -12, to: 12, step: 1 },
      { kind: 'range', name: 'x', from: -8, to: 8, step: 1 },
    ],
    condition: 'b != 0 and x != 0',
    decimals: 0,
    key: { kind: 'open', answer: 'x', tolerance: 0 },
  },
  {
    ...common,
    title: 'Процент от числа',
    theme: 'math',
    topic: 'Проценты',
    difficulty: 'easy',
    points: 1,
    text: 'Товар стоил {{price}} ₽ и подешевел на {{p}} %. Сколько рублей он стоит теперь?',
    explanation: 'Осталось {{100 - p}} % цены: {{price}} · {{(100 - p) / 100}} = {{left}} ₽.',
    variables: [
      { kind: 'range', name: 'price', from: 200, to: 4000, step: 100 },
      { kind: 'list', name: 'p', values: [5, 10, 15, 20, 25, 30, 40] },
      { kind: 'formula', name: 'left', expression: 'price * (100 - p) / 100' },
    ],
    decimals: 2,
    key: { kind: 'open', answer: 'left', tolerance: 0 },
  },
  {
    ...common,
    title: 'Закон Ома с пропусками',
    theme: 'physics',
    topic: 'Электрический ток',
    difficulty: 'easy',
    points: 3,
    text: 'На резисторе сопротивлением {{R}} Ом напряжение {{U}} В. Сила тока равна [[1]] А: так говорит закон, названный по фамилии физика [[2]]. Если напряжение увеличить вдвое, сила тока [[3]].',
    explanation: 'По закону Ома $I = \\frac{U}{R} = \\frac{{{U}}}{{{R}}} = {{U / R}}$ А.',
    variables: [
      { kind: 'range', name: 'R', from: 2, to: 20, step: 1 },
      { kind: 'range', name: 'U', from: 6, to: 60, step: 2 },
    ],
    decimals: 2,
    key: {
      kind: 'gaps',
      gaps: [
        { gapId: '1', input: 'number', answer: 'U / R', tolerance: 0.01 },
        { gapId: '2', input: 'line', accepted: ['Ом', 'Ома', 'Георг Ом', 'Георга Ома'] },
        {
          gapId: '3',
          input: 'choice',
          right: 'станет {{2 * U / R}} А',
          wrong: ['станет {{U / R / 2}} А', 'не изменится'],
        },
      ],
    },
  },
  {
    ...common,
    title: 'Дроби по возрастанию',
    theme: 'math',
    topic: 'Обыкновенные дроби',
    difficulty: 'medium',
    points: 2,
    text: 'Расположите дроби по возрастанию.',
    explanation: 'Приведите дроби к общему знаменателю и сравните числители.',
    variables: [
      { kind: 'range', name: 'a', from: 1, to: 8, step: 1 },
      { kind: 'range', name: 'b', from: 1, to: 8, step: 1 },
      { kind: 'range', name: 'n', from: 3, to: 12, step: 1 },
    ],
    condition: 'a < n and b < n and a != b',
    decimals: 0,
    key: {
      kind: 'ordering',
      order: 'ascending',
      items: [
        { text: '$\\frac{{{a}}}{{{n}}}$', value: 'a / n' },
        { text: '$\\frac{{{b}}}{{{n}}}$', value: 'b / n' },
        { text: '$\\frac{{{a}}}{{{n + 1}}}$', value: 'a / (n + 1)' },
        { text: '$\\frac{{{b}}}{{{n + 2}}}$', value: 'b / (n + 2)' },
      ],
    },
  },
];
