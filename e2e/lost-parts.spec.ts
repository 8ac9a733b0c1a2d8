import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { oneInTurn } from '#tests/whole.ts';
import type { Network } from './network.ts';
import { openFirefox } from './engines/firefox.ts';
import { EnginePerson } from './engines/person.ts';
import { openWebKit } from './engines/webkit.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { addPicture, richQuestions } from './rich-test.ts';
import { expect, test, type TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

// The worker would have everything already.
test.use({ serviceWorkers: 'block' });

const LOST = /Эта часть страницы не загрузилась/;

/** Loses the app's files with a name like this one, and the worker. */
const losing = (network: Network, files: RegExp) => {
  network.rule = ({ path }) =>
    path === '/sw.js' || (path.startsWith('/assets/') && files.test(path))
      ? 'loseRequest'
      : 'deliver';
};

async function makeTest(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: 'Анна Кузнецова' });
  const testId = await school.test(teacher, {
    students: [anna],
    name: 'Законы Ньютона',
    questions: richQuestions,
  });
  await addPicture(school, testId);
  return { anna, testId };
}

/** Returns how often the page has loaded since. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => (loads += Number(request.isNavigationRequest())));
  return () => loads;
}

/** Opens the tests of a student, one of which is there. */
async function openList(page: Page, school: TestSchool): Promise<void> {
  const { anna } = await makeTest(school);
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  await page.getByRole('link', { name: /Законы Ньютона/ }).waitFor();
}

test('row 42: a lost field leaves the rest of the test at work, and comes by «Повторить» or with the network', async ({
  page,
  school,
}) => {
  const { anna, testId } = await makeTest(school);
  await signIn(page, school, anna);
  losing(school.network, /FileAnswer|katex|TakingShortcuts/);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();

  // A formula is shown as typed until it can be drawn.
  await expect(page.getByRole('main')).toContainText('$x(t) = 5 + 4t - 3t^2$');
  await taking.choose('Сила не действует');
  await taking.onServer.waitFor();
  // The list of keys is a separate part.
  await page.keyboard.press('?');
  await expect(page.getByText(LOST)).toBeVisible();
  await expect(taking.timer).toBeVisible();
  // The other dialogs do not wait for it.
  await taking.sync.click();
  await expect(page.getByRole('dialog', { name: 'Где мои ответы' })).toBeVisible();
  await page.keyboard.press('Escape');
  losing(school.network, /FileAnswer|katex/);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('dialog', { name: 'Клавиши теста' })).toBeVisible();
  await page.keyboard.press('Escape');
  await taking.goTo(7);
  await expect(page.getByRole('main').getByText(LOST)).toBeVisible();
  await expect(taking.timer).toBeVisible();
  await taking.goTo(6);
  await taking.textAnswer.fill('Трубка Ньютона');
  await taking.onServer.waitFor();
  await taking.goTo(7);
  await expect(page.getByRole('main').getByText(LOST)).toBeVisible();

  losing(school.network, /katex/);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('button', { name: 'Выбрать файл' })).toBeVisible();
  await expect(page.getByRole('main').getByText(LOST)).toBeHidden();

  await taking.goTo(1);
  await expect(page.locator('.katex')).toHaveCount(0);
  school.network.rule = () => 'deliver';
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.locator('.katex').first()).toBeVisible();
});

test('row 42: on a phone the dialogs that were lost come by «Повторить», which no bar covers', async ({
  page,
  school,
}) => {
  const { anna, testId } = await makeTest(school);
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, school, anna);
  losing(school.network, /TakingDialogs/);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  await expect(page.getByText(LOST)).toBeVisible();
  school.network.rule = () => 'deliver';
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByText(LOST)).toBeHidden();
  await page.getByRole('button', { name: /Все вопросы$/ }).click();
  await expect(page.getByRole('dialog', { name: 'Все вопросы' })).toBeVisible();
});

test('row 42: a screen that is lost without a network leaves the page where it is', async ({
  page,
  school,
}) => {
  await openList(page, school);
  await page.evaluate(() => (document.documentElement.dataset['same'] = ''));
  const isSame = () => page.locator('html[data-same]').count();
  school.network.rule = () => 'loseRequest';
  await page.evaluate(() => window.history.pushState(null, '', '/profile'));
  await expect(page.getByText(/^Эта страница не загрузилась/)).toBeVisible();
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByText(/^Эта страница не загрузилась/)).toBeVisible();
  expect(await isSame()).toBe(1);
  school.network.rule = () => 'deliver';
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Профиль' })).toBeVisible();
});

for (const [file, name] of [
  ['what opens the device', /assets\/device-/],
  ['what shows the screens', /assets\/(?:screens|app)-.*\.js/],
] as const)
  test(`row 42: the app itself, ${file}, lost at the start, comes automatically`, async ({
    page,
    school,
  }) => {
    const loads = countLoads(page);
    losing(school.network, name);
    await page.goto(`${school.network.url}/login`);
    await expect.poll(loads).toBe(2);
    // The reloaded page lacks it, too, and says so until it tries again.
    await expect(page.getByText('Загрузка идёт долго')).toBeVisible();
    school.network.rule = () => 'deliver';
    await expect(page.locator('#painted, .before-app')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

test('row 42: without the app the page says that it takes long, retains typed text, and the network brings the app', async ({
  page,
  school,
}) => {
  losing(school.network, /assets\/device-/);
  await page.goto(`${school.network.url}/login`);
  await page.getByLabel('Почта').fill('anna@school.example');
  const loads = countLoads(page);
  await expect(page.getByText('Загрузка идёт долго')).toBeVisible();
  await expect(page.getByLabel('Почта')).toHaveValue('anna@school.example');
  expect(loads()).toBe(0);
  school.network.rule = () => 'deliver';
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.locator('#painted, .before-app')).toHaveCount(0);
});

test('row 42: a lost screen is loaded again automatically, and by «Повторить»', async ({
  page,
  school,
}) => {
  await openList(page, school);
  const loads = countLoads(page);
  losing(school.network, /profile/i);
  await page.evaluate(() => window.history.pushState(null, '', '/profile'));
  await expect(page.getByText('Что-то пошло не так!')).toBeVisible();
  await expect(page.getByText(/^Эта страница не загрузилась/)).toBeVisible();
  await expect.poll(loads).toBe(1);
  await expect(page.getByText(/^Эта страница не загрузилась/)).toBeVisible();
  school.network.rule = () => 'deliver';
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Профиль' })).toBeVisible();
});

const ENGINES = [
  ['Firefox', openFirefox],
  ['WebKit', openWebKit],
] as const;

for (const [engine, open] of oneInTurn(ENGINES, 1)) {
  test(`row 42: ${engine} loads a field that was lost, without another page load`, async ({
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    await school.test(teacher, { students: [anna], name: 'Законы Ньютона' });
    const browser = await open();
    const { page } = browser;
    const person = new EnginePerson(page);
    try {
      losing(school.network, /FileAnswer/);
      await person.signInAndStart(`${school.network.url}/tests/my`, anna.email, /^Законы Ньютона/);
      await person.sees(/Ускорение тела/);
      await page.run('window.isSamePage = true');
      await person.type(/^Ваш ответ/, '4,9');
      for (let question = 1; question < 5; question += 1) await person.click('button', /^Далее$/);
      await person.sees(LOST);
      // It is loaded again after a pause, by itself.
      school.network.rule = () => 'deliver';
      await person.find('file', /.*/);
      expect(await page.run('return window.isSamePage === true')).toBe(true);
    } finally {
      await browser.close();
    }
  });
}
