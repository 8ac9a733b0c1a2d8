import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { withMoment } from './pages/moment.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { DIST } from './server-process.ts';
import { expect, PASSWORD, test, type TestSchool } from './test-school.ts';
import { everythingStored, placesWith } from './stored.ts';
import { signIn } from './visitor.ts';

const TITLE = 'Законы Ньютона';
const PORTAL_MESSAGE = 'Войдите в сеть школы';
const PORTAL = {
  contentType: 'text/html; charset=utf-8',
  body: `<!doctype html><title>${PORTAL_MESSAGE}</title><h1>${PORTAL_MESSAGE}</h1>`,
};

/** The worker controls the page: its requests are cached from now on. */
const underWorker = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe('activated');

async function studentWithTest(school: TestSchool) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  await school.test(teacher, { students: [anna] });
  return anna;
}

test('after the first visit the app opens without a network, and the list shows its age', async ({
  page,
  context,
  school,
}) => {
  const anna = await studentWithTest(school);
  await page.goto(`${school.network.url}/login?redirect_path=%2Ftests%2Fmy`);
  await underWorker(page);
  await new SignIn(page).signIn({ email: anna.email, password: PASSWORD });
  await expect(new Shell(page).testLink(TITLE)).toBeVisible();
  await expect
    .poll(async () => placesWith(await everythingStored(page), TITLE))
    .toContainEqual(expect.stringContaining('cache content'));

  await context.setOffline(true);
  await page.goto(`${school.network.url}/`);
  await expect(page.getByRole('heading', { name: 'Учебная платформа' })).toBeVisible();
  await page.goto(`${school.network.url}/tests/my`);
  await expect(new Shell(page).testLink(TITLE)).toBeVisible();
  await expect(page.getByText(withMoment('Нет связи с сервером. Обновлено в? ?'))).toBeVisible();

  await context.setOffline(false);
  await school.stopServer();
  await page.reload();
  await expect(new Shell(page).testLink(TITLE)).toBeVisible();
  await expect(page.getByText(withMoment('Обновлено в? ?'))).toBeVisible();
  // The server neither refuses nor answers: the worker waits for its own timeout.
  school.network.rule = () => 'silence';
  await page.reload();
  await expect(new Shell(page).testLink(TITLE)).toBeVisible();
  await expect(page.getByText(withMoment('Обновлено в? ?'))).toBeVisible();
  school.network.rule = () => 'deliver';
  await school.startServer();
  await page.reload();
  await expect(new Shell(page).testLink(TITLE)).toBeVisible();
  await expect(page.getByText(/Обновлено в/)).toBeHidden();
});

test('worker, page and manifest are revalidated, files of this and earlier builds are cached for ever', async ({
  school,
}) => {
  const cacheControlOf = async (path: string) => {
    const response = await fetch(`${school.network.url}${path}`);
    expect(response.status, path).toBe(200);
    return response.headers.get('cache-control');
  };
  for (const path of ['/sw.js', '/', '/index.html', '/tests/my', '/manifest.webmanifest']) {
    expect(await cacheControlOf(path), path).toBe('no-cache');
  }
  const builds = JSON.parse(await readFile(join(DIST, 'builds.json'), 'utf8')) as string[][];
  for (const name of new Set(builds.flat())) {
    expect(await cacheControlOf(`/assets/${name}`), name).toContain('immutable');
  }
  const unknown = await fetch(`${school.network.url}/assets/index-00000000.js`, {
    headers: { accept: '*/*' },
  });
  expect(unknown.status).toBe(404);
  expect(unknown.headers.get('content-type')).toContain('text/plain');
  expect(unknown.headers.get('cache-control')).toBe('no-store');
});

test('row 42: a screen that the worker does not have, lost without a network, leaves the page where it is', async ({
  page,
  context,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  await page.goto(`${school.network.url}/login`);
  await underWorker(page);
  await new SignIn(page).signIn({ email: teacher.email, password: PASSWORD });
  await expect(page.getByRole('heading', { name: 'Учебная платформа' })).toBeVisible();
  await page.evaluate(() => (document.documentElement.dataset['same'] = ''));
  await context.setOffline(true);
  await page.evaluate(() => window.history.pushState(null, '', '/bank'));
  const lost = page.getByText(/^Эта страница не загрузилась/);
  await expect(lost).toBeVisible();
  const failed = page.waitForEvent('requestfailed', (request) => /favicon/.test(request.url()));
  await page.getByRole('button', { name: 'Повторить' }).click();
  await failed;
  await expect(lost).toBeVisible();
  expect(await page.locator('html[data-same]').count()).toBe(1);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Банк вопросов' })).toBeVisible();
});

test("a page that answers in the server's place is never cached, neither as the app nor as its data", async ({
  page,
  school,
}) => {
  const anna = await studentWithTest(school);
  let hasInstallBegun = false;
  school.network.rule = ({ path }) => {
    if (path !== '/index.html') return 'deliver';
    hasInstallBegun = true;
    return PORTAL;
  };
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests`);
  await expect.poll(() => hasInstallBegun).toBe(true);
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined);
  await expect.poll(registered, 'the installation failed').toBe(false);
  expect(placesWith(await everythingStored(page), PORTAL_MESSAGE)).toEqual([]);

  school.network.rule = () => 'deliver';
  await page.goto(`${school.network.url}/tests`);
  await underWorker(page);
  school.network.rule = ({ path }) => (path.startsWith('/api/') ? PORTAL : 'deliver');
  await page.goto(`${school.network.url}/tests/my`);
  await expect(page.getByText('Вместо сервера ответил кто-то другой')).toBeVisible();
  expect(placesWith(await everythingStored(page), PORTAL_MESSAGE)).toEqual([]);

  school.network.rule = () => 'deliver';
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(new Shell(page).testLink(TITLE)).toBeVisible();
});

interface Manifest {
  name: string;
  short_name: string;
  start_url: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
}

test('the app can be installed: a valid manifest, its icons as large as they say, one maskable', async ({
  page,
  context,
  school,
}) => {
  await page.goto(`${school.network.url}/login`);
  await underWorker(page);
  const browser = await context.newCDPSession(page);
  const { url, errors, data } = await browser.send('Page.getAppManifest');
  expect(url).toBe(`${school.network.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '') as Manifest;
  expect(manifest).toMatchObject({ start_url: '/tests/my', display: 'standalone' });
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(
    expect.arrayContaining(['192x192', '512x512']),
  );
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.evaluate(async (path) => {
      const response = await fetch(path);
      const { width, height } = await createImageBitmap(await response.blob());
      return { sizes: `${width}x${height}`, type: response.headers.get('content-type') };
    }, src);
    expect(icon, src).toEqual({ sizes, type });
  }
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  const isAllowed = ({ errorId }: { errorId: string }) => errorId === 'in-incognito';
  expect(installabilityErrors.filter((error) => !isAllowed(error))).toEqual([]);
});
