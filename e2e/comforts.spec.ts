import type { Page } from '@playwright/test';
import { addTime } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { liveCall } from '#tests/live-call.ts';
import { Q, RIGHT, smallTest } from '#tests/school.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { attemptOf } from './journal.ts';
import { tabTo } from './keys.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { startElsewhere, takeElsewhere } from './remote-device.ts';
import { expect, test, type Person, type TestSchool, type SchoolTest } from './test-school.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

test.describe.configure({ mode: 'parallel' });

const leaveQuestion = (page: Page) => page.getByRole('dialog', { name: 'Выйти из теста?' });
const finishQuestion = (page: Page) => page.getByRole('dialog', { name: 'Завершить тест?' });

/** No answer gets through, and the browser knows that there is no network. */
async function goOffline(page: Page, school: TestSchool): Promise<void> {
  school.network.rule = ({ path }) => (path.endsWith('/answer') ? 'loseRequest' : 'deliver');
  await page.context().setOffline(true);
}

async function goOnline(page: Page, school: TestSchool): Promise<void> {
  school.network.rule = () => 'deliver';
  await page.context().setOffline(false);
}

interface Sitting {
  teacher: Person;
  anna: Person;
  testId: string;
  taking: Taking;
}

/** A student on the taking page, opened from the overview. */
async function sitDown(
  page: Page,
  school: TestSchool,
  plan: Omit<SchoolTest, 'students'> = {},
): Promise<Sitting> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna], ...plan });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();
  return { teacher, anna, testId, taking };
}

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024, serviceWorkers: 'block' });

    test('«back» during an attempt asks «Выйти из теста?»; staying changes nothing, leaving loses nothing', async ({
      page,
      school,
    }, info) => {
      const { testId, taking } = await sitDown(page, school);
      await taking.textAnswer.fill('4,9');
      await taking.goTo(2);
      await page.goBack();
      const question = leaveQuestion(page);
      await expect(question).toContainText('Время идёт дальше, ответы сохранены');
      const stay = question.getByRole('button', { name: 'Остаться' });
      await expect(stay).toBeFocused();
      expect(pathOf(page)).toBe(`/tests/${testId}`);
      await audit(page, info, 'leave-sheet');
      await page.keyboard.press('Enter');
      await expect(question).toBeHidden();
      await expect(taking.heading).toHaveText('Вопрос 2');
      expect(pathOf(page)).toBe(`/tests/${testId}`);

      await page.goBack();
      await expect(stay).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
      expect(pathOf(page)).toBe(`/tests/${testId}`);

      await page.goBack();
      await tabTo(page, question.getByRole('button', { name: 'Выйти' }), 4);
      await page.keyboard.press('Enter');
      await expect.poll(() => pathOf(page)).toBe(`/tests/${testId}/overview`);
      await new Overview(page).goOn.click();
      await expect(taking.heading).toHaveText('Вопрос 2');
      await taking.goTo(1);
      await expect(taking.textAnswer).toHaveValue('4,9');
    });

    test('a dialog is open after a reload, and «back» closes it; one that confirms stays closed', async ({
      page,
      school,
    }) => {
      const dialog = page.getByRole('dialog');
      const { anna, taking } = await sitDown(page, school);
      if (width < 1024) {
        await page.getByRole('button', { name: /Все вопросы$/ }).click();
        await dialog.waitFor();
        await page.reload();
        await expect(dialog.getByRole('heading', { name: 'Все вопросы' })).toBeVisible();
        await page.goBack();
        await expect(dialog).toBeHidden();
        await expect(taking.heading).toHaveText('Вопрос 1');
      }
      await taking.goTo(6);
      await page.getByRole('button', { name: 'Завершить', exact: true }).click();
      await expect(finishQuestion(page)).toBeVisible();
      await page.reload();
      await taking.timer.waitFor();
      await expect(dialog).toBeHidden();

      await page.goto(`${school.network.url}/projects/my`);
      await page.getByRole('button', { name: 'Добавить проект' }).click();
      await dialog.waitFor();
      await page.reload();
      await expect(dialog.getByLabel('Владелец')).toHaveValue(anna.userName);
      await page.goBack();
      await expect(dialog).toBeHidden();
      expect(pathOf(page)).toBe('/projects/my');
      await page.getByRole('button', { name: 'Добавить проект' }).click();
      await dialog.getByRole('button', { name: 'Закрыть' }).click();
      await expect(dialog).toBeHidden();
      await page.reload();
      await page.getByRole('heading', { name: 'Пока нет проектов' }).waitFor();
      await expect(dialog).toBeHidden();
    });

    test('mark for review: set by touch or key, it survives a reload and is in every list', async ({
      page,
      school,
    }) => {
      const { taking } = await sitDown(page, school);
      await taking.goTo(3);
      await page.getByRole('button', { name: 'Отметить', exact: true }).click();
      const marked = page.getByRole('button', { name: 'Отмечен', exact: true });
      await expect(marked).toHaveAttribute('aria-pressed', 'true');
      await page.reload();
      await expect(taking.heading).toHaveText('Вопрос 3');
      await expect(marked).toHaveAttribute('aria-pressed', 'true');

      const isWide = width >= 1024;
      if (!isWide) await page.getByRole('button', { name: /Все вопросы$/ }).click();
      const list = isWide
        ? page.getByRole('complementary', { name: 'Все вопросы' })
        : page.getByRole('dialog', { name: 'Все вопросы' });
      await expect(list.getByRole('button', { name: /^Вопрос 3, .*отмечен/ })).toBeVisible();
      await expect(list.getByRole('button', { name: /, отмечен/ })).toHaveCount(1);
      if (!isWide) await expect(list).toContainText('Отмечен: 1');
      await list.getByRole('button', { name: 'Завершить тест…' }).click();
      const finish = finishQuestion(page);
      await expect(finish).toContainText('Отмечен: 1 вопрос');
      await finish.getByRole('button', { name: 'К вопросу 3' }).last().click();
      await expect(taking.heading).toHaveText('Вопрос 3');
      await marked.click();
      await expect(page.getByRole('button', { name: 'Отметить', exact: true })).toBeVisible();
    });

    test('while answers reach the server, the buttons of «Завершить тест?» do not move', async ({
      page,
      school,
    }) => {
      const questions = smallTest.filter(({ questionId }) => questionId === Q.single);
      const { taking } = await sitDown(page, school, { questions });
      // The dialogs are loaded when the page has time; this journey is not about losing them.
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => /TakingDialogs/.test(name)),
      );
      await goOffline(page, school);
      await taking.choose('Ньютон');
      await expect(taking.onDevice).toBeVisible();
      await page.getByRole('button', { name: 'Завершить', exact: true }).click();
      const finish = finishQuestion(page);
      await expect(finish).toContainText('Ещё на устройстве: 1 ответ');
      // Nothing slides with reduced motion: the buttons are in place in the first frame.
      await expect(finish).toHaveCSS('animation-name', 'none');
      const places = () =>
        Promise.all(
          ['Вернуться к вопросам', 'Завершить тест'].map((name) =>
            finish.getByRole('button', { name, exact: true }).boundingBox(),
          ),
        );
      const before = await places();
      await goOnline(page, school);
      await expect(finish).toContainText('все ответы на сервере');
      expect(await places()).toEqual(before);
      await finish.getByRole('button', { name: 'Завершить тест', exact: true }).click();
      await expect(new Verdict(page).mayClose).toBeVisible();
    });
  });
}

test('«back» asks nothing after the finish, after a take-over or in a second tab', async ({
  page,
  school,
}) => {
  const { anna, testId, taking } = await sitDown(page, school, { attemptsCount: 2 });
  const beside = await page.context().newPage();
  await beside.goto(`${school.network.url}/tests/my`);
  await new Shell(beside).resumeTest();
  await expect(new Taking(beside).note).toContainText('Тест открыт в другой вкладке');
  await beside.goBack();
  await expect.poll(() => pathOf(beside)).toBe('/tests/my');
  await beside.close();

  await taking.finish();
  await new Verdict(page).mayClose.waitFor();
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe(`/tests/${testId}/overview`);

  await new Overview(page).start.click();
  await taking.timer.waitFor();
  const running = await school.pool.query<{ id: string }>(
    'select id from attempts where user_id = $1 and ended is null',
    [anna.userId],
  );
  // A confirmation requested meanwhile would be rejected: the note replaces it.
  await goOffline(page, school);
  await taking.textAnswer.fill('5');
  await expect(taking.onDevice).toBeVisible();
  await page.getByRole('button', { name: 'Завершить тест…' }).click();
  await expect(finishQuestion(page)).toBeVisible();
  await startElsewhere(school, anna, testId, running.rows[0]?.id ?? '');
  await goOnline(page, school);
  await expect(taking.note).toContainText('Тест продолжается на другом устройстве');
  await expect(finishQuestion(page)).toBeHidden();
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe(`/tests/${testId}/overview`);
});

test('the browser asks before a reload only while an answer could not be stored on the device', async ({
  page,
  school,
}) => {
  const dialogTypes: string[] = [];
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type());
    void dialog.accept();
  });
  const { taking } = await sitDown(page, school);
  await taking.textAnswer.fill('4,9');
  await expect(taking.onServer).toBeVisible();
  await page.reload();
  await taking.timer.waitFor();
  expect(dialogTypes).toEqual([]);

  school.network.rule = ({ path }) => (path.startsWith('/api/') ? 'loseRequest' : 'deliver');
  await page.evaluate(() => {
    // A device without space: every write fails as on a full disk.
    const full = () => {
      throw new DOMException('no school', 'QuotaExceededError');
    };
    IDBObjectStore.prototype.put = full;
    IDBObjectStore.prototype.add = full;
  });
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(
    page.getByRole('main').getByText(/^Не удалось сохранить на устройстве/),
  ).toBeVisible();
  await page.goBack();
  await expect(leaveQuestion(page)).toContainText('На устройство не удалось записать 1 ответ');
  await page.keyboard.press('Escape');
  await expect(leaveQuestion(page)).toBeHidden();
  await page.reload();
  expect(dialogTypes).toEqual(['beforeunload']);
});

test('five minutes before the end are shown and announced once, and not again after a reload', async ({
  page,
  school,
}, info) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { taking } = await sitDown(page, school, { passSeconds: 5 * 60 + 25 });
  const shown = page.getByRole('note').filter({ hasText: 'Осталось 5 минут.' });
  const said = page.getByRole('status').filter({ hasText: 'Остал' });
  await expect(taking.timer).toContainText('5:');
  await expect(said).toHaveCount(0);
  await expect(shown).toContainText('тест завершится сам');
  await expect(said).toHaveText('Осталось 5 минут');
  await audit(page, info, 'taking-five-minutes');
  await page.reload();
  await expect(taking.timer).toContainText(/[34]:/);
  await taking.goTo(2);
  await expect(shown).toHaveCount(0);
  await expect(said).toHaveCount(0);
});

test('the last minute is announced once; added minutes revoke the announcement', async ({
  page,
  school,
}) => {
  const { teacher, anna, taking } = await sitDown(page, school, { passSeconds: 72 });
  const shown = page.getByRole('note').filter({ hasText: 'Последняя минута.' });
  const said = page.getByRole('status').filter({ hasText: /Осталась 1 минута|Последняя минута/ });
  await expect(shown).toBeVisible();
  await expect(said).toHaveCount(1);
  await page.reload();
  await expect(taking.timer).toContainText('0:');
  await expect(shown).toHaveCount(0);

  const { token } = await openSignIn(school, teacher);
  const input = {
    params: { attemptId: (await attemptOf(school.pool, anna)).id },
    body: { minutes: 4 },
  };
  expect((await liveCall(school.network.url, addTime, input, { token })).status).toBe(200);
  await page.reload();
  await expect(page.getByRole('note').filter({ hasText: 'Осталось 5 минут.' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Осталось 5 минут' })).toHaveCount(1);
});

test("every page in the shell shows that a test runs and leads back to it, except that test's own", async ({
  page,
  school,
}) => {
  const { teacher, anna, testId } = await sitDown(page, school);
  const other = await school.test(teacher, { students: [anna], name: 'Векторы' });
  const attemptId = await takeElsewhere(school, anna, other, [RIGHT.open]);
  const { resume } = new Shell(page);
  for (const path of [
    '/',
    '/tests',
    '/tests/my',
    '/tests/my/passed',
    `/tests/${other}/overview`,
    `/tests/${other}/results`,
    `/tests/${other}/results/${attemptId}`,
    `/tests/${other}/results/${attemptId}/preview`,
    '/join/NO-SUCH-CODE',
  ]) {
    await page.goto(`${school.network.url}${path}`);
    await expect(resume, path).toContainText('Идёт тест «Законы Ньютона», осталось');
  }
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await expect(new Overview(page).goOn).toBeVisible();
  await expect(resume).toHaveCount(0);
  await page.goto(`${school.network.url}/tests/my`);
  await new Shell(page).resumeTest();
  await expect.poll(() => pathOf(page)).toBe(`/tests/${testId}`);
});

test("a teacher who takes a colleague's test is led back to it from every page", async ({
  page,
  school,
}) => {
  const colleague = await school.person({ role: ROLE.teacher, userName: 'И. П. Сомов' });
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const own = await school.test(teacher, { students: [], name: 'Векторы' });
  const testId = await school.test(colleague, { students: [teacher] });
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  await new Taking(page).timer.waitFor();
  const tabs = [
    'edit/custom',
    'edit/generate',
    'edit/ai',
    'settings',
    'preview',
    'live',
    'grading',
  ];
  for (const path of [
    '/tests/my/created',
    ...[...tabs, 'statistics'].map((tab) => `/tests/manage/${own}/${tab}`),
    '/groups',
  ]) {
    await page.goto(`${school.network.url}${path}`);
    await expect(new Shell(page).resume, path).toContainText('Идёт тест «Законы Ньютона»');
  }
});

test('after a take-over both devices show the state of unsent answers', async ({
  page,
  school,
}, info) => {
  const { anna, testId, taking } = await sitDown(page, school);
  const { id } = await attemptOf(school.pool, anna);
  school.network.rule = ({ path }) => (path.endsWith('/answer') ? 'loseRequest' : 'deliver');
  await taking.textAnswer.fill('4,9');
  await expect(taking.onDevice).toBeVisible();
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onDevice).toBeVisible();
  const elsewhere = await startElsewhere(school, anna, testId, id);
  await page.reload();
  await expect(taking.onDevice).toBeVisible();
  // From here on: a request of the page before the reload would use up the one delivery.
  let delivered = 0;
  school.network.rule = ({ path }) => {
    if (!path.endsWith('/answer')) return 'deliver';
    delivered += 1;
    return delivered === 1 ? 'deliver' : 'loseRequest';
  };
  await expect(taking.note).toContainText('здесь он открыт только для чтения');
  await expect(taking.note).toContainText('1 ответ ещё только на этом устройстве');
  await expect(taking.note).toContainText(
    /Что дойдёт после завершения теста или позже .+, увидит преподаватель и решит/,
  );
  await audit(page, info, 'taken-over');
  school.network.rule = () => 'deliver';
  await expect(taking.note).toContainText('Неотправленных ответов здесь нет');
  expect(elsewhere.attemptId).toBe(id);

  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).goOn.or(new Overview(page).start).click();
  const { takeOver } = new Overview(page);
  await expect(takeOver).toContainText('как только оно выйдет на связь');
  await expect(takeOver).toContainText('они пока только на нём');
  await audit(page, info, 'take-over-sheet');
});

test('«Saved answers fetch fails → empty list», «Passing test fetch fails → null result»: the page works and accepts answers', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna] });
  const phone = await startElsewhere(school, anna, testId);
  await phone.answer(RIGHT.single);
  const failed: string[] = [];
  school.network.rule = ({ method, path }) => {
    const isFetch = /^\/api\/(TestPassing\/[^/]+\/answers|Test\/userTest\/)/.test(path);
    if (method !== 'GET' || !isFetch) return 'deliver';
    failed.push(path);
    return { contentType: 'application/json', body: '{"code":"INTERNAL"}' };
  };
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).goOn.or(new Overview(page).start).click();
  await new Overview(page).takeOver.getByRole('button', { name: 'Продолжить здесь' }).click();
  const taking = new Taking(page);
  await expect(taking.timer).toContainText('осталось');
  await expect.poll(() => failed.length).toBeGreaterThanOrEqual(2);
  expect(failed.some((path) => path.endsWith('/answers'))).toBe(true);
  expect(failed.some((path) => path.includes('/userTest/'))).toBe(true);
  await taking.goTo(2);
  await expect(taking.option('Ньютон')).not.toBeChecked();
  await taking.choose('Паскаль');
  await expect(taking.onServer).toBeVisible();

  school.network.rule = () => 'deliver';
  const other = await attemptOf(school.pool, anna);
  expect(other.id).toBe(phone.attemptId);
  await page.reload();
  await taking.goTo(2);
  await expect(taking.option('Паскаль')).toBeChecked();
  const stored = await school.pool.query(
    'select body from answers where attempt_id = $1 and question_id = $2',
    [other.id, Q.single],
  );
  expect(stored.rows[0]).toMatchObject({ body: { optionIds: ['a'] } });
});
