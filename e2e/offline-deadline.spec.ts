import { ROLE } from '#contract/auth.ts';
import { addTime } from '#contract/attempts.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { expectArrivedOnce } from './answers.ts';
import { deviceOperations } from './device-rows.ts';
import { expect, test } from './device.ts';
import { attemptOf, countingAnswers, journal } from './journal.ts';
import { Result } from './pages/result.ts';
import { Verdict } from './pages/verdict.ts';
import { signInAndStart } from './start.ts';
import { openSignIn } from './visitor.ts';

test.describe.configure({ mode: 'parallel' });

const PASS_SECONDS = 20;
const UNTIL_OVER_MS = 30_000;

test('a deadline that passes offline stores the last key, locks, and queues the finish; all of it counts', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  await school.test(teacher, { students: [student], passSeconds: PASS_SECONDS });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  const attempt = await attemptOf(school.pool, student);
  await phone.goOffline();
  await taking.textAnswer.fill('4,9');
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await taking.goTo(6);

  // Keys continue until the field is locked, so that the last ones had neither a pause nor a blur.
  await expect
    .poll(
      async () => {
        await taking.textAnswer.pressSequentially('а');
        return taking.textAnswer.isEditable();
      },
      { intervals: [100], timeout: UNTIL_OVER_MS },
    )
    .toBe(false);
  await expect(taking.timer).toContainText('время вышло');
  await expect(taking.note).toContainText('Время вышло');
  await expect(taking.note).toContainText('3 ответа ещё на этом устройстве');
  const typed = await taking.textAnswer.inputValue();
  expect(typed).toMatch(/^а+$/);
  await expect
    .poll(async () => (await deviceOperations(page)).find(({ kind }) => kind === 'finish'))
    .toMatchObject({ finishReason: 'deadline', state: 'waiting' });
  const texts = (await deviceOperations(page))
    .filter(({ questionId }) => questionId === Q.essay)
    .sort((a, b) => a.sequence - b.sequence);
  expect(texts.at(-1)?.answer?.text).toBe(typed);
  await taking.goTo(2);
  await expect(taking.option('Паскаль')).toBeDisabled();
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: null });

  await phone.goOnline();
  await page.getByRole('button', { name: 'Что с моими ответами' }).click();
  await expect(new Verdict(page).mayClose).toBeVisible();
  await expect(new Result(page).score).toHaveText('3');
  const arrived = await expectArrivedOnce([page], school.pool, attempt.id);
  expect(arrived.map(({ outcome }) => outcome)).toEqual(arrived.map(() => 'stored'));
  expect(arrived.filter(({ kind }) => kind === 'finish')).toHaveLength(1);
  expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
    [Q.open]: { text: '4,9' },
    [Q.single]: RIGHT.single,
    [Q.essay]: { text: typed },
  });
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: 'finished', points: 3 });
});

test('minutes added by the teacher reopen the inputs of a phone after its time was over', async ({
  device,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  await school.test(teacher, { students: [student], passSeconds: PASS_SECONDS });
  const phone = await device('phone');
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  const attempt = await attemptOf(school.pool, student);
  await phone.goOffline();
  await taking.textAnswer.fill('4,9');
  await expect(taking.onDevice).toBeVisible();

  const { token } = await openSignIn(school, teacher);
  const path = addTime.path.replace('{attemptId}', attempt.id);
  const added = await fetch(`${school.network.url}${path}`, {
    method: addTime.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ minutes: 10 }),
  });
  expect(added.status).toBe(200);
  await expect(taking.timer).toContainText('время вышло', { timeout: UNTIL_OVER_MS });
  await expect(taking.textAnswer).not.toBeEditable();
  await expect
    .poll(async () => (await deviceOperations(page)).map(({ kind }) => kind).sort())
    .toEqual(['answer', 'finish']);

  await phone.goOnline();
  await expect(taking.textAnswer).toBeEditable();
  await expect(taking.timer).toHaveText(/^(9:\d\d|10:\d\d) осталось$/);
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onServer).toBeVisible();
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: null });
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  expect(await attemptOf(school.pool, student)).toMatchObject({ ended: 'finished', points: 3 });
  const finishes = (await journal(school.pool, attempt.id))
    .filter(({ kind }) => kind === 'finish')
    .map(({ outcome, refusal }) => [outcome, refusal]);
  // The finish of the old deadline was refused, or dropped unsent as a reply brought the new one (ADR 12).
  const earlier = finishes.slice(0, -1);
  expect(earlier).toEqual(earlier.map(() => ['refused', 'DEADLINE_MOVED']));
  expect(finishes.at(-1)).toEqual(['stored', null]);
});
