import type { Locator } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import type { Question } from '#contract/questions.ts';
import { execute } from '#server/db/query.ts';
import { expect, test } from './device.ts';
import { signInAndStart } from './start.ts';

const id = () => crypto.randomUUID();
const base = () => ({ questionId: id(), points: 1 });
const optionOf = (text: string, index: number) => ({
  optionId: `o${index}`,
  text,
  isRight: index === 0,
});

const QUESTIONS: Question[] = [
  {
    ...base(),
    kind: 'variant',
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    text: 'Which is $\\sqrt{4}$?',
    options: [
      '$\\sqrt{2}$',
      '$\\frac{1}{2}$',
      '$x^2$',
      '$x \\ge 5$',
      '![](file:00000000-0000-4000-8000-000000000001)',
      '`a+b`',
    ].map(optionOf),
  },
  {
    ...base(),
    kind: 'compliance',
    shuffle: false,
    text: 'Соедините',
    left: ['$\\alpha$', '$\\sqrt{2}$'].map((text, index) => ({ leftId: `l${index}`, text })),
    right: ['$x^2$', '$\\pi$'].map((text, index) => ({ rightId: `r${index}`, text })),
    pairs: [
      { leftId: 'l0', rightId: 'r0' },
      { leftId: 'l1', rightId: 'r1' },
    ],
  },
  {
    ...base(),
    kind: 'gaps',
    text: 'Число $\\pi$ это [[1]]',
    gaps: [
      {
        gapId: '1',
        weight: 1,
        input: 'choice',
        options: ['$\\frac{22}{7}$', '$\\sqrt{2}$'].map(optionOf),
      },
    ],
  },
];

const names = (controls: Locator) =>
  controls
    .evaluateAll((all) => all.length)
    .then(async (count) => {
      const found: string[] = [];
      for (let index = 0; index < count; index += 1)
        found.push(
          /"(.*)"/.exec(await controls.nth(index).ariaSnapshot())?.[1]?.replaceAll('\\"', '"') ??
            '',
        );
      return found;
    });

test('formulas are words in the names of options, items and gaps, and texts bear the language of the test', async ({
  school,
  device,
}) => {
  const page = await (await device('phone')).open();
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person();
  const testId = await school.test(teacher, {
    students: [student],
    name: 'Формулы',
    questions: QUESTIONS,
  });
  await execute(school.pool, "update tests set language = 'en' where id = $1", [testId]);
  const taking = await signInAndStart(page, student, 'Формулы');

  const radios = page.getByRole('radio');
  await expect(radios.first()).toHaveAccessibleName('корень из 2');
  await expect(radios.nth(1)).toHaveAccessibleName('одна вторая');
  await expect(radios.nth(2)).toHaveAccessibleName('x в квадрате');
  await expect(radios.nth(3)).toHaveAccessibleName('x больше или равно 5');
  await expect(radios.nth(4)).toHaveAccessibleName(/Картинка 5/);
  await expect(radios.nth(5)).toHaveAccessibleName('a+b');
  await expect(page.getByRole('radiogroup')).toHaveAccessibleName(/^Which is корень из 4 ?\?$/);
  expect((await names(radios)).slice(0, 2)).toEqual(['корень из 2', 'одна вторая']);
  const text = page.getByText('Which is');
  expect(await text.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))).toBe(
    'en',
  );
  await expect(page.locator('[data-spoken]:not([lang=ru])')).toHaveCount(0);

  await taking.goTo(2);
  await expect(page.getByRole('button', { name: /альфа/ })).toBeVisible();
  await page.getByRole('button', { name: /корень из 2/ }).click();
  await expect(page.getByRole('option', { name: /x в квадрате/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /пи/ })).toBeVisible();

  await taking.goTo(3);
  await expect(page.getByRole('combobox', { name: 'Пропуск 1' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'корень из 2' })).toBeAttached();
});
