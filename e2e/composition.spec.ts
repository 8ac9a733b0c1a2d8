import type { Locator, Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { ANSWER_TEXT_CHARACTERS, GAP_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { expect, test } from './test-school.ts';
import { signIn } from './visitor.ts';

test.use({ serviceWorkers: 'block', viewport: { width: 360, height: 740 }, hasTouch: true });

const key = () => ({ accepted: [{ text: 'лес', share: 1 }], tolerance: 0 });
const questions = (): Question[] => [
  ...(['line', 'text'] as const).map((input) => ({
    questionId: crypto.randomUUID(),
    kind: 'open' as const,
    input,
    text: 'Что растёт за рекой?',
    points: 1,
    ...key(),
  })),
  {
    questionId: crypto.randomUUID(),
    kind: 'gaps',
    text: 'За рекой растёт [[1]].',
    points: 1,
    gaps: [{ gapId: '1', weight: 1, input: 'line', ...key() }],
  },
];

/** An input method that shows each of the steps; the last one becomes text, or the field is left. */
async function compose(page: Page, steps: readonly string[], end: 'accept' | 'leave') {
  const cdp = await page.context().newCDPSession(page);
  for (const text of steps) {
    const place = { selectionStart: text.length, selectionEnd: text.length };
    await cdp.send('Input.imeSetComposition', { text, ...place });
  }
  if (end === 'accept') await cdp.send('Input.insertText', { text: steps.at(-1) ?? '' });
  else await page.getByRole('heading', { level: 1 }).focus();
  await cdp.detach();
}

test('row 44: what an input method composes at the limit is neither doubled nor lost; its end is cut and said', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna], questions: questions() });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  const said = page.locator('output').filter({ hasText: 'сюда не помещается' });

  async function fillUpTo(field: Locator, length: number, end: string) {
    const start = 'я'.repeat(length - end.length);
    await field.fill(start + end);
    const place = start.length;
    await field.evaluate(
      (element: HTMLInputElement, at) => element.setSelectionRange(at, at),
      place,
    );
    return start;
  }
  const fields = [
    [1, taking.textAnswer, ANSWER_TEXT_CHARACTERS],
    [2, taking.textAnswer, ANSWER_TEXT_CHARACTERS],
    [3, page.getByLabel('Пропуск 1'), GAP_TEXT_CHARACTERS],
  ] as const;
  for (const [number, field, limit] of fields) {
    await taking.goTo(number);
    for (const end of ['accept', 'leave'] as const) {
      const start = await fillUpTo(field, limit - 2, 'конец');
      await expect(said).toHaveCount(0);
      await compose(page, ['n', 'ni', 'nih', 'niho', 'nihon'], end);
      expect(await field.inputValue()).toBe(`${start}niконец`);
      await expect(said).toHaveCount(1);

      // Letters that take more room than the sign that is chosen for them.
      const before = await fillUpTo(field, limit - 2, '');
      await compose(page, ['n', 'niho', 'nihon', '日本'], end);
      expect(await field.inputValue()).toBe(`${before}日本`);
      await expect(said).toHaveCount(0);
      await expect(taking.onDevice.or(taking.onServer)).toBeVisible();
    }
  }

  const gap = page.getByLabel('Пропуск 1');
  await gap.fill('');
  await compose(page, ['к', 'ко', 'ко\u200Bт', 'ко\u200Bты'], 'leave');
  expect(await gap.inputValue()).toBe('коты');
  const stored = () =>
    school.pool
      .query<{ text: string }>(
        `select coalesce(body->>'text', body->'gaps'->0->>'text') as text from answers`,
      )
      .then(({ rows }) => rows.map(({ text }) => text.slice(-4)).toSorted());
  // So much text in so little time is sent with pauses.
  await expect.poll(stored, { timeout: 120_000 }).toEqual(['коты', 'яя日本', 'яя日本']);
});
