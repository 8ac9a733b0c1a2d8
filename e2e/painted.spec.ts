import { ROLE } from '#contract/auth.ts';
import { oneInTurn } from '#tests/whole.ts';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './device.ts';
import { OfflineStart } from './pages/offline-start.ts';
import { Overview } from './pages/overview.ts';
import { signInAndStart, signInToOverview } from './start.ts';
import { Shell } from './pages/shell.ts';
import { Taking } from './pages/taking.ts';
import { openFirefox } from './engines/firefox.ts';
import { EnginePerson } from './engines/person.ts';
import { openWebKit } from './engines/webkit.ts';
import type { TestSchool } from './test-school.ts';

/** The worker answers with the question that was shown last; the app takes over what is entered meanwhile (ADR 14). */

/** As an input method at work does: the app waits with its own page until `release`. */
const holdPainted = (page: Page) =>
  page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const painted = document.getElementById('painted');
      if (!painted) return;
      observer.disconnect();
      painted.toggleAttribute('data-composing', true);
    });
    observer.observe(document, { childList: true, subtree: true });
  });

/** Loads the page anew and returns the painted one, which stays until `release`. */
async function reloadHeld(page: Page) {
  await holdPainted(page);
  await page.reload({ waitUntil: 'commit' });
  return page.locator('#painted');
}

const release = (page: Page) =>
  page.evaluate(() => document.getElementById('painted')?.toggleAttribute('data-composing', false));

/** Until the device holds the page with this text in a field or on the screen. */
const untilPainted = (page: Page, text: string) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const reply = await caches.match(location.pathname + location.search);
        return (await reply?.text()) ?? '';
      }),
    )
    .toContain(text);

async function start(school: TestSchool, page: Page) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student], name: 'Законы Ньютона' });
  return { testId, taking: await signInAndStart(page, student) };
}

/** The first question is answered, and the device holds its page. */
async function startAnswered(school: TestSchool, page: Page) {
  const started = await start(school, page);
  await started.taking.textAnswer.fill('4,9');
  await expect(started.taking.onServer).toBeVisible();
  await untilPainted(page, 'Сохранено на сервере');
  return started;
}

test('the painted question can be answered at once, and the app retains typed text', async ({
  device,
  school,
}) => {
  const phone = await device('phone');
  const page = await phone.open();
  const { taking } = await startAnswered(school, page);

  const painted = await reloadHeld(page);
  await expect(painted.getByRole('heading', { level: 1 })).toHaveText('Вопрос 1');
  await expect(painted.getByRole('timer')).toContainText(/^\d+:\d\d осталось$/);
  const field = painted.getByRole('textbox', { name: 'Ваш ответ' });
  await expect(field).toHaveValue('4,9');
  await expect(page.locator('#root')).toBeHidden();
  await field.press('End');
  await field.pressSequentially('1 м/с');
  await release(page);
  await expect(painted).toHaveCount(0);
  await expect(taking.textAnswer).toHaveValue('4,91 м/с');
  await expect(taking.textAnswer).toBeFocused();
  await page.keyboard.type('²');
  await expect(taking.textAnswer).toHaveValue('4,91 м/с²');
  await expect(taking.onServer).toBeVisible();
});

/** An option of the second question is chosen while the app waits behind the painted page. */
async function chooseOnPainted(school: TestSchool, page: Page) {
  const { taking } = await start(school, page);
  await taking.goTo(2);
  await untilPainted(page, 'Паскаль');
  const painted = await reloadHeld(page);
  await painted.getByRole('radio', { name: 'Паскаль' }).click();
  return { taking, painted };
}

test('a choice and a button pressed on the painted question are not lost', async ({
  device,
  school,
}) => {
  const phone = await device('phone');
  const page = await phone.open();
  const { taking, painted } = await chooseOnPainted(school, page);
  await painted.getByRole('button', { name: 'Далее' }).click();
  await release(page);
  await expect(taking.heading).toHaveText('Вопрос 3');
  await taking.goTo(2);
  await expect(taking.option('Паскаль')).toBeChecked();
  await expect(taking.onServer).toBeVisible();
});

test('a choice on the painted question is stored before the app is there, and outlives the page', async ({
  device,
  school,
}) => {
  const phone = await device('phone');
  const page = await phone.open();
  const { taking, painted } = await chooseOnPainted(school, page);
  await expect(painted.getByText('Сохранено на устройстве')).toBeVisible();
  // The page goes before the app has taken it over.
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('#root').getByRole('radio', { name: 'Паскаль' })).toBeChecked();
  await expect(taking.onServer).toBeVisible();
});

test('text typed on the painted question is stored before the app is there, and outlives the page', async ({
  device,
  school,
}) => {
  const phone = await device('phone');
  const page = await phone.open();
  const { taking } = await startAnswered(school, page);
  const painted = await reloadHeld(page);
  const field = painted.getByRole('textbox', { name: 'Ваш ответ' });
  await field.press('End');
  await field.pressSequentially('1 м/с');
  await expect(painted.getByText('Сохранено на устройстве')).toBeVisible();
  await field.pressSequentially('²');
  // The page goes before the app has taken it over, and before the last key is stored.
  await page.reload({ waitUntil: 'commit' });
  const own = page.locator('#root').getByRole('textbox', { name: 'Ваш ответ' });
  await expect(own).toHaveValue('4,91 м/с²');
  await expect(taking.onServer).toBeVisible();
});

test('a killed browser without a network shows the question first', async ({ device, school }) => {
  const phone = await device('phone');
  let page = await phone.open();
  const { testId } = await startAnswered(school, page);
  await phone.untilSignInLasts(page);
  await phone.untilCacheLasts('painted-1:');
  await phone.kill();
  await phone.goOffline();
  page = await phone.open();
  await holdPainted(page);
  await page.goto(`/tests/${testId}`, { waitUntil: 'commit' });
  await expect(page.locator('#painted').getByRole('textbox', { name: 'Ваш ответ' })).toHaveValue(
    '4,9',
  );
  await release(page);
  await expect(new Taking(page).textAnswer).toHaveValue('4,9');
});

test('nothing is painted after a sign-out', async ({ device, school }) => {
  const phone = await device('phone');
  const page = await phone.open();
  const { testId } = await startAnswered(school, page);
  await page.goto('/tests/my');
  const shell = new Shell(page);
  await shell.askToSignOut();
  await shell.confirmSignOut();
  await expect
    .poll(() => page.evaluate(async () => (await caches.keys()).filter((n) => /painted/.test(n))))
    .toEqual([]);
  await page.goto(`/tests/${testId}`, { waitUntil: 'commit' });
  await expect(page.getByLabel('Почта')).toBeVisible();
  await expect(page.locator('#painted')).toHaveCount(0);
});

for (const [engine, open] of oneInTurn(
  Object.entries({ Firefox: openFirefox, WebKit: openWebKit }),
)) {
  test(`${engine}: a reload shows the painted question first, and the app goes on with it`, async ({
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    await school.test(teacher, { students: [anna], name: 'Законы Ньютона' });
    const browser = await open();
    const { page } = browser;
    const person = new EnginePerson(page);
    try {
      await person.signInAndStart(`${school.network.url}/tests/my`, anna.email, /^Законы Ньютона/);
      await person.type(/^Ваш ответ/, '4,9');
      await person.sees(/Сохранено на сервере/);
      const controlled = 'return navigator.serviceWorker.controller !== null';
      await expect.poll(() => page.run(controlled)).toBe(true);
      const stored = () =>
        page.run<string>(
          'return caches.match(location.pathname).then((reply) => reply?.text() ?? "")',
        );
      await expect.poll(stored).toContain('Сохранено на сервере');
      await page.reload();
      const marks = 'return performance.getEntriesByName("painted").length';
      await expect.poll(() => page.run(marks).catch(() => 0)).toBe(1);
      await expect
        .poll(() => page.run('return document.getElementById("painted") === null'))
        .toBe(true);
      await person.type(/^Ваш ответ/, '1');
      await person.sees(/Сохранено на сервере/);
      const value = 'return document.querySelector("#root main input").value';
      expect(await page.run(value)).toMatch(/^(?:4,91|1)$/);
    } finally {
      await browser.close();
    }
  });
}

test('a list that was shown is painted until the app has the present one', async ({
  device,
  school,
}) => {
  const phone = await device('phone');
  const page = await phone.open();
  await start(school, page);
  await page.goto('/tests/my');
  await expect(new Shell(page).testLink('Законы Ньютона')).toBeVisible();
  await untilPainted(page, 'Законы Ньютона');
  const painted = await reloadHeld(page);
  await expect(painted.getByRole('link', { name: 'Законы Ньютона', exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/тесты/i);
  await release(page);
  await expect(painted).toHaveCount(0);
  await new Shell(page).testLink('Законы Ньютона').click();
  await expect(page.getByRole('button', { name: 'Продолжить' })).toBeVisible();
});

/** Each control in the region with its name and the styles that tell what it is. */
const looksIn = (region: Locator) =>
  region.evaluate((element) =>
    [...element.querySelectorAll('a, button, input, summary')].map((control) => {
      const { backgroundColor, border, borderRadius, color, font, padding } =
        getComputedStyle(control);
      return [control.textContent, backgroundColor, border, borderRadius, color, font, padding];
    }),
  );

/** The page on the screen, the painted one and the app's after a reload look alike. */
async function expectSameLook(page: Page, text: string): Promise<void> {
  await untilPainted(page, text);
  const before = await looksIn(page.locator('#root main'));
  expect(before.length).toBeGreaterThan(0);
  const painted = await reloadHeld(page);
  await expect.poll(() => looksIn(painted.getByRole('main'))).toEqual(before);
  await release(page);
  await expect(painted).toHaveCount(0);
  await expect.poll(() => looksIn(page.locator('#root main'))).toEqual(before);
}

test('buttons look the same before a reload, on the painted page and in the app', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const plan = { students: [student], name: 'Законы Ньютона', offlineStart: true };
  await school.test(teacher, plan);
  const phone = await device('phone');
  const page = await phone.open();
  const overview = await signInToOverview(page, student);
  await overview.untilReady();
  await expect(new OfflineStart(page).ready).toBeVisible();
  await expectSameLook(page, 'Устройство готово');
  await page.goto('/tests/my');
  await expect(new Shell(page).testLink('Законы Ньютона')).toBeVisible();
  await expectSameLook(page, 'Законы Ньютона');
  await new Shell(page).testLink('Законы Ньютона').click();
  await new Overview(page).start.click();
  const taking = new Taking(page);
  // A choice: a text field has the focus and looks different without it.
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onServer).toBeVisible();
  await expectSameLook(page, 'Сохранено на сервере');
});
