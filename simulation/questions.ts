import type { Question } from '#contract/questions.ts';
import { CANARY, smallTest } from '#tests/school.ts';

/** Further kinds, which the oldest served apps lack: their starts of such a test are refused. */
const laterKinds: Question[] = [
  {
    questionId: '00000000-0000-4000-8000-000000000007',
    kind: 'ordering',
    text: 'Расставьте по порядку',
    points: 3,
    items: [
      { itemId: 'a', text: 'Опыт' },
      { itemId: 'b', text: 'Закон' },
      { itemId: 'c', text: 'Следствие' },
      { itemId: 'd', text: 'Проверка' },
    ],
    explanation: CANARY,
  },
  {
    questionId: '00000000-0000-4000-8000-000000000008',
    kind: 'gaps',
    text: 'Ускорение [[1]] м/с², единица силы — [[2]], масса [[3]] кг',
    points: 4,
    gaps: [
      {
        gapId: '1',
        weight: 2,
        input: 'number',
        accepted: [{ text: '42', share: 1, feedback: CANARY }],
        tolerance: 8,
      },
      {
        gapId: '2',
        weight: 1,
        input: 'choice',
        options: [
          { optionId: 'a', text: 'ньютон', isRight: true },
          { optionId: 'b', text: 'паскаль', isRight: false },
        ],
      },
      {
        gapId: '3',
        weight: 1,
        input: 'line',
        accepted: [
          { text: '7', share: 1 },
          { text: '8', share: 0.5 },
        ],
        tolerance: 0,
      },
    ],
    explanation: CANARY,
  },
];

/** A test of every kind, with several files. */
export const wholeTest: readonly Question[] = [
  ...smallTest.map((question): Question =>
    question.kind === 'file' ? { ...question, maxFiles: 3 } : question,
  ),
  ...laterKinds,
];
