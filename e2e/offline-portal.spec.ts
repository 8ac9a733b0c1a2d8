import { ROLE } from '#contract/auth.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { expect, test } from './device.ts';
import { attemptOf, countingAnswers, journal } from './journal.ts';
import { Shell } from './pages/shell.ts';
import { TITLE, signInAndStart } from './start.ts';

const WORDS = 'Войдите в сеть торгового центра';
const PORTAL = {
  contentType: 'text/html; charset=utf-8',
  body: `<!doctype html><title>${WORDS}</title><h1>${WORDS}</h1>`,
};
const MAX_BACK_OFF_MS = 45_000;

test('a portal that answers everything with its own page confirms nothing, is cached nowhere, and all arrives after it', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  const attempt = await attemptOf(school.pool, student);

  // Seen with the worker, the list is cached.
  const shell = new Shell(page);
  await page.goto('/tests/my');
  await expect(shell.testLink(TITLE)).toBeVisible();
  await shell.resumeTest();

  phone.network.rule = () => PORTAL;
  await taking.textAnswer.fill('4,9');
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onDevice).toBeVisible();
  await expect(taking.sync).toContainText('2 на устройстве');
  await expect(taking.note).toContainText('Сервер не отвечает');

  await page.goto('/tests/my');
  await expect(shell.testLink(TITLE)).toBeVisible();
  await expect(shell.sync).toContainText('2 на устройстве');
  await page.goto(`/tests/${testId}`);
  await expect(taking.option('Ньютон')).toBeChecked();
  await expect(taking.onDevice).toBeVisible();
  await expect(page.getByText(WORDS)).toBeHidden();
  expect(await journal(school.pool, attempt.id)).toEqual([]);
  const stored = await page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push((await (await cache.match(request))?.text()) ?? '');
      }
    }
    return texts;
  });
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.filter((text) => text.includes(WORDS))).toEqual([]);

  phone.network.rule = () => 'deliver';
  await expect(taking.sync).toContainText('на сервере', { timeout: MAX_BACK_OFF_MS });
  await expectArrivedOnce([page], school.pool, attempt.id);
  expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
    [Q.open]: { text: '4,9' },
    [Q.single]: RIGHT.single,
  });
});
