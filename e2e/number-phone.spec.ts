import type { Question } from '#contract/questions.ts';
import { ROLE } from '#contract/auth.ts';
import { expect, test } from './device.ts';
import { Verdict } from './pages/verdict.ts';
import { signInAndStart } from './start.ts';

test.use({ serviceWorkers: 'block' });

const key = (text: string) => ({ accepted: [{ text, share: 1 }], tolerance: 0 });
const numbers = (): Question[] => [
  {
    questionId: crypto.randomUUID(),
    kind: 'open',
    input: 'number',
    text: 'Сколько будет 3 − 8?',
    points: 1,
    ...key('-5'),
  },
  {
    questionId: crypto.randomUUID(),
    kind: 'gaps',
    text: 'Лёд тает при [[1]] °C, а воздух был на 7 °C холоднее: [[2]] °C.',
    points: 2,
    gaps: [
      { gapId: '1', weight: 1, input: 'number', ...key('0') },
      { gapId: '2', weight: 1, input: 'number', ...key('–7') },
    ],
  },
  {
    questionId: crypto.randomUUID(),
    kind: 'open',
    input: 'line',
    text: 'Сто как степень десяти',
    points: 1,
    ...key('10²'),
  },
];

test('row 44: on a phone keyboard without a minus, «±» enters a negative number in a field and in a gap', async ({
  device,
  school,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person();
  await school.test(teacher, { students: [student], questions: numbers(), name: 'Числа' });
  const page = await (await device('phone')).open();
  await page.setViewportSize({ width: 375, height: 667 });
  const taking = await signInAndStart(page, student, 'Числа');
  const field = taking.textAnswer;
  const sign = page.getByRole('button', { name: 'Сменить знак' });
  await expect(field).toHaveAttribute('inputmode', 'decimal');
  const box = await sign.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await field.tap();
  await page.keyboard.type('5');
  await sign.tap();
  await expect(field).toHaveValue('−5');
  await expect(field).toBeFocused();
  await page.screenshot({ path: info.outputPath('number-375.png') });

  await taking.goTo(2);
  const gap = page.getByLabel('Пропуск 2');
  await page.getByLabel('Пропуск 1').fill('0');
  await sign.nth(1).tap();
  await expect(gap).toBeFocused();
  await page.keyboard.type('7');
  await expect(gap).toHaveValue('−7');
  await page.setViewportSize({ width: 320, height: 568 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.screenshot({ path: info.outputPath('gaps-320.png') });

  await taking.goTo(3);
  await expect(sign).toHaveCount(0);
  await field.fill('10^\u200B2');
  await expect(field).toHaveValue('10^2');
  await expect(taking.onServer).toBeVisible();
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  expect(await school.attempt(student)).toMatchObject({ points: 4 });
});

test('a paste longer than the limit says what fits', async ({ device, school }, info) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person();
  const questions: Question[] = [
    {
      questionId: crypto.randomUUID(),
      kind: 'open',
      input: 'text',
      text: 'Эссе',
      points: 1,
      accepted: [],
      tolerance: 0,
    },
  ];
  await school.test(teacher, { students: [student], questions, name: 'Эссе' });
  const phone = await device('phone');
  const page = await phone.open();
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { textAnswer } = await signInAndStart(page, student, 'Эссе');
  await textAnswer.click();
  await page.evaluate(() => navigator.clipboard.writeText('я'.repeat(25_000)));
  await page.keyboard.press('Control+V');
  const said = page.getByText(/Вставлено 20\s000 из 25\s000 знаков: остальное не поместилось/);
  await expect(said.first()).toBeVisible();
  await expect
    .poll(() => textAnswer.evaluate((field: HTMLTextAreaElement) => field.value.length))
    .toBe(20_000);
  await page.screenshot({ path: info.outputPath('limit-320.png') });
});
