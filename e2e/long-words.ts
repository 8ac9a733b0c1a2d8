import type { Question } from '#contract/questions.ts';

const id = (number: number) => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;

const common = (number: number, text: string) => ({
  questionId: id(number),
  text,
  points: 2,
  explanation: '',
});

const choice = (
  number: number,
  text: string,
  multiple: boolean,
  options: readonly string[],
): Question => ({
  ...common(number, text),
  kind: 'variant',
  multiple,
  shuffle: false,
  scoring: 'partial',
  options: options.map((option, index) => ({
    optionId: `o${index}`,
    text: option,
    isRight: index === 1,
  })),
});

const matching = (
  number: number,
  text: string,
  pairs: readonly (readonly [string, string])[],
): Question => ({
  ...common(number, text),
  kind: 'compliance',
  shuffle: false,
  left: pairs.map(([left], index) => ({ leftId: `l${index}`, text: left })),
  right: pairs.map(([, right], index) => ({ rightId: `r${index}`, text: right })),
  pairs: pairs.map((_, index) => ({ leftId: `l${index}`, rightId: `r${index}` })),
});

const CHANGES = ['Уменьшается', 'Увеличивается', 'Не изменяется'];

/** Every kind of question with long words, and with formulas that stand alone. */
export const longWordQuestions: Question[] = [
  choice(1, 'Чему равен корень уравнения $x^2 = 2$?', false, [
    '$\\sqrt{2}$',
    '$\\frac{1}{2}$',
    '$2^{10}$',
    '$-2$',
  ]),
  choice(2, 'Выберите существительные с удвоенной согласной.', true, [
    'Искусственность',
    'Электрификация',
    'Достопримечательность',
    'Соответствие',
  ]),
  matching(3, 'Как изменится величина, если температура проводника повысится?', [
    ['Сопротивление проводника', CHANGES[1] ?? ''],
    ['Электропроводность', CHANGES[0] ?? ''],
    ['Масса', CHANGES[2] ?? ''],
  ]),
  matching(4, 'Подберите к дроби равное ей число.', [
    ['$\\frac{1}{2}$', '$0{,}5$'],
    ['$\\frac{3}{4}$', '$0{,}75$'],
  ]),
  matching(5, 'Подберите к понятию определение.', [
    [
      'Первобытнообщинный строй',
      'Общественное устройство, при котором средства производства принадлежат всем',
    ],
    [
      'Предпринимательство',
      'Самостоятельная деятельность, направленная на систематическое получение прибыли',
    ],
  ]),
  {
    ...common(6, 'Расположите по порядку.'),
    kind: 'ordering',
    items: ['Первобытнообщинный', 'Рабовладельческий', 'Феодальный', '$\\frac{1}{2}$'].map(
      (text, index) => ({
        itemId: `i${index}`,
        text,
      }),
    ),
  },
  {
    ...common(
      7,
      'При нагревании проводника его сопротивление [[1]], а электропроводность [[2]]. Единица: [[3]], степень: [[4]].',
    ),
    kind: 'gaps',
    gaps: [
      ...['1', '2'].map((gapId) => ({
        gapId,
        weight: 1,
        input: 'choice' as const,
        options: CHANGES.map((text, index) => ({
          optionId: `${gapId}-${index}`,
          text,
          isRight: index === 0,
        })),
      })),
      { gapId: '3', weight: 1, input: 'line', accepted: [{ text: 'ом', share: 1 }], tolerance: 0 },
      {
        gapId: '4',
        weight: 1,
        input: 'number',
        accepted: [{ text: '-5', share: 1 }],
        tolerance: 0,
      },
    ],
  },
  {
    ...common(8, 'Назовите единицу сопротивления.'),
    kind: 'open',
    input: 'line',
    accepted: [{ text: 'ом', share: 1 }],
    tolerance: 0,
  },
  {
    ...common(9, 'Опишите опыт, подтверждающий закон.'),
    kind: 'open',
    input: 'text',
    accepted: [],
    tolerance: 0,
  },
  {
    ...common(10, 'Приложите фотографию решения.'),
    kind: 'file',
    maxBytes: 10_000_000,
    accept: ['image/*', '.pdf'],
  },
];
