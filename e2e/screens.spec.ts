import type { Page, TestInfo } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { openCrowdedSchool } from './crowded-school.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { expect, test } from './test-school.ts';
import { signIn } from './visitor.ts';

const PHOTO = { name: 'решение.png', mimeType: 'image/png' };

test.describe.configure({ mode: 'parallel' });
// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).filter({ visible: true }).first();

/** Opens a screen and waits for its main content. */
const opener =
  (page: Page, base: string) =>
  async (path: string, name: string | RegExp): Promise<void> => {
    await page.goto(`${base}${path}`);
    await heading(page, name).waitFor();
  };

async function closeModal(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** A one-pixel picture replaces a photograph. */
async function attachPhoto(page: Page): Promise<void> {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await new Taking(page).attach({ ...PHOTO, buffer: Buffer.from(pixel, 'base64') });
}

async function auditQuestions(page: Page, info: TestInfo): Promise<void> {
  const taking = new Taking(page);
  const look = (name: string) => audit(page, info, name);
  await page.locator('.katex').first().waitFor();
  await look('taking-single-empty');
  await taking.choose('12 Н, против оси');
  await taking.onServer.waitFor();
  await look('taking-single');

  await taking.goTo(2);
  await page.locator('[data-picture] img').waitFor();
  await taking.choose('Сила реакции опоры перпендикулярна плоскости');
  await page.getByRole('button', { name: 'Отметить' }).click();
  await look('taking-several-picture');

  await taking.goTo(3);
  await taking.match('Сила', 'ньютон');
  await look('taking-matching-open');
  await taking.goTo(4);
  await taking.match('Инертность', 'Свойство тела, от которого зависит изменение его скорости');
  await look('taking-matching-long');

  await taking.goTo(5);
  await page.locator('table').waitFor();
  await taking.textAnswer.fill('4,9');
  await taking.onServer.waitFor();
  await look('taking-number-formula');
  await taking.goTo(6);
  await taking.textAnswer.fill('Трубка Ньютона. '.repeat(12));
  await look('taking-essay');

  await taking.goTo(7);
  await look('taking-file-empty');
  await attachPhoto(page);
  await taking.onServer.waitFor();
  await look('taking-file');
}

async function auditModals(page: Page, info: TestInfo): Promise<void> {
  const isWide = (page.viewportSize()?.width ?? 0) >= 1024;
  if (!isWide) {
    await page.getByRole('button', { name: /Все вопросы$/ }).click();
    await heading(page, 'Все вопросы').waitFor();
    await audit(page, info, 'questions-sheet');
    await closeModal(page);
  }
  await new Taking(page).sync.click();
  await heading(page, 'Где мои ответы').waitFor();
  await audit(page, info, 'answers-sheet');
  await closeModal(page);
  await page.getByRole('button', { name: 'Завершить', exact: true }).click();
  await heading(page, 'Завершить тест?').waitFor();
  await audit(page, info, 'finish-sheet');
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('the last minute and the time over are accessible and fit', async ({
    page,
    school,
  }, info) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person();
    const testId = await school.test(teacher, { students: [anna], passSeconds: 20 });
    await signIn(page, school, anna);
    await page.goto(`${school.network.url}/tests/${testId}/overview`);
    await new Overview(page).start.click();
    await expect(page.getByText('Последняя минута.')).toBeVisible();
    school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
    await new Taking(page).textAnswer.fill('4,9');
    await new Taking(page).sync.getByText('на устройстве').first().waitFor();
    await audit(page, info, 'taking-last-minute');
    await expect(page.getByText(/^Время вышло в/)).toBeVisible();
    await audit(page, info, 'taking-time-over');
  });
});

test('with reduced motion the other scheme is shown at once, on every level of a page', async ({
  page,
  school,
}) => {
  await page.goto(`${school.network.url}/login`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const changing = await page.evaluate(() => {
    document.documentElement.dataset['mantineColorScheme'] = 'dark';
    return document.getAnimations().length;
  });
  expect(changing).toBe(0);
});

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [640, 900],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px, light and dark,`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024 });

    test('the screens before the sign-in are accessible and fit', async ({
      page,
      school,
    }, info) => {
      const open = opener(page, school.network.url);
      await open('/login', 'Вход');
      await audit(page, info, 'login');
      await new SignIn(page).submit.click();
      await page.getByText('Пожалуйста, введите почту').waitFor();
      await audit(page, info, 'login-errors');
      await open('/registration', 'Регистрация');
      await page.getByRole('button', { name: 'Зарегистрироваться' }).click();
      await page.getByText('Пожалуйста, введите логин').waitFor();
      await audit(page, info, 'registration-errors');
      await page.addInitScript(() => {
        // The countdown is frozen during the audit.
        const later = window.setTimeout;
        Object.assign(window, {
          setTimeout: (run: () => void, ms: number) => (ms === 1_000 ? 0 : later(run, ms)),
        });
      });
      await open('/no/such/page', 'Страница не найдена!');
      await audit(page, info, 'not-found');
    });

    test('lists, overviews, results and errors are accessible and fit', async ({
      page,
      school,
    }, info) => {
      const { anna, teacher, tests, reviewed } = await openCrowdedSchool(school);
      const open = opener(page, school.network.url);
      const shell = new Shell(page);
      await signIn(page, school, anna);
      await open('/', 'Учебная платформа');
      await audit(page, info, 'home');
      await open('/tests', 'База тестов');
      await audit(page, info, 'test-base');
      await open('/tests/my', 'Мои тесты');
      await shell.testLink('Векторы').waitFor();
      for (const words of [
        /^Откроется /,
        'Доступен',
        /^Идёт, /,
        'На проверке',
        'Пройден',
        'Просрочен',
        'Закрыт',
      ]) {
        const list = page.getByRole('main').getByRole('list');
        await expect(list.getByText(words, { exact: true })).toBeVisible();
      }
      await audit(page, info, 'tests-my');
      if (width < 1024) {
        await page.getByRole('button', { name: /^Меню/ }).click();
        await heading(page, anna.userName).waitFor();
        await audit(page, info, 'menu');
        await closeModal(page);
      }
      await shell.sync.click();
      await heading(page, 'Где мои ответы').waitFor();
      await audit(page, info, 'shell-answers');
      await closeModal(page);
      for (const status of ['available', 'scheduled', 'closed', 'inProgress'] as const) {
        await page.goto(`${school.network.url}/tests/${tests[status]}/overview`);
        await page.getByRole('main').getByText('Попытки').waitFor();
        await audit(page, info, `overview-${status}`);
      }
      await open(`/tests/${tests.pendingReview}/results`, 'Законы Ньютона');
      await audit(page, info, 'results');
      const result = `/tests/${tests.pendingReview}/results/${reviewed}`;
      await open(result, 'Вопросы');
      await audit(page, info, 'result-student');
      await signIn(page, school, teacher);
      await open(result, 'Вопросы');
      await audit(page, info, 'result-teacher');
      school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
      await page.goto(`${school.network.url}/tests/${tests.passed}/results`);
      await page.getByRole('button', { name: 'Повторить' }).waitFor();
      await audit(page, info, 'error');
    });

    test('the taking page with all kinds of questions, and both verdicts, are accessible and fit', async ({
      page,
      school,
    }, info) => {
      const { anna, tests } = await openCrowdedSchool(school);
      await signIn(page, school, anna);
      await page.goto(`${school.network.url}/tests/${tests.available}/overview`);
      await new Overview(page).start.click();
      await new Taking(page).timer.waitFor();
      await auditQuestions(page, info);
      school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
      await new Taking(page).goTo(5);
      await new Taking(page).textAnswer.fill('5');
      await expect(page.getByRole('main').getByText('Отвечайте дальше')).toBeVisible();
      await audit(page, info, 'taking-offline');
      await new Taking(page).goTo(7);
      await auditModals(page, info);
      await page.getByRole('dialog').getByRole('button', { name: 'Завершить тест' }).click();
      await new Verdict(page).stay.waitFor();
      await audit(page, info, 'verdict-waiting');
      school.network.rule = () => 'deliver';
      const { mayClose } = new Verdict(page);
      // The app tries by itself, too, and may be quicker than the click.
      await page.getByRole('button', { name: 'Проверить сеть' }).or(mayClose).click();
      await mayClose.waitFor();
      await page.getByText('Предварительный результат').waitFor();
      await audit(page, info, 'verdict-done');
    });
  });
}
