import { readFile } from 'node:fs/promises';
import { ROLE } from '#contract/auth.ts';
import { Overview } from './pages/overview.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { expect, PASSWORD, test } from './test-school.ts';
import { signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

test('answers that the server has not are saved into a file, at a question, in «Где мои ответы» and after the finish; the teacher imports it, and they count', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, { students: [anna], name: 'Законы: Ньютона' });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();
  await taking.sync.click();
  const answers = page.getByRole('dialog', { name: 'Где мои ответы' });
  await expect(answers.getByText('Ответов пока нет.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Сохранить ответы в файл' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(answers).toBeHidden();

  school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
  await taking.textAnswer.fill('9,8');
  await expect(page.getByRole('main').getByText('Отвечайте дальше')).toBeVisible();
  const [first] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('main').getByRole('button', { name: 'Сохранить ответы в файл' }).click(),
  ]);
  expect(first.suggestedFilename()).toBe('Ответы, Анна Кузнецова, Законы Ньютона.json');

  // Text typed a moment ago is in the file, too.
  await taking.textAnswer.fill('4,9');
  await taking.sync.click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    answers.getByRole('button', { name: 'Сохранить ответы в файл' }).click(),
  ]);
  await page.keyboard.press('Escape');
  await expect(answers).toBeHidden();
  const bytes = await readFile(await download.path());
  // Whoever carries the file cannot read it.
  expect(bytes.toString()).toContain('"format":"exam-room-handover"');
  expect(bytes.toString()).not.toContain('4,9');

  await taking.finish();
  await new Verdict(page).stay.waitFor();
  await expect(page.getByRole('main').getByText('Сохранить ответы в файл')).toBeVisible();

  // The student's page is gone before the network is back: it would send the answers itself.
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  school.network.rule = () => 'deliver';
  await page.goto(`${school.network.url}/tests/manage/${testId}/grading`);
  await new SignIn(page).signIn({ email: teacher.email, password: PASSWORD });
  await page.getByRole('button', { name: 'Не дошло' }).click();
  await page.getByRole('button', { name: 'Ответы из файла…' }).click();
  const dialog = page.getByRole('dialog');
  const file = { name: 'Ответы.txt', mimeType: 'text/plain', buffer: bytes };
  await dialog.getByLabel('Файл с ответами').setInputFiles(file);
  await expect(dialog.getByText(/^Файл зашифрован/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Загрузить' }).click();
  // The first answer was being sent when the second was typed.
  await expect(dialog.getByText(/^Анна Кузнецова: принято (?:1 ответ|2 ответа)\.$/)).toBeVisible();
});

test('where the system can share files, the file is offered to it, and a closed share sheet says nothing', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, { students: [anna], name: 'Законы Ньютона' });
  await signIn(page, school, anna);
  await page.addInitScript(() => {
    const shared: string[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.[0]?.type === 'text/plain',
      share: async ({ files }: ShareData) => {
        shared.push(files?.[0]?.name ?? '');
        throw new DOMException('closed', 'AbortError');
      },
    });
  });
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();
  school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
  await taking.textAnswer.fill('9,8');
  await taking.onDevice.waitFor();
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await taking.sync.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить ответы в файл' }).click();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { shared: string[] }).shared))
    .toEqual(['Ответы, Анна Кузнецова, Законы Ньютона.txt']);
  expect(downloads).toBe(0);
});

test.describe('on a device in Vladivostok', () => {
  // The lists without a network come from the worker.
  test.use({ timezoneId: 'Asia/Vladivostok', serviceWorkers: 'allow' });

  test('every student screen that shows a time names the zone of the school; a list that was never loaded says so offline and comes by itself', async ({
    page,
    context,
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    const testId = await school.test(teacher, { students: [anna], name: 'Законы Ньютона' });
    await signIn(page, school, anna);
    const main = page.getByRole('main');
    const clocks = async (step: string) => {
      const text = await main.innerText();
      const times = text.match(/(?<![\d:])\d{2}:\d{2}(?!:?\d)(?: по Москве)?/g) ?? [];
      expect(times.length, step).toBeGreaterThan(0);
      expect(
        times.filter((time) => !time.endsWith('по Москве')),
        step,
      ).toEqual([]);
    };
    await page.goto(`${school.network.url}/tests/${testId}/overview`);
    await new Overview(page).start.waitFor();
    // Later screens come from the worker.
    await new Overview(page).untilReady();
    await clocks('overview');
    await new Overview(page).start.click();
    const taking = new Taking(page);
    await taking.textAnswer.fill('4,9');
    await expect(main.getByText(/Сохранено на сервере \d\d:\d\d по Москве/)).toBeVisible();
    await taking.finish();
    await new Verdict(page).mayClose.waitFor();
    await clocks('verdict');
    await page.goto(`${school.network.url}/tests/${testId}/results`);
    await main
      .getByText(/Попытка 1/)
      .first()
      .waitFor();
    await clocks('results');

    school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
    await context.setOffline(true);
    await page.evaluate(() => window.history.pushState(null, '', '/tests'));
    await expect(main.getByText(/^Этот список ещё не открывали на этом устройстве/)).toBeVisible();
    await expect(main.getByText('Нет сети', { exact: true })).toBeVisible();
    school.network.rule = () => 'deliver';
    await context.setOffline(false);
    await expect(main.getByText(/^Этот список ещё не открывали/)).toBeHidden();
    await expect(main.getByText(/тест|Пусто|ничего/i).first()).toBeVisible();
  });
});
