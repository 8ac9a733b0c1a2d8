import { expect, type Page } from '@playwright/test';
import { HEADER } from '#contract/headers.ts';
import { execute, one } from '#server/db/query.ts';
import { PASSWORD, type Person, type TestSchool } from './test-school.ts';
import { Created } from './pages/authoring.ts';
import { Editor } from './pages/editor.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { Taking } from './pages/taking.ts';
import { openSignIn, signIn } from './visitor.ts';

export const TITLE = 'Законы Ньютона';

/** Signs a teacher in and creates a test. Its editor is open then. */
export async function openNewTest(
  page: Page,
  school: TestSchool,
  teacher: Person,
): Promise<Editor> {
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/my/created`);
  await new Created(page).create.first().click();
  return new Editor(page);
}

/** Assigns the only test of a school, which was created in the editor. Returns its id. */
export async function assignOnlyTest({ pool }: TestSchool, { userId }: Person): Promise<string> {
  const test = await one<{ id: string }>(pool, 'select id from tests', []);
  if (!test) throw new Error('the school has no test');
  await execute(
    pool,
    'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, now())',
    [crypto.randomUUID(), test.id, userId],
  );
  return test.id;
}

/** From the sign-in screen through «Мои тесты» to a test's overview. */
export async function signInToOverview(
  page: Page,
  { email }: Person,
  title = TITLE,
): Promise<Overview> {
  await page.goto('/tests/my');
  await new SignIn(page).signIn({ email, password: PASSWORD });
  await new Shell(page).testLink(title).click();
  return new Overview(page);
}

/** The same, and then opens the first question; from then on the device works without a network. */
export async function signInAndStart(page: Page, student: Person, title = TITLE): Promise<Taking> {
  const overview = await signInToOverview(page, student, title);
  await overview.untilReady();
  await overview.start.click();
  const taking = new Taking(page);
  await expect(taking.timer).toBeVisible();
  return taking;
}

/** The code of a test's start without a network, as the teacher shows it from now on. */
export async function showCode({ pool }: TestSchool, testId: string): Promise<string> {
  const shown = await one<{ code: string }>(
    pool,
    'update start_codes set shown_at = now() where test_id = $1 returning code',
    [testId],
  );
  if (!shown) throw new Error('the test has no start code');
  return shown.code;
}

/** A device whose begin the server cannot believe: it has no proof that it opened the offer. */
export async function beginWithoutProof(school: TestSchool, student: Person, testId: string) {
  const { token } = await openSignIn(school, student);
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${school.network.url}/api/TestPassing/${testId}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const { offerId } = (await (await post('offer')).json()) as { offerId: string };
  const reply = await post('start', {
    [HEADER.offer]: offerId,
    [HEADER.offerProof]: 'A'.repeat(43),
    [HEADER.idempotencyKey]: crypto.randomUUID(),
    [HEADER.stream]: crypto.randomUUID(),
    [HEADER.age]: '60000',
  });
  expect(await reply.json()).toMatchObject({ beginHold: 'proof' });
}
