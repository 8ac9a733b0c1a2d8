import type { Locator, Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { shareInTurn } from '#tests/whole.ts';
import { openDemoSchool, type DemoRole, type DemoSchool } from './demo-school.ts';
import {
  brokenWords,
  coveredFocus,
  cutTexts,
  enlargeLetters,
  overlappingTexts,
  readWith,
  sideways,
  spaceText,
} from './legibility.ts';
import { longWordQuestions } from './long-words.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { everyRoute, pathWith, watch } from './route-walk.ts';
import { expect, test, type TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

test.describe.configure({ mode: 'parallel' });
// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

/** Addresses that lead to another one, and those of visitors alone. */
const LEADS_ON = [
  '/login',
  '/registration',
  '/tests/manage',
  '/tests/manage/$testId',
  '/tests/manage/$testId/edit',
  '/tests/$testId',
];

const roleOf = (route: string): DemoRole => {
  if (route.startsWith('/admin')) return 'admin';
  const isTeachers = /^\/(?:tests\/manage|bank|groups)(?:\/|$)|^\/tests\/my\/created$/.test(route);
  return isTeachers ? 'teacher' : 'student';
};

const HEIGHT = 740;
const MAX_TABS = 60;

type Look = (page: Page) => Promise<void>;
const PLAIN: Look = (page) => readWith(page, '');
/** Root letters: their size follows the browser's setting of the font size. */
const LARGE: Look = (page) => readWith(page, 'html { font-size: 200% }');

async function setSize(page: Page, width: number, height = HEIGHT): Promise<void> {
  await page.setViewportSize({ width, height });
  // One frame notifies the page, the next one shows it. A dialog may come in anew at another width.
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const endless = (animation: Animation) =>
      animation.effect?.getComputedTiming().iterations === Infinity;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => !endless(animation))
        .map(({ finished }) => finished),
    );
  });
}

const cutOrCrowded = async (page: Page): Promise<string[]> => [
  ...(await sideways(page)),
  ...(await cutTexts(page)),
  ...(await overlappingTexts(page)),
];

/** Texts that are cut, crowded or broken on the screen, at any width and with any reader's style sheet. */
async function illegible(page: Page): Promise<string[]> {
  const found: string[] = [];
  const look = async (name: string, texts: string[]) =>
    void found.push(...texts.slice(0, 8).map((text) => `${name}: ${text}`));
  for (const width of [320, 360]) {
    await setSize(page, width);
    await look(`words at ${width} px`, await brokenWords(page));
  }
  for (const [name, set, widths] of [
    ['spaced', spaceText, [320, 360, 820, 1280]],
    ['large', LARGE, [820, 1280]],
  ] as const) {
    for (const width of widths) {
      await set(page);
      await setSize(page, width);
      await look(`${name} at ${width} px`, await cutOrCrowded(page));
      // Longer words, such as surnames, have no room for their spacing, and a phone has none either.
      if (name === 'spaced' && width > 360)
        await look(`spaced words at ${width} px`, await brokenWords(page, 12));
    }
    await PLAIN(page);
  }
  await setSize(page, 1280);
  await enlargeLetters(page, 2);
  await look('letters at 1280 px', await cutOrCrowded(page));
  await enlargeLetters(page, 1);
  return found;
}

/**
 * Elements that cover the focus while Tab goes through the screen at 400 % and back, and bars that use more than a
 * third.
 */
async function covered(page: Page): Promise<string[]> {
  await setSize(page, 320, 256);
  await page.evaluate(() => scrollTo(0, 0));
  const found: string[] = [];
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < MAX_TABS; step += 1) {
      await page.keyboard.press(key);
      const focus = await coveredFocus(page);
      if (focus.key === '') break;
      if (focus.covered !== null) found.push(`${key}: ${focus.covered}`);
    }
  }
  const fixed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => /fixed|sticky/.test(getComputedStyle(element).position))
      .filter((element) => element.checkVisibility() && !document.querySelector('[role=dialog]'))
      .reduce((sum, { offsetHeight }) => sum + offsetHeight, 0),
  );
  if (fixed > 256 / 5) found.push(`${fixed} of 256 px stay in sight`);
  return found;
}

const inspect = async (page: Page, screen: string, found: string[]): Promise<void> => {
  const texts = [...(await illegible(page)), ...(await covered(page))];
  found.push(...texts.map((text) => `${screen}, ${text}`));
};

async function walk(
  page: Page,
  { school, demo, role }: { school: TestSchool; demo: DemoSchool; role: DemoRole },
): Promise<string[]> {
  const params = await demo.params(role);
  await signIn(page, school, demo.people[role]);
  const { pending } = watch(page);
  const found: string[] = [];
  const routes = everyRoute().filter(
    (route) => !LEADS_ON.includes(route) && roleOf(route) === role,
  );
  for (const route of shareInTurn(routes, 6)) {
    await page.goto(`${school.network.url}${pathWith(route, params)}`);
    await expect(
      page.getByRole('heading', { level: 1 }).filter({ visible: true }).first(),
    ).toBeVisible();
    await expect.poll(pending, { intervals: [20, 50, 100] }).toBe(0);
    await page.evaluate(() => document.fonts.ready);
    await inspect(page, route, found);
  }
  return found;
}

test('on no screen is a text cut or a word broken, whatever its spacing and size, nor the focus covered at 400 %', async ({
  page,
  school,
}) => {
  test.setTimeout(900_000);
  const demo = await openDemoSchool(school);
  for (const role of ['student', 'teacher', 'admin'] as const)
    expect.soft(await walk(page, { school, demo, role }), role).toEqual([]);
});

test('on the taking page with every kind of question no text is cut, no word broken and no focus covered', async ({
  page,
  school,
}) => {
  test.setTimeout(600_000);
  const teacher = await school.person({ role: ROLE.teacher });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna], questions: longWordQuestions });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  const found: string[] = [];
  for (const [index, { kind }] of shareInTurn([...longWordQuestions.entries()], 3)) {
    await setSize(page, 1280);
    await taking.goTo(index + 1);
    await inspect(page, `question ${index + 1}, ${kind}`, found);
    const opener = page.getByRole('main').locator('button[aria-expanded]').first();
    if ((await opener.count()) === 0) continue;
    await opener.click();
    await inspect(page, `question ${index + 1}, ${kind}, with its bank`, found);
  }
  // «Завершить» stands at the last question.
  await taking.goTo(longWordQuestions.length);
  await setSize(page, 360);
  for (const open of [
    () => page.getByRole('button', { name: /Все вопросы$/ }).click(),
    () => taking.sync.click(),
    () => page.getByRole('button', { name: 'Завершить', exact: true }).click(),
  ]) {
    await open();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await inspect(page, await dialog.getByRole('heading').first().innerText(), found);
    await setSize(page, 360);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
  expect(found).toEqual([]);
});

/** Whether the point in the middle of the field belongs to it. */
const isInSight = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement;
    const { left, right, top, bottom } = field?.getBoundingClientRect() ?? new DOMRect();
    const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    return field !== null && document.elementFromPoint((left + right) / 2, middle) === field;
  });

test('a keyboard that leaves 160 px of a phone in landscape covers no field, and no bar lies on it', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 740, height: 360 });
  const teacher = await school.person({ role: ROLE.teacher });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna], questions: longWordQuestions });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  for (const [index, { kind }] of longWordQuestions.entries()) {
    if (kind !== 'open' && kind !== 'gaps') continue;
    await new Taking(page).goTo(index + 1);
    for (const field of await page.getByRole('main').getByRole('textbox').all()) {
      await field.click();
      await page.setViewportSize({ width: 740, height: 160 });
      await expect.poll(() => isInSight(page), `question ${index + 1}`).toBe(true);
      await page.keyboard.type('5');
      expect(await isInSight(page)).toBe(true);
      await page.setViewportSize({ width: 740, height: 360 });
    }
  }
});

/** The look of a state with the system's forced colours. */
const drawn = (target: Locator) =>
  target.evaluate((element) => {
    const lookOf = (pseudo?: string) => {
      const style = getComputedStyle(element, pseudo);
      const { backgroundImage, backgroundColor, borderWidth, borderStyle, borderColor } = style;
      return [backgroundImage, backgroundColor, borderWidth, borderStyle, borderColor].join(' ');
    };
    return `${lookOf()} ${lookOf('::after')}`;
  });

test('with forced colours what is chosen, answered, current and focused differs from what is not', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna], questions: longWordQuestions });
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  await page.getByRole('navigation', { name: 'Разделы' }).waitFor();
  const sections = page.getByRole('navigation', { name: 'Разделы' });
  const pages = page.getByRole('navigation', { name: 'Страницы раздела' });
  for (const links of [sections, pages]) {
    const current = links.locator('[aria-current]').first();
    expect(await drawn(current)).not.toBe(
      await drawn(links.locator('a:not([aria-current])').first()),
    );
  }
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.goTo(2);
  const option = (text: string) => page.locator('label').filter({ hasText: text });
  await taking.choose('Соответствие');
  await taking.onServer.waitFor();
  const chosen = await drawn(option('Соответствие'));
  expect(chosen).not.toBe(await drawn(option('Искусственность')));
  const grid = page.getByRole('complementary', { name: 'Все вопросы' });
  const cell = (name: RegExp) => drawn(grid.getByRole('button', { name }));
  const cells = [await cell(/^Вопрос 2,/), await cell(/^Вопрос 3,/)];
  await taking.goTo(4);
  cells.push(await cell(/^Вопрос 2,/), await cell(/^Вопрос 4,/));
  expect(new Set(cells).size, 'answered and here, empty, answered, here').toBe(4);
  await page.keyboard.press('Tab');
  await expect(page.locator(':focus-visible')).toHaveCSS('outline-style', 'solid');
  await expect(page.locator(':focus-visible')).toHaveCSS('outline-width', '3px');

  await page.setViewportSize({ width: 360, height: 740 });
  const ticks = page.locator('header span[data-answered], header span[data-answered] + span');
  expect(await drawn(ticks.nth(0))).not.toBe(await drawn(ticks.nth(1)));
});
