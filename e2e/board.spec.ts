import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { withMoment } from './pages/moment.ts';
import { audit } from './audit.ts';
import { tabTo } from './keys.ts';
import { BoardPage } from './pages/board.ts';
import { openLesson, seedAttempts, stopForMinutes } from './seeded-lesson.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { openSignIn, pathOf, remember, signIn } from './visitor.ts';

/** As if so many minutes had passed since the last contact of every device. */
const silence = (school: TestSchool, student: Person, minutes: number) =>
  execute(
    school.pool,
    `update streams set last_heard_at = last_heard_at - $2 * interval '1 minute',
       head_at = head_at - $2 * interval '1 minute', head_since = head_since - $2 * interval '1 minute'
     where attempt_id in (select id from attempts where user_id = $1)`,
    [student.userId, minutes],
  );

/** Starts the test in a page of a separate device, over a line that can be cut separately. */
async function startOn(
  page: Page,
  school: TestSchool,
  base: string,
  student: Person,
  testId: string,
) {
  const signedIn = await openSignIn(school, student);
  await remember(page, { ...school, network: { ...school.network, url: base } }, signedIn);
  await page.goto(`${base}/tests/${testId}/overview`);
  await new Overview(page).untilReady();
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();
  return taking;
}

for (const [width, height] of firstUnlessWhole([
  [1280, 800],
  [360, 740],
] as const)) {
  test(`the board at ${width} px: empty, not begun, running, stuck, details and added time are accessible and fit`, async ({
    page,
    school,
  }, info) => {
    await page.setViewportSize({ width, height });
    const { teacher, students, testId } = await openLesson(school);
    const board = new BoardPage(page);
    const base = school.network.url;
    await signIn(page, school, teacher);

    const empty = await school.test(teacher, { students: [] });
    await board.open(base, empty);
    await page.getByRole('heading', { name: 'Тест никому не назначен' }).waitFor();
    await audit(page, info, 'board-empty');
    await board.open(base, testId);
    await expect(board.count('не начали')).toContainText('5');
    // Everybody by surname, in the order of the Russian alphabet.
    expect(await board.names()).toEqual([
      'Абрамов Лев',
      'Белов Тимофей',
      'Ёлкина Дарья',
      'Жуков Даниил',
      'Преображенская Елизавета',
    ]);
    // Long names leave room for the states, which stay on one line.
    for (const state of await page.getByText('не начато').all())
      expect((await state.boundingBox())?.height).toBeLessThan(30);
    await audit(page, info, 'board-not-begun');

    await seedAttempts(school, students, testId);
    await expect(board.stuck).toBeVisible();
    await expect(board.stuck.getByRole('heading')).toHaveText('Ответы долго не доходят: 2 ученика');
    await expect(board.stuck).toContainText('нет связи 6 мин');
    await expect(board.stuck).toContainText(withMoment('2 ответа было на устройстве в? ?'));
    await expect(board.row('Ёлкина Дарья')).toContainText(withMoment('сдано '));
    await expect(board.row('Жуков Даниил')).toContainText('не начато');
    await expect(board.count('неотправленных у')).toContainText('5 неотправленных у 2 учеников');
    await expect(page.getByText(/до конца|до последнего срока/)).toBeVisible();
    await audit(page, info, 'board-running');

    await board.filter('Не доходят').click();
    expect(pathOf(page)).toBe(`/tests/manage/${testId}/live?show=stuck`);
    await expect(board.row('Абрамов Лев')).toBeHidden();
    await board.filter('Сдали').click();
    await expect(board.row('Ёлкина Дарья')).toBeVisible();
    await expect(board.row('Абрамов Лев')).toBeHidden();
    await page.reload();
    await expect(board.row('Ёлкина Дарья')).toBeVisible();
    expect(pathOf(page)).toBe(`/tests/manage/${testId}/live?show=finished`);
    await board.filter('Все').click();

    await board.stuck.getByRole('button', { name: 'Подробнее Белов Тимофей' }).click();
    const details = board.dialog('Белов Тимофей');
    await expect(details).toContainText('нет связи 6 мин');
    await expect(details).toContainText('последнее слово устройства');
    await audit(page, info, 'board-details');
    await details.getByRole('button', { name: 'Добавить время' }).click();
    const adding = board.dialog('Добавить время');
    await expect(adding.getByRole('radio', { name: 'Белов Тимофей' })).toBeChecked();
    await adding.getByText('Тем, кто был без связи').click();
    await expect(adding.getByRole('checkbox', { name: /Белов Тимофей/ })).toBeChecked();
    await expect(adding.getByRole('checkbox', { name: /Абрамов Лев/ })).not.toBeChecked();
    await audit(page, info, 'board-add-time');
    await page.keyboard.press('Escape');
    await expect(adding).toBeHidden();
  });
}

test('the columns of students stay within the page at 1280 px, whatever a row contains', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { teacher, students, testId } = await openLesson(school);
  await seedAttempts(school, students, testId);
  const long = 'Константинопольский Константин';
  await execute(school.pool, `update users set user_name = $2 where id = $1`, [
    students[2]?.userId,
    long,
  ]);
  await execute(
    school.pool,
    `update attempts set deadline = now() - interval '1 minute' where test_id = $1`,
    [testId],
  );
  await signIn(page, school, teacher);
  const board = new BoardPage(page);
  await board.open(school.network.url, testId);
  await expect(board.row('Преображенская Елизавета')).toContainText('время вышло');
  const tables = page.getByRole('main').getByRole('table', { name: /^Ученики, часть/ });
  await expect(tables).toHaveCount(3);
  const ends = await tables.evaluateAll((all) =>
    all.map((table) => table.getBoundingClientRect().right),
  );
  expect(Math.round(Math.max(...ends))).toBeLessThanOrEqual(1280 - 24);
  const linesOfWords = await board
    .row(long)
    .locator('button')
    .evaluate((button) => {
      const text = button.firstChild as Text;
      const range = document.createRange();
      return [...text.data.matchAll(/\S+/g)].map(({ index, 0: word }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length;
      });
    });
  expect(linesOfWords, 'no word is broken').toEqual([1, 1]);
});

test("a student who goes offline is shown so, with the device's last report, until the answers arrive", async ({
  page,
  browser,
  school,
}) => {
  test.slow();
  const { teacher, students, testId } = await openLesson(school, ['Белов Тимофей']);
  const [belov] = students;
  if (!belov) throw new Error('one student');
  const board = new BoardPage(page);
  await signIn(page, school, teacher);
  await board.open(school.network.url, testId);
  await expect(board.row('Белов')).toContainText('не начато');

  const line = await school.line();
  const context = await browser.newContext();
  const phone = await context.newPage();
  const taking = await startOn(phone, school, line.url, belov, testId);
  await expect(board.row('Белов').getByText('на связи')).toBeAttached();
  await taking.textAnswer.fill('4,9');
  await expect(taking.onServer).toBeVisible();
  await expect(board.row('Белов')).toContainText('1/6');

  // New answers stay on the device; the server only learns that they were written.
  line.rule = ({ method }) => (method === 'POST' ? 'loseRequest' : 'deliver');
  await taking.goTo(2);
  await taking.choose('Ньютон');
  await expect(taking.onDevice).toBeVisible();
  await phone.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(board.count('неотправленный у 1 ученика')).toBeVisible();
  await expect(board.row('Белов').getByText('1 ответ на устройстве')).toBeAttached();

  // Then nothing arrives any more, for four minutes.
  line.rule = () => 'loseRequest';
  await silence(school, belov, 4);
  await expect(board.stuck).toContainText('нет связи 4 мин');
  await expect(board.stuck).toContainText(withMoment('1 ответ был на устройстве в? ?'));
  await expect(board.count('нет связи')).toContainText('1');
  await expect(board.count('пишут')).toContainText('0');

  line.rule = () => 'deliver';
  await phone.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(board.row('Белов')).toContainText('2/6');
  await expect(board.stuck).toBeHidden();
  await expect(board.count('неотправленных')).toContainText('0');
  await taking.finish();
  await expect(board.row('Белов')).toContainText(withMoment('сдано '));
  await context.close();
});

test('when the server stops, the board shows its age; when it is back, it updates by itself', async ({
  page,
  school,
}) => {
  const { teacher, students, testId } = await openLesson(school);
  const board = new BoardPage(page);
  await signIn(page, school, teacher);
  await board.open(school.network.url, testId);
  await expect(board.count('не начали')).toContainText('5');
  await school.stopServer();
  await expect(board.notCurrent).toContainText(
    /Нет связи с сервером \d+\sс; показано то, что было в \d\d:\d\d:\d\d/,
  );
  await expect(board.row('Белов')).toBeVisible();
  await school.startServer();
  await expect(board.notCurrent).toBeHidden();
  await seedAttempts(school, students, testId);
  await expect(board.stuck).toBeVisible();
  await expect(board.updated).not.toContainText('раз в 5 секунд');
});

/** A proxy between page and server that buffers streams until they end. */
async function gatheringProxy(target: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, reply) => {
    const { method, url, headers } = incoming;
    const outgoing = send(new URL(url ?? '/', target), { method, headers }, (answered) => {
      const isStream = answered.headers['content-type']?.startsWith('text/event-stream') ?? false;
      if (isStream) {
        answered.resume();
        return;
      }
      reply.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('when a proxy buffers streams, the board polls and says so', async ({ page, school }) => {
  const { teacher, students, testId } = await openLesson(school);
  const proxy = await gatheringProxy(school.network.url);
  const signedIn = await openSignIn(school, teacher);
  await remember(page, { ...school, network: { ...school.network, url: proxy.url } }, signedIn);
  const board = new BoardPage(page);
  await board.open(proxy.url, testId);
  await expect(board.updated).toContainText('обновляется раз в 5 секунд');
  await seedAttempts(school, students, testId);
  await expect(board.stuck).toBeVisible();
  await expect(board.notCurrent).toBeHidden();
  await proxy.close();
});

test('minutes for all, by keyboard alone: a lost reply is repeated and counts once; skipped students are shown', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { teacher, students, testId } = await openLesson(school);
  await seedAttempts(school, students, testId);
  const board = new BoardPage(page);
  await signIn(page, school, teacher);
  await board.open(school.network.url, testId);
  await tabTo(page, board.addTime, 50);
  await page.keyboard.press('Enter');
  const adding = board.dialog('Добавить время');
  await expect(adding.getByRole('radio', { name: 'Всем, у кого тест идёт: 3' })).toBeChecked();
  const minutes = adding.getByRole('textbox', { name: 'Минуты' });
  await tabTo(page, minutes, 10);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('0');
  await tabTo(page, adding.getByRole('button', { name: 'Добавить', exact: true }), 10);
  await page.keyboard.press('Enter');
  await expect(adding).toContainText('Добавьте хотя бы минуту');
  await tabTo(page, adding.getByRole('button', { name: '15 мин' }), 20);
  await page.keyboard.press('Enter');
  await expect(minutes).toHaveValue('15');
  await expect(adding).toContainText('Добавим 15 минут 3 ученикам');

  const before = await deadlines(school, testId);
  school.network.rule = ({ path }) => (path.endsWith('/extra-time') ? 'loseReply' : 'deliver');
  await tabTo(page, adding.getByRole('button', { name: 'Добавить', exact: true }), 10);
  await page.keyboard.press('Enter');
  await expect(adding.getByRole('alert')).toContainText('дважды время не прибавится');
  school.network.rule = () => 'deliver';
  await tabTo(page, adding.getByRole('button', { name: 'Добавить', exact: true }), 10);
  await page.keyboard.press('Enter');
  await expect(adding).toContainText('Время добавлено 3 ученикам');
  const after = await deadlines(school, testId);
  const moved = before.map((at, n) => ((after[n] ?? 0) - at) / 60_000).toSorted();
  expect(moved).toEqual([0, 15, 15, 15]);
  await tabTo(page, adding.getByRole('button', { name: 'Готово' }), 5);
  await page.keyboard.press('Enter');
  await expect(adding).toBeHidden();
});

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [1280, 800],
  [820, 1180],
] as const)) {
  test(`after an outage at ${width} px the lost minutes are given back by keyboard in one act, which can be undone before`, async ({
    page,
    school,
  }, info) => {
    await page.setViewportSize({ width, height });
    const { teacher, students, testId } = await openLesson(school);
    await seedAttempts(school, students, testId);
    await stopForMinutes(school);
    const before = await deadlines(school, testId);
    const board = new BoardPage(page);
    await signIn(page, school, teacher);
    await board.open(school.network.url, testId);
    await expect(page.getByText('Сбой школы отнял время у 3 учеников.')).toBeVisible();
    // «р» and «у» are drawn whole.
    await expect(page.locator('.mantine-Button-label').first()).toHaveCSS('text-box-trim', 'none');
    await audit(page, info, 'board-lost-time');
    await tabTo(page, page.getByRole('button', { name: 'Вернуть по 7 минут 3 ученикам…' }), 50);
    await page.keyboard.press('Enter');
    const giving = board.dialog('Вернуть минуты');
    await expect(giving.getByRole('checkbox', { name: /^Абрамов Лев 7 минут/ })).toBeChecked();
    await expect(giving).toContainText(/Не работал сервер с \d\d:\d\d до \d\d:\d\d\./);
    await audit(page, info, 'board-give-back');
    await tabTo(page, giving.getByRole('checkbox', { name: /Преображенская/ }), 10);
    await page.keyboard.press('Space');
    const give = giving.getByRole('button', { name: 'Вернуть по 7 минут 2 ученикам' });
    await tabTo(page, give, 10);
    await page.keyboard.press('Enter');
    const undo = giving.getByRole('button', { name: 'Не возвращать' });
    await expect(undo).toBeFocused();
    await audit(page, info, 'board-give-back-undo');
    await page.keyboard.press('Enter');
    await expect(give).toBeVisible();
    expect(await deadlines(school, testId)).toEqual(before);
    await tabTo(page, give, 10);
    await page.keyboard.press('Enter');
    await expect(giving).toContainText('Время добавлено 2 ученикам', { timeout: 25_000 });
    const after = await deadlines(school, testId);
    const moved = before.map((at, n) => ((after[n] ?? 0) - at) / 60_000).toSorted();
    expect(moved).toEqual([0, 0, 7, 7]);
    await expect(giving.getByRole('button', { name: 'Готово' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(giving).toBeHidden();
    await expect(page.getByText('Сбой школы отнял время у 1 ученика.')).toBeVisible();
  });
}

async function deadlines(school: TestSchool, testId: string): Promise<number[]> {
  const { rows } = await school.pool.query<{ deadline: Date }>(
    'select deadline from attempts where test_id = $1 order by id',
    [testId],
  );
  return rows.map(({ deadline }) => deadline.getTime());
}

test('students do not get to the board, and a teacher not to another’s', async ({
  page,
  school,
}) => {
  const { students, testId } = await openLesson(school, ['Белов Тимофей']);
  const stranger = await school.person({ role: ROLE.teacher, userName: 'Т. А. Белова' });
  const [belov] = students;
  if (!belov) throw new Error('one student');
  await signIn(page, school, belov);
  await page.goto(`${school.network.url}/tests/manage/${testId}/live`);
  await expect(page.getByRole('heading', { level: 1, name: 'База тестов' })).toBeVisible();
  await signIn(page, school, stranger);
  await page.goto(`${school.network.url}/tests/manage/${testId}/live`);
  await expect(page.getByRole('heading', { level: 1, name: 'Тест не найден' })).toBeVisible();
});
