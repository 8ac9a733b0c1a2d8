import { ROLE } from '#contract/auth.ts';
import { Q } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { brokenRows, putRow } from './device-rows.ts';
import { expect, test } from './device.ts';
import { attemptOf, countingAnswers } from './journal.ts';
import { Verdict } from './pages/verdict.ts';
import { signInAndStart } from './start.ts';

test.describe.configure({ mode: 'parallel' });

test('garbage in localStorage is logged and set aside; the test opens with its answers', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onServer).toBeVisible();

  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  for (const garbage of ['{', '{"expiresAt":5,"user":{}}', '[]']) {
    await page.evaluate(
      ([owner, text]) => {
        localStorage.setItem('session', text);
        localStorage.setItem(`queries:${owner}`, text);
        localStorage.setItem('currentAttemptId', text);
        localStorage.setItem('attemptHolder', text);
      },
      [student.userId, garbage] as const,
    );
    await page.reload();
    await expect(taking.textAnswer).toHaveValue('4,9');
  }
  expect(logged.filter((text) => text.startsWith('Запись о входе не разобрать'))).toHaveLength(3);
  expect(
    logged.filter((text) => text.startsWith('Сохранённые данные теста не разобрать')).length,
  ).toBeGreaterThan(0);
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: 'finished', points: 2 });
});

test('broken rows among the answers are logged and set aside with their contents; the others arrive', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  await school.test(teacher, { students: [student] });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  const attempt = await attemptOf(school.pool, student);
  await phone.goOffline();
  await taking.textAnswer.fill('4,9');
  await expect(taking.onDevice).toBeVisible();

  const { userId: owner } = student;
  const operation = { operationId: 'x', owner, attemptId: attempt.id, state: 'waiting', kind: 42 };
  const strange = { attemptId: 'y', owner, streams: 'none' };
  await putRow(page, 'operations', operation);
  await putRow(page, 'attempts', strange);
  await putRow(page, 'session', { key: 'current', token: null });
  await putRow(page, 'device', { key: 'clock', kind: 'clock', era: 'first' });
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.reload();
  await expect(taking.textAnswer).toHaveValue('4,9');
  await phone.goOnline();
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();

  await expectArrivedOnce([page], school.pool, attempt.id);
  expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
    [Q.open]: { text: '4,9' },
  });
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: 'finished', points: 2 });
  const broken = await brokenRows(page);
  expect(broken.map(({ original }) => original)).toEqual(
    expect.arrayContaining([operation, strange]),
  );
  // The worker may have read some of them first, and logs them in its own console.
  expect(logged.filter((text) => text.startsWith('Память устройства')).length).toBeGreaterThan(0);
});
