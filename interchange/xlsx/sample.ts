import type { Question } from '#contract/questions.ts';
import type { Exported } from '#interchange/model.ts';
import { tableOf } from '#interchange/table/write.ts';
import { bookOf } from './write.ts';

/** A question of each kind, as an example for filling in the table. */
const SAMPLE: readonly Question[] = [
  {
    questionId: '1',
    kind: 'variant',
    text: 'Столица России?',
    points: 1,
    multiple: false,
    shuffle: true,
    scoring: 'partial',
    options: [
      { optionId: '1', text: 'Тверь', isRight: false },
      { optionId: '2', text: 'Москва', isRight: true },
      { optionId: '3', text: 'Псков', isRight: false },
    ],
    explanation: 'В столбце «Верные» стоит номер верного варианта.',
    topic: 'География России',
    difficulty: 'easy',
    tags: ['столицы', '5 класс'],
  },
  {
    questionId: '2',
    kind: 'variant',
    text: 'Какие числа чётные?',
    points: 2,
    multiple: true,
    shuffle: false,
    scoring: 'partial',
    options: ['2', '3', '4'].map((text) => ({ optionId: text, text, isRight: text !== '3' })),
  },
  {
    questionId: '3',
    kind: 'open',
    text: 'Чему равно $\\sqrt{2}$ с точностью до сотых?',
    points: 1,
    input: 'number',
    accepted: [{ text: '1,41', share: 1 }],
    tolerance: 0.005,
  },
  {
    questionId: '4',
    kind: 'open',
    text: 'Кто написал «Капитанскую дочку»?',
    points: 1,
    input: 'line',
    accepted: [
      { text: 'Пушкин', share: 1 },
      { text: 'А. С. Пушкин', share: 1 },
    ],
    tolerance: 0,
  },
  {
    questionId: '5',
    kind: 'compliance',
    text: 'Соедините страны и столицы',
    points: 2,
    shuffle: true,
    left: ['Италия', 'Япония'].map((text) => ({ leftId: text, text })),
    right: ['Рим', 'Токио', 'Осло'].map((text) => ({ rightId: text, text })),
    pairs: [
      { leftId: 'Италия', rightId: 'Рим' },
      { leftId: 'Япония', rightId: 'Токио' },
    ],
  },
  {
    questionId: '6',
    kind: 'open',
    text: 'Расскажите, **как** вы провели лето',
    points: 5,
    input: 'text',
    accepted: [],
    tolerance: 0,
  },
  {
    questionId: '7',
    kind: 'file',
    text: 'Сфотографируйте чертёж',
    points: 3,
    maxBytes: 10 * 1024 * 1024,
    accept: ['image/*'],
  },
];

/** «Образец таблицы»: an importable Excel workbook with a question of each kind. */
export const tableSample = async (): Promise<Exported> => ({
  fileName: 'Образец таблицы.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  bytes: await bookOf(tableOf({ questions: SAMPLE }), 'Вопросы'),
  losses: [],
});
