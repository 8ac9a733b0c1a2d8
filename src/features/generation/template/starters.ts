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
];
