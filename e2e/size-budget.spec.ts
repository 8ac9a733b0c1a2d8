import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { inProject } from '#scripts/lib/project.mjs';
import { measurePages } from '#scripts/lib/size-budget.mjs';
import { smallTest } from '#tests/school.ts';
import { expect, test } from './device.ts';
import { Taking } from './pages/taking.ts';
import { SignIn } from './pages/sign-in.ts';
import { DIST } from './server-process.ts';
import { signInAndStart } from './start.ts';

/**
 * Parts that load once the page is usable: the icon's badge, the painted page, the screen lock, the dialogs, the file of
 * answers.
 */
const LATER =
  /^\/assets\/(?:answers-file|badge|paint-(?:lists|page)|purify\.es|keep-screen-on|AfterFinish|QuestionGrid|TakingDialogs|TakingShortcuts|Shortcuts(?:Modal|Switch)|Icon(?:File|Keyboard)|dialog-messages|page-look|passing(?:\.module)?|shared)-/;

/** The scripts and styles that a page requests until it is idle. */
async function loadedBy(page: Page, visit: () => Promise<unknown>): Promise<string[]> {
  const files: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\.(?:js|css)$/.test(pathname) && request.serviceWorker() === null) files.push(pathname);
  });
  await visit();
  await page.waitForLoadState('networkidle');
  page.removeAllListeners('request');
  return files.filter((file) => file !== '/sw.js');
}

test('the editors and their libraries are not cached by the worker', () => {
  const manifest = JSON.parse(readFileSync(join(DIST, 'client-manifest.json'), 'utf8')) as Record<
    string,
    { file: string }
  >;
  const worker = readFileSync(join(DIST, 'client', 'sw.js'), 'utf8');
  const editors = Object.entries(manifest).filter(([source]) =>
    /manage\.\$testId\.edit\.(custom|generate|ai)\.tsx|_signed\.bank\.tsx|mathjs|mammoth/.test(
      source,
    ),
  );
  expect(editors.length).toBeGreaterThan(3);
  for (const [source, { file }] of editors) expect(worker, source).not.toContain(file);
});

test('signing in and passing a test of the common kinds load what the size budget counts, and nothing else', async ({
  device,
  school,
}) => {
  const student = await school.person();
  const teacher = await school.person({ role: ROLE.teacher });
  // Fields of files, matchings, orders and gaps load only with a test that has such a question.
  const questions = smallTest.filter(({ kind }) => kind !== 'file' && kind !== 'compliance');
  await school.test(teacher, { students: [student], name: 'Законы Ньютона', questions });
  const page = await (await device('phone')).open();

  const onSignIn = await loadedBy(page, async () => {
    await page.goto('/login');
    await expect(new SignIn(page).submit).toBeVisible();
  });
  await signInAndStart(page, student);
  const onTaking = await loadedBy(page, async () => {
    await page.reload();
    await expect(new Taking(page).timer).toBeVisible();
  });

  const { first: counted } = measurePages({
    client: join(DIST, 'client'),
    manifest: join(DIST, 'client-manifest.json'),
    routeTree: inProject('src', 'routeTree.gen.ts'),
  });
  const paths = counted.map(({ file }) => `/${file}`).sort();
  const loaded = [...new Set([...onSignIn, ...onTaking])].filter((path) => !LATER.test(path));
  expect(loaded.sort()).toEqual(paths);
});
