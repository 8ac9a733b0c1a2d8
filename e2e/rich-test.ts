import { readFile } from 'node:fs/promises';
import type { Question } from '#contract/questions.ts';
import { execute } from '#server/db/query.ts';
import type { TestSchool } from './test-school.ts';

export const PICTURE = '0198c0de-0000-4000-8000-00000000cafe';

const id = (number: number) => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;

/** Every kind of question as students see it: formulas, a picture, a table, long words. */
export const richQuestions: Question[] = [
  {
    questionId: id(1),
    kind: 'variant',
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    text: 'Тело массой 2 кг движется вдоль оси $x$ по закону $x(t) = 5 + 4t - 3t^2$ (в метрах). Чему равна и куда направлена сила, которая на него действует?',
    points: 2,
    options: [
      { optionId: 'a', text: '12 Н, по направлению оси $x$', isRight: false },
      { optionId: 'b', text: '12 Н, против оси $x$', isRight: true },
      { optionId: 'c', text: '6 Н, против оси $x$', isRight: false },
      { optionId: 'd', text: 'Сила не действует', isRight: false },
    ],
    explanation: '',
  },
  {
    questionId: id(2),
    kind: 'variant',
    multiple: true,
    shuffle: false,
    scoring: 'partial',
    text:
      'По рисунку выберите всё, что верно для бруска на наклонной плоскости.\n\n![Брусок на наклонной плоскости с углом α](file:' +
      PICTURE +
      ')',
    points: 2,
    options: [
      { optionId: 'a', text: 'Сила реакции опоры перпендикулярна плоскости', isRight: true },
      { optionId: 'b', text: 'Сила тяжести направлена вдоль плоскости', isRight: false },
      { optionId: 'c', text: 'Сила трения направлена против движения', isRight: true },
    ],
    explanation: '',
  },
  {
    questionId: id(3),
    kind: 'compliance',
    shuffle: false,
    text: 'Установите соответствие между физической величиной и единицей измерения.',
    points: 3,
    left: [
      { leftId: '1', text: 'Сила' },
      { leftId: '2', text: 'Мощность' },
      { leftId: '3', text: 'Давление' },
      { leftId: '4', text: 'Работа' },
    ],
    right: [
      { rightId: 'a', text: 'паскаль' },
      { rightId: 'b', text: 'ньютон' },
      { rightId: 'c', text: 'ватт' },
      { rightId: 'd', text: 'джоуль' },
      { rightId: 'e', text: 'кельвин' },
    ],
    pairs: [
      { leftId: '1', rightId: 'b' },
      { leftId: '2', rightId: 'c' },
      { leftId: '3', rightId: 'a' },
      { leftId: '4', rightId: 'd' },
    ],
    explanation: '',
  },
  {
    questionId: id(4),
    kind: 'compliance',
    shuffle: false,
    text: 'Подберите к понятию его определение.',
    points: 2,
    left: [
      { leftId: '1', text: `Инерциальная система отсчёта ![Брусок](file:${PICTURE})` },
      { leftId: '2', text: 'Инертность' },
    ],
    right: [
      {
        rightId: 'a',
        text: 'Система, в которой тело, не взаимодействующее с другими телами, движется равномерно и прямолинейно',
      },
      { rightId: 'b', text: 'Свойство тела, от которого зависит изменение его скорости' },
      {
        rightId: 'c',
        text: `Явление сохранения скорости тела при отсутствии действия других тел ![Брусок на плоскости](file:${PICTURE})`,
      },
    ],
    pairs: [
      { leftId: '1', rightId: 'a' },
      { leftId: '2', rightId: 'b' },
    ],
    explanation: '',
  },
  {
    questionId: id(5),
    kind: 'open',
    input: 'number',
    text: 'Найдите ускорение по таблице, в м/с².\n\n| $t$, с | 0 | 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|---|\n| $v$, м/с | 0 | 4,9 | 9,8 | 14,7 | 19,6 | 24,5 |\n\n$$a = \\frac{\\Delta v}{\\Delta t} = \\frac{v_2 - v_1}{t_2 - t_1} \\quad \\text{при равноускоренном прямолинейном движении без трения}$$',
    points: 2,
    accepted: [{ text: '4,9', share: 1 }],
    tolerance: 0.05,
    explanation: '',
  },
  {
    questionId: id(6),
    kind: 'open',
    input: 'text',
    text: 'Опишите опыт, который показывает, что в вакууме все тела падают с одним ускорением.',
    points: 4,
    accepted: [],
    tolerance: 0,
    explanation: '',
  },
  {
    questionId: id(7),
    kind: 'file',
    text: 'Решите задачу на листе и приложите фотографию решения.',
    points: 4,
    maxBytes: 10_000_000,
    accept: ['image/*', '.pdf'],
    explanation: '',
  },
];

/** Adds the picture of the second and the fourth question to the test. */
export async function addPicture(school: TestSchool, testId: string): Promise<void> {
  const file = new URL('../server/demo/pictures/physics-incline.png', import.meta.url);
  await execute(
    school.pool,
    `insert into pictures (key, test_id, mime_type, bytes, created_at)
     values ($1, $2, 'image/png', $3, now())`,
    [PICTURE, testId, await readFile(file)],
  );
}
