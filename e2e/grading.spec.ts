import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { v7 } from 'uuid';
import { gradeItem } from '#contract/attempts.ts';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { decideTestHeld } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { saveAnswer, uploadChunk } from '#contract/passing.ts';
import { RESCUE_FORMAT } from '#contract/limits.ts';
import { execute, one } from '#server/db/query.ts';
import { liveCall } from '#tests/live-call.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { urlOf } from '#tests/server.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { audit } from './audit.ts';
import { tabTo } from './keys.ts';
import { startElsewhere, takeElsewhere } from './remote-device.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.describe.configure({ mode: 'parallel' });

const WIDTHS = firstUnlessWhole([
  [1280, 800],
  [360, 740],
] as const);
const NAMES = ['Алёшина Анна', 'Волков Пётр', 'Громов Илья'];
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const essay = (text: string): Answer => ({ questionId: Q.essay, kind: 'open', text });
const option = (id: string): Answer => ({ questionId: Q.single, kind: 'variant', optionIds: [id] });

interface Work {
  teacher: Person;
  students: Person[];
  testId: string;
  attempts: string[];
}

/** The first two, for the cases between them. */
function pairOf<T>(items: readonly T[]): [T, T] {
  const [first, second] = items;
  if (first === undefined || second === undefined) throw new Error('two are needed');
  return [first, second];
}

async function assigned(school: TestSchool, names = NAMES) {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const students: Person[] = [];
  for (const userName of names) students.push(await school.person({ userName }));
  return { teacher, students, testId: await school.test(teacher, { students }) };
}

/** Each wrote an essay and chose an option; all are done. */
async function doneWork(school: TestSchool): Promise<Work> {
  const work = await assigned(school);
  const attempts: string[] = [];
  for (const student of work.students) {
    const answers = [option('a'), essay(`Опыт с пружиной: ${student.userName}`)];
    attempts.push(await takeElsewhere(school, student, work.testId, answers));
  }
  return { ...work, attempts };
}

const open = async (page: Page, school: TestSchool, { teacher, testId }: Work, search = '') => {
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/grading${search}`);
};

const pointsOf = async (school: TestSchool, attemptId: string | undefined) =>
  (
    await one<{ points: number | null }>(school.pool, 'select points from attempts where id = $1', [
      attemptId,
    ])
  )?.points;

const answerOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const points = (page: Page) => page.getByLabel(/^Баллы, до/);
const save = (page: Page) => page.getByRole('button', { name: /^Сохранить/ });
const row = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Ответы', exact: true }).getByRole('button', { name });

/** An answer that the server holds: of a stream that it never issued. */
async function hold(
  school: TestSchool,
  student: Person,
  attemptId: string,
  body: Answer,
): Promise<string> {
  const { token } = await openSignIn(school, student);
  const id = v7();
  const headers = {
    [HEADER.idempotencyKey]: id,
    [HEADER.stream]: v7(),
    [HEADER.epoch]: '2',
    [HEADER.sequence]: '1',
    [HEADER.age]: '60000',
  };
  const input = { params: { id: attemptId }, body };
  const reply = await liveCall(school.network.url, saveAnswer, input, { token, headers });
  expect(reply.body.outcome).toBe('held');
  return id;
}

async function handIn(school: TestSchool, student: Person, testId: string): Promise<void> {
  const { token } = await openSignIn(school, student);
  const device = await startElsewhere(school, student, testId);
  const file = {
    name: 'решение.png',
    size: PIXEL.length,
    mimeType: 'image/png',
    sha256: createHash('sha256').update(PIXEL).digest('hex'),
  };
  const fileId = v7();
  const url = urlOf(uploadChunk, {
    params: { id: device.attemptId, fileId },
    query: { ...file, offset: 0, questionId: Q.file },
  });
  const sent = await fetch(`${school.network.url}${url}`, {
    method: uploadChunk.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: PIXEL,
  });
  expect(sent.status).toBe(200);
  await device.answer({ questionId: Q.file, kind: 'file', fileId, ...file });
  await device.finish();
}

for (const [width, height] of WIDTHS) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 640 });
    const isPhone = width < 1024;

    test('a queue waits for a manual grade, answer by answer with text, points with steps and a comment; results update at once', async ({
      page,
      school,
    }, info) => {
      const work = await doneWork(school);
      await open(page, school, work);
      await expect(page.getByText('На проверке: 3 из 3')).toBeVisible();
      if (isPhone) {
        await audit(page, info, 'grading-queue');
        await row(page, 'Алёшина Анна').click();
      }
      const first = answerOf(page, 'Алёшина Анна');
      await expect(first.getByText('Опыт с пружиной: Алёшина Анна')).toBeVisible();
      await expect(first.getByText('Опишите опыт')).toBeVisible();

      // Out of range, and nothing is lost.
      await points(page).fill('5,5');
      await page.getByLabel('Комментарий ученику').fill('Где вывод?');
      await save(page).click();
      await expect(first.getByText('За этот вопрос не больше 5')).toBeVisible();
      await expect(points(page)).toBeFocused();
      await audit(page, info, 'grading-answer');

      // Typed text stays when leaving, and over a reload.
      await page.getByRole('button', { name: 'Следующий ответ' }).click();
      await expect(answerOf(page, 'Волков Пётр')).toBeVisible();
      await page.reload();
      await page.getByRole('button', { name: 'Предыдущий ответ' }).click();
      await expect(points(page)).toHaveValue('5,5');
      await expect(page.getByLabel('Комментарий ученику')).toHaveValue('Где вывод?');

      // The usual points by a tap, one step less.
      await page.getByRole('button', { name: 'Поставить 2,5' }).click();
      await page.getByRole('button', { name: 'Больше' }).click();
      await expect(points(page)).toHaveValue('3');
      await save(page).click();
      await expect(answerOf(page, 'Волков Пётр')).toBeVisible();
      await expect.poll(() => pointsOf(school, work.attempts[0])).toBe(3);
      if (isPhone) await page.getByRole('button', { name: 'К списку' }).click();
      await expect(row(page, 'Алёшина Анна')).toContainText('Оценено 3 из 5');
      await expect(page.getByText(/^На проверке: 2 из/)).toBeVisible();
    });

    test('one item across all students, all items of one; an automatic mark is overridden with a reason; all is logged', async ({
      page,
      school,
    }, info) => {
      const work = await doneWork(school);
      await open(page, school, work);
      await page
        .getByLabel('Вопрос', { exact: true })
        .selectOption({ label: 'Вопрос 2: ответов 3' });
      await page.getByLabel('Показать ответы').selectOption({ label: 'Все ответы' });
      await expect(row(page, 'Громов Илья')).toContainText('По ключу 0 из 1');
      await row(page, 'Громов Илья').click();
      await page.getByRole('link', { name: 'Все ответы ученика' }).click();
      await expect(page.getByText('Все ответы: Громов Илья, попытка 1')).toBeVisible();
      await row(page, 'Вопрос 2').click();
      await points(page).fill('0,5');
      await save(page).click();
      await expect(page.getByText('Напишите, почему балл по ключу меняется')).toBeVisible();
      await page.getByLabel('Почему балл по ключу меняется').fill('Ход мысли верный');
      await save(page).click();
      await expect.poll(() => pointsOf(school, work.attempts[2])).toBe(0.5);
      if (isPhone) await page.getByRole('button', { name: 'К списку' }).click();
      await row(page, 'Вопрос 2').click();
      await expect(answerOf(page, 'Громов Илья').getByText('Оценено 0,5 из 1')).toBeVisible();
      await page.getByRole('button', { name: 'История оценок' }).click();
      const log = page.getByRole('dialog');
      await expect(log.getByText('Вопрос 2: нет → 0,5 балла')).toBeVisible();
      await expect(log.getByText('Ход мысли верный')).toBeVisible();
      await expect(log.getByText('Вся работа: 0 → 0,5 балла')).toBeVisible();
      await audit(page, info, 'grading-log');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Вернуть балл по ключу' }).click();
      await expect.poll(() => pointsOf(school, work.attempts[2])).toBe(0);
    });

    test('held late answers are accepted or refused, one by one or for the class at once, with the marks with and without them', async ({
      page,
      school,
    }, info) => {
      const work = await doneWork(school);
      const ids: string[] = [];
      for (const [index, student] of work.students.entries())
        ids.push(await hold(school, student, work.attempts[index] ?? '', option('b')));
      await open(page, school, work);
      await page.getByRole('button', { name: 'Поздние 3' }).click();
      await expect.poll(() => pathOf(page)).toContain('view=held');
      const first = answerOf(page, 'Алёшина Анна');
      await expect(
        first.getByText(/^Написано по часам устройства в .*, получено .*, срок был/),
      ).toBeVisible();
      await expect(first.getByText('Если принять все')).toBeVisible();
      await audit(page, info, 'grading-held');
      await page.getByRole('button', { name: 'Принять: Алёшина Анна, Вопрос 2' }).click();
      await expect(first.getByText('Принят', { exact: true })).toBeVisible();
      expect(await pointsOf(school, work.attempts[0])).toBe(1);

      await page.getByRole('button', { name: 'Принять все…' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText('Изменятся 2 из 2 оценок.')).toBeVisible();
      await audit(page, info, 'grading-held-all');
      await dialog.getByRole('button', { name: 'Принять все', exact: true }).click();
      await expect(dialog).toBeHidden();
      await expect.poll(() => pointsOf(school, work.attempts[2])).toBe(1);

      // A decision can be changed later.
      await page.getByRole('button', { name: 'Отклонить: Громов Илья, Вопрос 2' }).click();
      await expect.poll(() => pointsOf(school, work.attempts[2])).toBe(0);
      await expect(page.getByRole('button', { name: 'Поздние', exact: true })).toBeVisible();
    });

    test('a wrong key found after the test is corrected once and all attempts are scored again', async ({
      page,
      school,
    }, info) => {
      const work = await doneWork(school);
      await open(page, school, work, `?show=all&questionId=${Q.single}`);
      if (isPhone) await row(page, 'Алёшина Анна').click();
      await page.getByRole('button', { name: 'Исправить ключ…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: 'Паскаль' }).check();
      await dialog.getByRole('checkbox', { name: 'Ньютон' }).uncheck();
      await dialog.getByRole('button', { name: 'Посмотреть, что изменится' }).click();
      await expect(dialog.getByText('Напишите, что исправлено')).toBeVisible();
      await dialog.getByLabel('Что исправлено').fill('Был отмечен не тот вариант');
      await audit(page, info, 'grading-key');
      await dialog.getByRole('button', { name: 'Посмотреть, что изменится' }).click();
      await expect(dialog.getByText('Изменятся 3 из 3 работ.')).toBeVisible();
      expect(await pointsOf(school, work.attempts[0])).toBe(0);
      await audit(page, info, 'grading-key-preview');
      await dialog.getByRole('button', { name: 'Исправить ключ', exact: true }).click();
      await expect(dialog.getByText('Изменились 3 из 3 работ.')).toBeVisible();
      for (const id of work.attempts) expect(await pointsOf(school, id)).toBe(1);
      await dialog.getByRole('button', { name: 'Готово' }).click();
      await expect(answerOf(page, 'Алёшина Анна').getByText(/По ключу 1 из 1/)).toBeVisible();
    });

    test('attempts closed by the server and devices with missing answers are listed with what is known', async ({
      page,
      school,
    }, info) => {
      const { teacher, students, testId } = await assigned(school, NAMES.slice(0, 2));
      const [silent, closed] = pairOf(students);
      const device = await startElsewhere(school, silent, testId);
      await device.answer(RIGHT.single);
      await startElsewhere(school, closed, testId);
      await execute(
        school.pool,
        `update streams set head = 3, head_at = now() - interval '17 minutes' where attempt_id = $1`,
        [device.attemptId],
      );
      await execute(
        school.pool,
        `update attempts set started_at = now() - interval '2 hours', deadline = now() - interval '1 hour'
         where test_id = $1`,
        [testId],
      );
      const work: Work = { teacher, students, testId, attempts: [] };
      await open(page, school, work);
      await expect(page.getByRole('heading', { name: 'Всё проверено' })).toBeVisible();
      await audit(page, info, 'grading-empty');
      await page.getByRole('button', { name: 'Не дошло 2' }).click();
      await expect(
        page.getByText(/^Устройство сообщило .*, что у него 2 ответа; они не пришли\.$/),
      ).toBeVisible();
      await expect(page.getByText('На сервере 1 ответ из 6.')).toBeVisible();
      await expect(page.getByText('Устройство не сообщало о других ответах.')).toBeVisible();
      await audit(page, info, 'grading-missing');
      await page.getByRole('button', { name: 'Поздние', exact: true }).click();
      await expect(
        page.getByRole('heading', { name: 'Спорных поздних ответов нет' }),
      ).toBeVisible();

      // Answers in a device's file await the teacher like a late answer.
      await page.getByRole('button', { name: 'Ответы из файла…' }).click();
      const dialog = page.getByRole('dialog');
      const file = dialog.getByLabel('Файл с ответами');
      const json = (text: string) => ({
        name: 'otvety.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      });
      await file.setInputFiles(json('не ответы'));
      await expect(dialog.getByText(/^Это не файл с ответами/)).toBeVisible();
      const at = { testId, owner: silent.userId, attemptId: device.attemptId };
      await file.setInputFiles(json(rescueFile(at)));
      await expect(dialog.getByText('В файле 1 ответ на этот тест.')).toBeVisible();
      await audit(page, info, 'grading-rescue');
      await dialog.getByRole('button', { name: 'Загрузить' }).click();
      await expect(
        dialog.getByText('Алёшина Анна: ждёт вашего решения под «Поздние»: 1 ответ.'),
      ).toBeVisible();
      await dialog.getByRole('button', { name: 'Готово' }).click();
      await expect(page.getByRole('button', { name: 'Поздние 1' })).toBeVisible();
      await expect(answerOf(page, 'Алёшина Анна').getByText('Из файла')).toBeVisible();
    });
  });
}

/** The file of one answer that «Сохранить ответы в файл» creates. */
function rescueFile({
  owner,
  ...at
}: {
  owner: string;
  testId: string;
  attemptId: string;
}): string {
  const operation = {
    operationId: v7(),
    stream: v7(),
    epoch: 1,
    sequence: 9,
    kind: 'answer',
    answer: { questionId: Q.essay, kind: 'open', text: 'Из файла' },
    writtenAt: new Date().toISOString(),
    seenServerTime: null,
  };
  const attempt = { ...at, title: 'Тест', operations: [operation], files: [] };
  return JSON.stringify({ format: RESCUE_FORMAT, version: 1, owner, attempts: [attempt] });
}

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test('three answers are graded by keyboard alone, next and previous too', async ({
    page,
    school,
  }) => {
    const work = await doneWork(school);
    await open(page, school, work);
    await expect(answerOf(page, 'Алёшина Анна')).toBeVisible();
    await page.keyboard.press('j');
    await expect(answerOf(page, 'Волков Пётр')).toBeVisible();
    await expect(points(page)).toBeFocused();
    await page.keyboard.press('Alt+k');
    await expect(answerOf(page, 'Алёшина Анна')).toBeVisible();
    for (const [index, name] of NAMES.entries()) {
      await expect(answerOf(page, name)).toBeVisible();
      await tabTo(page, points(page));
      await page.keyboard.type(String(index + 1));
      await tabTo(page, page.getByLabel('Комментарий ученику'));
      await page.keyboard.type('Принято');
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => pointsOf(school, work.attempts[index])).toBe(index + 1);
    }
    await expect(page.getByText(/^На проверке: 0 из/)).toBeVisible();
  });

  test('a handed-in picture is shown beside the grade, and an attempt is deleted and restored', async ({
    page,
    school,
  }, info) => {
    const { teacher, students, testId } = await assigned(school, NAMES.slice(0, 1));
    const [student] = students;
    if (!student) throw new Error('no student');
    await handIn(school, student, testId);
    const work: Work = { teacher, students, testId, attempts: [] };
    await open(page, school, work);
    const picture = page.getByRole('img', { name: 'Работа ученика, файл решение.png' });
    await expect(picture).toHaveJSProperty('naturalWidth', 1);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Скачать файл решение.png' }).click();
    expect((await download).suggestedFilename()).toBe('решение.png');
    await audit(page, info, 'grading-file');

    await page.getByRole('link', { name: 'Все ответы ученика' }).click();
    await page.getByRole('button', { name: 'Удалить попытку…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить', exact: true }).click();
    await expect(page.getByText('попытка 1 удалена.')).toBeVisible();
    await expect(answerOf(page, student.userName)).toBeHidden();
    const deletedAt = async () =>
      (await one<{ at: Date | null }>(school.pool, 'select deleted_at as at from attempts', []))
        ?.at;
    expect(await deletedAt()).not.toBeNull();
    await page.getByRole('button', { name: 'Вернуть попытку' }).click();
    await expect(answerOf(page, student.userName)).toBeVisible();
    await expect.poll(deletedAt).toBeNull();
  });

  test('of two who grade the same answer the last one is notified; another answer is shown and typed text stays', async ({
    page,
    school,
  }) => {
    const work = await doneWork(school);
    const [first, second] = pairOf(work.attempts);
    await open(page, school, work);
    await points(page).fill('4');
    const admin = await school.person({ role: ROLE.admin, userName: 'Завуч' });
    const { token } = await openSignIn(school, admin);
    const body = { questionId: Q.essay, points: 2, comment: 'Мало' };
    await liveCall(
      school.network.url,
      gradeItem,
      { params: { attemptId: first }, body },
      { token },
    );
    await save(page).click();
    await expect(
      page.getByText(/Пока вы проверяли, этот ответ оценили: Завуч, 2 балла/),
    ).toBeVisible();
    expect(await pointsOf(school, first)).toBe(4);

    await expect(answerOf(page, 'Волков Пётр')).toBeVisible();
    await points(page).fill('3,5');
    await page.getByLabel('Комментарий ученику').fill('Первый вариант');
    const heldId = await hold(school, pairOf(work.students)[1], second, essay('Другой опыт'));
    await liveCall(
      school.network.url,
      decideTestHeld,
      {
        params: { id: work.testId },
        body: { operationIds: [heldId], decision: 'accepted' },
      },
      { token },
    );
    await save(page).click();
    await expect(page.getByText(/от ученика дошёл другой ответ: он показан выше/)).toBeVisible();
    await expect(page.getByText('Другой опыт')).toBeVisible();
    await expect(points(page)).toHaveValue('3,5');
    expect(await pointsOf(school, second)).toBe(0);
    await save(page).click();
    await expect.poll(() => pointsOf(school, second)).toBe(3.5);
  });

  test('a student who opens the address is redirected, and a foreign test is not found', async ({
    page,
    school,
  }) => {
    const work = await doneWork(school);
    await signIn(page, school, pairOf(work.students)[0]);
    await page.goto(`${school.network.url}/tests/manage/${work.testId}/grading`);
    await expect.poll(() => pathOf(page)).toBe('/tests');
    const stranger = await school.person({ role: ROLE.teacher, userName: 'Чужой' });
    await open(page, school, { ...work, teacher: stranger });
    await expect(page.getByRole('heading', { name: 'Такого теста у вас нет' })).toBeVisible();
  });
});
