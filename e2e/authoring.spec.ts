import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { CANARY, makeGroup } from '#tests/school.ts';
import { firstUnlessWhole } from '#tests/whole.ts';
import { withMoment } from './pages/moment.ts';
import { audit } from './audit.ts';
import { tabTo } from './keys.ts';
import { Created, Manage, sheetIsGone } from './pages/authoring.ts';
import { Editor } from './pages/editor.ts';
import { addPicture, richQuestions } from './rich-test.ts';
import { SignIn } from './pages/sign-in.ts';
import { expect, PASSWORD, test, type Person, type TestSchool } from './test-school.ts';
import { pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.describe.configure({ mode: 'parallel' });
test.use({ viewport: { width: 1280, height: 800 } });

const LONG_NAME = 'Законы Ньютона. Контрольная работа за II полугодие';

const teacherOf = (school: TestSchool) =>
  school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });

async function open(page: Page, school: TestSchool, path: string): Promise<void> {
  await page.goto(`${school.network.url}${path}`);
}

/** A finished attempt with the fields needed for counting. */
async function attemptOf(school: TestSchool, testId: string, student: Person): Promise<void> {
  const { content } = (await one<{ content: string }>(
    school.pool,
    'select content_id as content from tests where id = $1',
    [testId],
  ))!;
  const id = crypto.randomUUID();
  await execute(
    school.pool,
    `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
       late_window_seconds, ended, ended_at, default_stream, active_stream, active_epoch, points,
       points_without_late, graded_max)
     values ($1, $2, $3, $4, 1, now() - interval '1 hour', now() - interval '20 minutes', 900,
       'finished', now() - interval '30 minutes', $1, $1, 1, 5, 5, 17)`,
    [id, testId, student.userId, content],
  );
}

test('/tests/my/created and /tests/manage are for teachers: students go to /tests, visitors to the sign-in and back', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const anna = await school.person();
  const id = await school.test(teacher, { students: [anna] });
  const guarded = [
    '/tests/my/created',
    `/tests/manage/${id}/edit`,
    `/tests/manage/${id}/edit/ai`,
    `/tests/manage/${id}/settings`,
    `/tests/manage/${id}/preview`,
    `/tests/manage/${id}/statistics`,
  ];
  for (const path of guarded) {
    await open(page, school, path);
    await page.waitForURL('**/login?**');
    expect(new URL(page.url()).searchParams.get('redirect_path')).toBe(path);
  }
  await signIn(page, school, anna);
  for (const path of guarded) {
    await open(page, school, path);
    await expect.poll(() => pathOf(page)).toBe('/tests');
  }
  await open(page, school, '/tests/my');
  const tabs = page.getByRole('navigation', { name: 'Мои тесты' });
  await expect(tabs.getByRole('link')).toHaveText(['Назначенные мне', 'Пройденные']);
  await expect(new Created(page).create).toBeHidden();
});

test('an address without a tab, or with invalid values, still leads to a page', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const anna = await school.person();
  const id = await school.test(teacher, { students: [anna] });
  await attemptOf(school, id, anna);
  await execute(
    school.pool,
    "insert into groups (id, name, owner_id, join_code, created_at) values ($1, '9А', $2, 'KLASS9A2', now())",
    [crypto.randomUUID(), teacher.userId],
  );
  await signIn(page, school, teacher);
  await open(page, school, `/tests/manage/${id}`);
  await expect.poll(() => pathOf(page)).toBe(`/tests/manage/${id}/edit/custom`);
  await open(page, school, '/tests/manage');
  await expect.poll(() => pathOf(page)).toBe('/tests/my/created');
  const main = page.getByRole('main');
  await open(page, school, '/tests/my/created?sortOrder=zzz&status=7&page=-1');
  await expect(new Created(page).link('Законы Ньютона')).toBeVisible();
  await open(page, school, `/tests/manage/${id}/statistics?sortOrder=zzz&groupId=zzz&page=-1`);
  await expect(main.getByRole('heading', { name: 'Ученики' })).toBeVisible();
  await open(page, school, `/tests/manage/${id}/live?show=zzz`);
  await expect(main.getByText(anna.userName).first()).toBeVisible();
  await open(page, school, '/groups?page=50');
  await expect.poll(() => pathOf(page)).toBe('/groups');
  await expect(main.getByRole('listitem').first()).toBeVisible();
});

test('«Создать тест» shows only on «Созданные мной» and only for teachers and admins; it makes the default test and goes to its editor', async ({
  page,
  school,
}) => {
  const created = new Created(page);
  for (const role of [ROLE.teacher, ROLE.admin]) {
    await signIn(page, school, await school.person({ role, userName: 'О. В. Лаптева' }));
    for (const path of ['/tests', '/tests/my', '/tests/my/passed']) {
      await open(page, school, path);
      await page.getByRole('heading', { level: 1 }).filter({ visible: true }).waitFor();
      await expect(created.create).toBeHidden();
    }
    await page
      .getByRole('navigation', { name: 'Мои тесты' })
      .getByRole('link', { name: 'Созданные мной' })
      .click();
    await expect(page.getByRole('heading', { name: 'Пока нет созданных тестов' })).toBeVisible();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await created.create.first().click();
    const payload = (await sent).postDataJSON() as Record<string, string>;
    expect(payload).toMatchObject({
      name: 'Новый тест',
      description: '',
      theme: '',
      difficulty: '',
      attemptsCount: 1,
      passTestTime: '10:00:00',
      maxPoints: 0,
    });
    const start = new Date(payload['startTestTime'] ?? '');
    expect(Math.abs(start.getTime() - Date.now())).toBeLessThan(60_000);
    const days = (Date.parse(payload['endTestTime'] ?? '') - start.getTime()) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(28);
    expect(days).toBeLessThanOrEqual(31);
    await expect.poll(() => pathOf(page)).toMatch(/^\/tests\/manage\/[0-9a-f-]{36}\/edit\/custom$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Новый тест' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'В тесте пока нет вопросов' })).toBeVisible();
  }
});

test('the list stores search, filters, order and page in the URL; its rows can be copied, archived, restored and deleted', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const anna = await school.person();
  const taken = await school.test(teacher, { students: [anna], name: 'Взятый тест' });
  await attemptOf(school, taken, anna);
  await school.test(teacher, { students: [], name: 'Векторы' });
  for (let number = 1; number <= 20; number += 1) {
    await school.test(teacher, { students: [], name: `Задачи ${number}`, lifecycle: 'draft' });
  }
  await signIn(page, school, teacher);
  const created = new Created(page);
  await open(page, school, '/tests/my/created');
  await expect(page.getByText('1–20 из 22', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Страница 2' }).click();
  await expect.poll(() => pathOf(page)).toBe('/tests/my/created?page=2');
  await expect(created.link('Взятый тест')).toBeVisible();
  await page.reload();
  await expect(created.row('Взятый тест').getByText('1 попытка')).toBeVisible();
  await page.getByRole('searchbox').fill('вект');
  await expect(created.link('Векторы')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /^Задачи/ })).toHaveCount(0);
  await expect.poll(() => new URL(page.url()).searchParams.get('searchQuery')).toBe('вект');

  await created.act('Векторы', 'Дублировать');
  await expect(created.link('Копия: Векторы')).toBeVisible();
  await expect(created.row('Копия: Векторы').getByText('Черновик')).toBeVisible();
  await created.act('Векторы', 'В архив');
  const original = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Векторы', exact: true }) });
  await expect(original.getByText('В архиве')).toBeVisible();
  await page.getByRole('button', { name: 'Отменить' }).click();
  await expect(original.getByText('Опубликован')).toBeVisible();

  await created.act('Копия: Векторы', 'Удалить…');
  const dialog = page.getByRole('dialog', { name: 'Удалить тест?' });
  await dialog.getByRole('button', { name: 'Оставить' }).click();
  await expect(dialog).toBeHidden();
  await created.act('Копия: Векторы', 'Удалить…');
  await dialog.getByRole('button', { name: 'Удалить' }).click();
  await expect(created.note).toContainText('Тест «Копия: Векторы» удалён');
  await expect(created.link('Копия: Векторы')).toHaveCount(0);

  await sheetIsGone(page);
  await open(page, school, '/tests/my/created?searchQuery=%D0%B2%D0%B7%D1%8F%D1%82');
  await created.act('Взятый тест', 'Удалить…');
  const keep = page.getByRole('dialog', { name: 'Убрать тест в архив?' });
  await expect(keep).toContainText('1 попытка');
  await keep.getByRole('button', { name: 'Убрать в архив' }).click();
  await expect(created.row('Взятый тест').getByText('В архиве', { exact: true })).toBeVisible();
  const lifecycle = await one(school.pool, 'select lifecycle from tests where id = $1', [taken]);
  expect(lifecycle).toEqual({ lifecycle: 'archived' });
});

test('/edit redirects to the custom editor; «Содержание теста» follows the chosen mode and is active for all three; tabs are vertical up to 540 px', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const id = await school.test(teacher, { students: [] });
  const root = `/tests/manage/${id}`;
  await signIn(page, school, teacher);
  const manage = new Manage(page);
  await open(page, school, `${root}/edit`);
  await expect.poll(() => pathOf(page)).toBe(`${root}/edit/custom`);
  for (const [name, mode] of [
    ['Подбор', 'generate'],
    ['С ИИ', 'ai'],
    ['Вручную', 'custom'],
    ['С ИИ', 'ai'],
  ] as const) {
    await manage.mode(name).click();
    await expect.poll(() => pathOf(page)).toBe(`${root}/edit/${mode}`);
    await expect(manage.tab('Содержание теста')).toHaveAttribute('aria-current', 'page');
  }
  for (const [name, path] of [
    ['Настройки', 'settings'],
    ['Предпросмотр', 'preview'],
    ['Ход теста', 'live'],
    ['Проверка', 'grading'],
    ['Статистика', 'statistics'],
  ] as const) {
    await manage.tab(name).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${root}/${path}`);
    await expect(manage.tab(name)).toHaveAttribute('aria-current', 'page');
    await expect(manage.tabs.locator('[aria-current]')).toHaveCount(1);
  }
  await page.reload();
  await manage.tab('Содержание теста').click();
  await expect.poll(() => pathOf(page)).toBe(`${root}/edit/ai`);
  await expect(
    page
      .getByRole('navigation', { name: 'Страницы раздела' })
      .getByRole('link', { name: 'Мои тесты' }),
  ).toHaveAttribute('aria-current', 'page');
  // In one step: the tabs are replaced while the width changes.
  const isVertical = () =>
    manage.tabs.evaluate((tabs) => {
      const [first, second] = [...tabs.querySelectorAll('a')].map(
        (link) => link.getBoundingClientRect().y,
      );
      return (second ?? 0) > (first ?? 0) + 10;
    });
  for (const [width, vertical] of [
    [540, true],
    [541, false],
    [360, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(isVertical, `at ${width} px`).toBe(vertical);
    await expect(manage.tabs.getByRole('link')).toHaveCount(6);
  }
  // A person may fold the tabs to the current one, which the device remembers.
  const fold = manage.tabs.locator('summary');
  await fold.press('Enter');
  await expect(fold).toHaveText('Тест: Содержание теста');
  await expect(manage.tab('Настройки')).toBeHidden();
  await page.reload();
  await expect(fold).toHaveText('Тест: Содержание теста');
  await fold.press('Enter');
  await manage.tab('Настройки').click();
  await expect.poll(() => pathOf(page)).toBe(`${root}/settings`);
  await expect(manage.tab('Предпросмотр')).toBeVisible();
  await open(page, school, `/tests/manage/${crypto.randomUUID()}/settings`);
  await expect(page.getByRole('heading', { name: 'Такого теста у вас нет' })).toBeVisible();
  await page.getByRole('link', { name: 'К созданным тестам' }).last().click();
  await expect.poll(() => pathOf(page)).toBe('/tests/my/created');
});

test('a test that is not ready names what is missing, and is published once it is there', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const wrong = richQuestions.map((question, index) =>
    index === 1 && question.kind === 'variant'
      ? { ...question, options: question.options.map((one) => ({ ...one, isRight: false })) }
      : question,
  );
  const id = await school.test(teacher, { students: [], lifecycle: 'draft', questions: wrong });
  await signIn(page, school, teacher);
  await open(page, school, `/tests/manage/${id}/settings`);
  await page.getByRole('button', { name: 'Опубликовать' }).click();
  const dialog = page.getByRole('dialog', { name: 'Публиковать рано' });
  await dialog.getByRole('link', { name: 'Вопрос 2: не отмечен верный вариант' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/tests/manage/${id}/edit/custom`);
  await expect(page.getByRole('heading', { name: 'Вопрос 2' })).toBeInViewport();
  const editor = new Editor(page);
  await editor.right(1, 3);
  await expect(page.getByRole('region', { name: 'Замечания' })).toBeHidden();
  await page.getByRole('button', { name: 'Опубликовать' }).click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();
});

test("every field of the test is editable in the settings, times in the school's time zone, and is there after a reload", async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const anna = await school.person();
  await school.person({ userName: 'Борис Орлов' });
  await makeGroup(
    { pool: school.pool, deps: { newId: () => crypto.randomUUID() }, clock: { now: new Date() } },
    teacher,
    [anna],
  );
  const id = await school.test(teacher, { students: [] });
  await signIn(page, school, teacher);
  const manage = new Manage(page);
  await open(page, school, `/tests/manage/${id}/settings`);
  await manage.field('Название').fill('Контрольная');
  await manage.field('Описание').fill('Решайте по порядку');
  await manage.choose('Предмет', 'Химия');
  await manage.field('Тема').fill('Соли');
  await manage.choose('Сложность', 'Сложная');
  await expect(page.getByText('Время школы: Москва, UTC+3').first()).toBeVisible();
  await manage.field('Начало').fill('2030-05-24T09:00');
  await manage.field('Окончание').fill('2030-05-24T10:00');
  await manage.field('ч').fill('1');
  await manage.field('мин').fill('30');
  await expect(page.getByText(/Тест открыт 1 час, а времени на него 1/)).toBeVisible();
  await manage.field('Попыток каждому').fill('2');
  await manage.field('Ответы, дошедшие после срока, минут').fill('60');
  await expect(page.getByText('если дойдут за 1 час после конца времени')).toBeVisible();
  await manage.choose('Какая попытка идёт в зачёт', 'Среднее по всем');
  await manage.choose('Верные ответы и пояснения', 'не показывать');
  await manage.field('Открыт всем в базе тестов').check();
  await manage.pick('Выбрать классы', ['9А']);
  await manage.pick('Выбрать учеников', ['Борис Орлов']);
  await manage.pick('Добавить ученика', ['Анна Кузнецова']);
  const ofAnna = page.getByRole('group', { name: 'Анна Кузнецова' });
  await ofAnna.getByLabel('Ещё минут').fill('15');
  await ofAnna.getByLabel('Попыток').fill('3');
  await manage.save.click();
  await expect(manage.state).toContainText(withMoment('Сохранено на сервере '));
  await page.reload();
  await expect(manage.field('Название')).toHaveValue('Контрольная');
  await expect(manage.field('Начало')).toHaveValue('2030-05-24T09:00');
  await expect(manage.field('Ответы, дошедшие после срока, минут')).toHaveValue('60');
  await expect(page.getByRole('button', { name: 'Убрать: Борис Орлов' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Убрать: 9А' })).toBeVisible();
  await expect(ofAnna.getByLabel('Попыток')).toHaveValue('3');
  const stored = await one<Record<string, unknown>>(
    school.pool,
    `select name, description, theme, topic, difficulty, attempts_count, pass_seconds,
       late_window_seconds, open_to_all, counted_attempt, visibility,
       to_char(start_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as start
     from tests where id = $1`,
    [id],
  );
  expect(stored).toEqual({
    name: 'Контрольная',
    description: 'Решайте по порядку',
    theme: 'chemistry',
    topic: 'Соли',
    difficulty: 'hard',
    attempts_count: 2,
    pass_seconds: 5_400,
    late_window_seconds: 3_600,
    open_to_all: true,
    counted_attempt: 'average',
    visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'never' },
    start: '2030-05-24 06:00',
  });
  const assigned = await rows(school.pool, 'select 1 from assignments where test_id = $1', [id]);
  expect(assigned).toHaveLength(2);
});

test('contradictions are reported at the field, the first invalid one gets the focus, and nothing typed is lost', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const anna = await school.person();
  const id = await school.test(teacher, { students: [anna], attemptsCount: 2 });
  await attemptOf(school, id, anna);
  await execute(school.pool, 'update attempts set number = 2');
  await attemptOf(school, id, anna);
  await signIn(page, school, teacher);
  const manage = new Manage(page);
  await open(page, school, `/tests/manage/${id}/settings`);
  await manage.field('Описание').fill('Это останется');
  await manage.field('Окончание').fill('2020-01-01T10:00');
  await manage.field('ч').fill('0');
  await manage.field('мин').fill('0');
  await manage.save.click();
  await expect(page.getByText('Окончание должно быть позже начала')).toBeVisible();
  await expect(page.getByText('Время на тест больше нуля')).toBeVisible();
  await expect(manage.field('Окончание')).toBeFocused();
  await manage.field('Окончание').fill('2099-01-01T10:00');
  await manage.field('мин').fill('40');
  await manage.field('Попыток каждому').fill('1');
  await manage.save.click();
  await expect(
    page.getByText('Уже сделано: 2 попытки. Меньше поставить нельзя', { exact: true }),
  ).toBeVisible();
  await expect(manage.field('Попыток каждому')).toBeFocused();
  await expect(manage.field('Описание')).toHaveValue('Это останется');
  await expect(manage.state).toContainText('Не сохранено');

  await manage.pick('Выбрать учеников', ['Анна']);
  const gone = await school.person({ userName: 'Ушедший Ученик' });
  await page.reload();
  await manage.pick('Выбрать учеников', ['Ушедший Ученик']);
  await execute(school.pool, 'delete from users where id = $1', [gone.userId]);
  await manage.save.click();
  await expect(page.getByText('Ученика больше нет: уберите его из списка')).toBeVisible();
  await page.getByRole('button', { name: 'Убрать: Ушедший Ученик' }).click();
  await manage.field('Описание').fill('Без него');
  await manage.save.click();
  await expect(manage.state).toContainText('Сохранено на сервере');
});

test('unsaved changes are not lost by accident: by a link, by «back», by the next tab', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const id = await school.test(teacher, { students: [] });
  await signIn(page, school, teacher);
  const manage = new Manage(page);
  await open(page, school, '/tests/my/created');
  await new Created(page).link('Законы Ньютона').click();
  await manage.tab('Настройки').click();
  await manage.field('Название').fill('Иначе');
  await manage.tab('Предпросмотр').click();
  await manage.guard.getByRole('button', { name: 'Остаться' }).click();
  await expect(manage.guard).toBeHidden();
  await page.goBack();
  await page.keyboard.press('Escape');
  await expect(manage.guard).toBeHidden();
  await expect.poll(() => pathOf(page)).toBe(`/tests/manage/${id}/settings`);
  await expect(manage.field('Название')).toHaveValue('Иначе');
  await page.goBack();
  await manage.guard.getByRole('button', { name: 'Уйти без сохранения' }).click();
  await expect.poll(() => pathOf(page)).toBe(`/tests/manage/${id}/edit/custom`);
  await manage.tab('Настройки').click();
  await expect(manage.field('Название')).toHaveValue('Законы Ньютона');
  await manage.field('Название').fill('Иначе');
  await manage.save.click();
  await expect(manage.state).toContainText('Сохранено на сервере');
  await manage.tab('Предпросмотр').click();
  await expect.poll(() => pathOf(page)).toBe(`/tests/manage/${id}/preview`);
});

test('settings interrupted by a lost sign-in are restored with it, to their author alone', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const admin = await school.person({ role: ROLE.admin, userName: 'Администратор школы' });
  const id = await school.test(teacher, { students: [] });
  const path = `/tests/manage/${id}/settings`;
  const manage = new Manage(page);
  await signIn(page, school, teacher);
  await open(page, school, path);
  await manage.field('Название').fill('Иначе');
  await execute(school.pool, 'delete from sessions', []);
  await manage.saveWithoutSignIn();
  await expect(manage.guard).toBeHidden();
  await new SignIn(page).signIn({ email: admin.email, password: PASSWORD });
  await expect.poll(() => pathOf(page)).toBe(path);
  await expect(manage.field('Название')).toHaveValue('Законы Ньютона');
  await page.evaluate(() => localStorage.removeItem('token'));
  await page.reload();
  await page.waitForURL('**/login?**');
  await new SignIn(page).signIn({ email: teacher.email, password: PASSWORD });
  await expect.poll(() => pathOf(page)).toBe(path);
  await expect(manage.field('Название')).toHaveValue('Иначе');
  await manage.save.click();
  await expect(manage.state).toContainText('Сохранено на сервере');
  await manage.field('Название').fill('Третье');
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect.poll(() => pathOf(page)).toBe('/login');
  await expect(manage.guard).toBeHidden();
});

test('of two who edit the same settings the second gets a conflict, overwrites nothing and loses nothing', async ({
  page,
  school,
  browser,
}, info) => {
  const teacher = await teacherOf(school);
  const admin = await school.person({ role: ROLE.admin, userName: 'Администратор школы' });
  const id = await school.test(teacher, { students: [] });
  const other = await browser.newPage();
  const first = new Manage(other);
  const second = new Manage(page);
  await signIn(page, school, teacher);
  await signIn(other, school, admin);
  for (const one of [page, other]) await open(one, school, `/tests/manage/${id}/settings`);
  await second.field('Описание').fill('Моё описание');
  await second.field('Название').fill('Моё название');
  await second.field('Тема').fill('Моя тема');
  await first.field('Название').fill('Их название');
  await first.field('Попыток каждому').fill('5');
  await first.save.click();
  await expect(first.state).toContainText('Сохранено на сервере');
  await second.save.click();
  await expect(second.conflict.getByRole('note')).toContainText('Администратор школы');
  await expect(second.conflict).toContainText('Моё название');
  await expect(second.conflict).toContainText('Их название');
  await expect(second.conflict).toContainText('попыток каждому');
  await audit(page, info, 'settings-conflict');
  const untouched = 'select name, description, topic, attempts_count from tests where id = $1';
  expect(await one(school.pool, untouched, [id])).toEqual({
    name: 'Их название',
    description: '',
    topic: '',
    attempts_count: 5,
  });
  await second.conflict.getByRole('checkbox', { name: 'Название' }).uncheck();
  await second.conflict.getByRole('button', { name: /^Показать новую версию/ }).click();
  await expect(second.conflict).toBeHidden();
  await expect(second.field('Название')).toHaveValue('Их название');
  await expect(second.field('Описание')).toHaveValue('Моё описание');
  await expect(second.field('Попыток каждому')).toHaveValue('5');
  await second.save.click();
  await expect(second.state).toContainText('Сохранено на сервере');
  expect(await one(school.pool, untouched, [id])).toEqual({
    name: 'Их название',
    description: 'Моё описание',
    topic: 'Моя тема',
    attempts_count: 5,
  });
  await other.close();
});

test('the preview is the test as a student gets it, on a phone and on a desktop, answered without storing anything', async ({
  page,
  school,
}) => {
  const teacher = await teacherOf(school);
  const id = await school.test(teacher, { students: [] });
  await signIn(page, school, teacher);
  const manage = new Manage(page);
  await open(page, school, `/tests/manage/${id}/preview`);
  const desktop = manage.frame('компьютер');
  await expect(desktop.getByRole('complementary', { name: 'Все вопросы' })).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  await desktop.getByLabel('Ваш ответ').fill('4,9');
  await desktop.getByLabel('Ваш ответ').press('Enter');
  await expect(desktop.getByRole('heading', { level: 1 })).toHaveText('Вопрос 2');
  await desktop.getByRole('radio', { name: 'Ньютон' }).click();
  await expect(desktop.getByRole('radio', { name: 'Ньютон' })).toBeChecked();
  await expect(desktop.locator('body')).not.toContainText(CANARY);

  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  const phone = manage.frame('телефон');
  const bar = phone.getByRole('button', { name: 'Вопрос 1 из 6. Все вопросы' });
  await expect(bar).toBeVisible();
  await page.locator('iframe').evaluate((frame) => frame.scrollIntoView({ block: 'start' }));
  await expect(phone.getByRole('complementary')).toBeHidden();
  await phone.getByLabel('Ваш ответ').fill('5');
  await phone.getByLabel('Ваш ответ').press('Enter');
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Вопрос 2');
  await page.getByRole('radio', { name: 'Компьютер' }).check();
  await expect(desktop.getByRole('heading', { level: 1 })).toHaveText('Вопрос 1');
  expect(sent.filter((call) => !call.includes('/api/Auth'))).toEqual([]);
  expect(await rows(school.pool, 'select 1 from attempts')).toEqual([]);
});

test('a test is created, configured and archived without a pointer', async ({ page, school }) => {
  const teacher = await teacherOf(school);
  await school.test(teacher, { students: [], name: 'Векторы' });
  await signIn(page, school, teacher);
  const { keyboard } = page;
  await open(page, school, '/tests/my/created');
  await tabTo(page, page.getByRole('button', { name: 'Действия с тестом «Векторы»' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Открыть' })).toBeFocused();
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(new Created(page).row('Векторы').getByText('В архиве')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Отменить' }), 60);
  await keyboard.press('Enter');
  await expect(new Created(page).row('Векторы').getByText('Опубликован')).toBeVisible();
  await page.reload();
  await tabTo(page, new Created(page).create);
  await keyboard.press('Enter');
  const manage = new Manage(page);
  await tabTo(page, manage.tab('Настройки'));
  await keyboard.press('Enter');
  await tabTo(page, manage.field('Название'));
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('С клавиатуры');
  await keyboard.press('Enter');
  await expect(manage.state).toContainText('Сохранено на сервере');
  await expect(page.getByRole('heading', { level: 1, name: 'С клавиатуры' })).toBeVisible();
});

for (const [width, height] of firstUnlessWhole([
  [1280, 800],
  [360, 740],
] as const)) {
  test.describe(`at ${width} px, light and dark,`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024 });

    async function openSchool(page: Page, school: TestSchool): Promise<string> {
      const teacher = await teacherOf(school);
      const anna = await school.person();
      const id = await school.test(teacher, {
        students: [anna],
        questions: richQuestions,
        name: LONG_NAME,
      });
      await addPicture(school, id);
      await attemptOf(school, id, anna);
      await signIn(page, school, teacher);
      return id;
    }

    test('created tests, their menu and dialogs, and the content are accessible and fit', async ({
      page,
      school,
    }, info) => {
      const id = await openSchool(page, school);
      await open(page, school, '/tests/my/created?status=draft');
      await page.getByRole('heading', { name: 'Ничего не найдено' }).waitFor();
      await audit(page, info, 'created-none');
      await open(page, school, '/tests/my/created');
      await new Created(page).link(LONG_NAME).waitFor();
      await audit(page, info, 'created');
      await page.getByRole('button', { name: /^Действия с тестом/ }).click();
      await page.getByRole('menuitem', { name: 'Дублировать' }).waitFor();
      await audit(page, info, 'created-menu');
      await page.getByRole('menuitem', { name: 'Удалить…' }).click();
      await page.getByRole('dialog', { name: 'Убрать тест в архив?' }).waitFor();
      await audit(page, info, 'created-delete');
      await open(page, school, `/tests/manage/${id}/edit`);
      await page.getByRole('list', { name: 'Вопросы теста' }).waitFor();
      await audit(page, info, 'content');
      await open(page, school, `/tests/manage/${crypto.randomUUID()}/edit/custom`);
      await page.getByRole('heading', { name: 'Такого теста у вас нет' }).waitFor();
      await audit(page, info, 'manage-absent');
    });

    test('settings and preview are accessible and fit', async ({ page, school }, info) => {
      const id = await openSchool(page, school);
      const manage = new Manage(page);
      await open(page, school, `/tests/manage/${id}/settings`);
      await manage.field('Название').fill('');
      await manage.field('Окончание').fill('2020-01-01T10:00');
      await manage.pick('Добавить ученика', ['Анна']);
      await manage.save.click();
      await page.getByText('Введите название теста').waitFor();
      await audit(page, info, 'settings');
      await page.getByRole('button', { name: 'Выбрать учеников' }).click();
      await page.getByRole('dialog').getByText('Анна Кузнецова').waitFor();
      await audit(page, info, 'settings-picker');
      await page.keyboard.press('Escape');
      await manage.tab('Предпросмотр').click();
      await manage.guard.waitFor();
      await audit(page, info, 'settings-guard');
      await manage.guard.getByRole('button', { name: 'Уйти без сохранения' }).click();
      await manage
        .frame(width < 1024 ? 'телефон' : 'компьютер')
        .getByRole('heading', { level: 1 })
        .waitFor();
      await audit(page, info, 'preview');
    });
  });
}
