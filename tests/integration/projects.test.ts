import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { downloadFile, getFile } from '#contract/files.ts';
import { PROJECTS_PER_PERSON } from '#contract/limits.ts';
import {
  createProject,
  deleteProject,
  DOCUMENTATION_REQUIRED,
  getProject,
  getProjectFiles,
  listAdminProjects,
  listMyProjects,
  listProjects,
  LOGO_REQUIRED,
  type ProjectDetails,
  rateProject,
  setProjectHidden,
  updateProject,
} from '#contract/projects.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { DOCUMENTS, fileOf, projectForm } from '#tests/project-files.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { errorOf } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Form = Parameters<typeof projectForm>[0];

async function created(as: TestUser, form?: Form): Promise<string> {
  const reply = await server.send(createProject, projectForm(form), { as });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const opened = (as: TestUser, id: string) =>
  server.send(getProject, { params: { id } }, { as }).then(({ body, status }) => {
    expect(status).toBe(200);
    return body;
  });

const fieldsOf = (answered: Parameters<typeof errorOf>[0]) =>
  (errorOf(answered).details as { fields: { field: string; message: string }[] }).fields;

const acts = async (projectId: string) =>
  (
    await rows<{ act: string }>(
      server.pool,
      'select act from audit_log where subject_id = $1 order by at, id',
      [projectId],
    )
  ).map(({ act }) => act);

test('a project is added with its files, owned by the signed-in person', async () => {
  const owner = await server.user({ userName: 'Мария Попова' });
  const id = await created(owner, { body: { OwnerName: 'Кто-то другой' } });
  const project = await opened(owner, id);
  expect(project).toMatchObject({
    name: 'Умная теплица',
    shortDescription: 'Датчики следят за рассадой',
    landingURL: 'https://project.example/',
    ownerName: 'Мария Попова',
    ownerId: owner.userId,
    rating: null,
    ratingCount: 0,
    myRating: null,
    isMine: true,
    mayEdit: true,
    isHidden: false,
    logo: { name: 'логотип.png', mimeType: 'image/png' },
    documentation: {
      name: 'описание.pdf',
      mimeType: 'application/pdf',
      size: DOCUMENTS.pdf.length,
    },
  });
  const other = await server.user();
  expect(await opened(other, id)).toMatchObject({ isMine: false, mayEdit: false });
  const { body: files } = await server.send(getProjectFiles, { params: { id } }, { as: other });
  expect(files).toEqual({
    logo: SAMPLES['image/png'].toString('base64'),
    logoMimeType: 'image/png',
    documentation: DOCUMENTS.pdf.toString('base64'),
    documentationMimeType: 'application/pdf',
  });
});

test('a form that lacks files or has wrong texts is refused at its fields', async () => {
  const as = await server.user();
  const { body } = projectForm();
  const bare = await server.send(createProject, { body }, { as });
  expect([bare.status, errorOf(bare).code]).toEqual([400, 'VALIDATION']);
  expect(fieldsOf(bare)).toEqual([
    { field: 'LogoPhoto', message: LOGO_REQUIRED },
    { field: 'Documentation', message: DOCUMENTATION_REQUIRED },
  ]);
  const wrong = await server.send(
    createProject,
    projectForm({
      body: { Name: 'ы'.repeat(51), ShortDescription: ' ', LandingURL: 'javascript:alert(1)' },
    }),
    { as },
  );
  expect(fieldsOf(wrong)).toEqual([
    { field: 'Name', message: 'Название проекта не должно превышать 50 символов' },
    { field: 'ShortDescription', message: 'Пожалуйста, введите краткое описание проекта' },
    { field: 'LandingURL', message: 'Пожалуйста, введите корректный URL' },
  ]);
  const { body: mine } = await server.send(listMyProjects, {}, { as });
  expect(mine.total).toBe(0);
});

test('the site of a project is a valid address: none, an empty one and a word are refused', async () => {
  const owner = await server.user();
  const whole = projectForm();
  const { LandingURL: _, ...body } = whole.body;
  const refusal = [{ field: 'LandingURL', message: 'Пожалуйста, введите корректный URL' }];
  expect(fieldsOf(await server.send(createProject, { ...whole, body }, { as: owner }))).toEqual(
    refusal,
  );
  const id = await created(owner);
  for (const LandingURL of ['', ' ', 'project', 'https://']) {
    const form = projectForm({ body: { LandingURL } });
    const made = await server.send(createProject, form, { as: owner });
    expect(fieldsOf(made), LandingURL).toEqual(refusal);
    const changes = { body: { Id: id, LandingURL } };
    const changed = await server.send(updateProject, changes, { as: owner });
    expect(fieldsOf(changed), LandingURL).toEqual(refusal);
  }
  expect((await opened(owner, id)).landingURL).toBe('https://project.example/');
  // Stored before an address was required.
  await execute(server.pool, "update projects set landing_url = '' where id = $1", [id]);
  const renamed = { body: { Id: id, Name: 'Теплица 2' } };
  const { status } = await server.send(updateProject, renamed, { as: owner });
  expect([status, (await opened(owner, id)).landingURL]).toEqual([200, '']);
});

test.each([
  'https://school.example@evil.example/',
  'https://school.example:443@evil.example/',
  'http://:password@evil.example',
  'https://%73chool@evil.example/path',
])('an address that hides where it leads is refused: %s', async (LandingURL) => {
  const owner = await server.user();
  const made = await server.send(createProject, projectForm({ body: { LandingURL } }), {
    as: owner,
  });
  const message = 'Уберите из адреса имя и пароль: всё до знака @';
  expect(fieldsOf(made)).toEqual([{ field: 'LandingURL', message }]);
  const id = await created(owner);
  const changed = await server.send(updateProject, { body: { Id: id, LandingURL } }, { as: owner });
  expect(fieldsOf(changed)).toEqual([{ field: 'LandingURL', message }]);
  // A sign in the path hides nothing.
  const body = { Id: id, LandingURL: 'https://school.example/@class' };
  expect((await server.send(updateProject, { body }, { as: owner })).status).toBe(200);
});

test('an update changes only what was sent; a replaced file opens by its new key only', async () => {
  const owner = await server.user();
  const id = await created(owner);
  const before = await opened(owner, id);
  server.clock.advance(1_000);
  const reply = await server.send(
    updateProject,
    {
      body: { Id: id, Name: 'Теплица 2', OwnerName: 'Чужой' },
      files: { Documentation: fileOf(DOCUMENTS.docx, 'описание.docx') },
    },
    { as: owner },
  );
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({
    name: 'Теплица 2',
    description: before.description,
    ownerName: owner.userName,
    logo: before.logo,
    documentation: { name: 'описание.docx' },
  });
  expect(reply.body.updatedAt > before.updatedAt).toBe(true);
  const openedBy = async ({ documentation }: ProjectDetails) =>
    (await server.send(downloadFile, { params: { key: documentation?.key ?? '' } }, { as: owner }))
      .status;
  expect([await openedBy(before), await openedBy(reply.body)]).toEqual([404, 200]);
});

test('a foreign project is changed by administrators alone, and that is logged', async () => {
  const [owner, other, admin] = [
    await server.user(),
    await server.user({ role: ROLE.teacher }),
    await server.user({ role: ROLE.admin }),
  ];
  const id = await created(owner);
  const change = (as: TestUser) =>
    server.send(updateProject, { body: { Id: id, Name: 'Другое' } }, { as });
  expect((await change(other)).status).toBe(404);
  const changed = await change(admin);
  expect(changed.body).toMatchObject({ name: 'Другое', ownerName: owner.userName, isMine: false });
  await change(owner);
  expect(await acts(id)).toEqual(['projectChanged']);
  const remove = (as: TestUser) => server.send(deleteProject, { params: { id } }, { as });
  expect((await remove(other)).status).toBe(404);
  expect((await remove(admin)).status).toBe(200);
  expect((await remove(admin)).status).toBe(404);
  expect(await acts(id)).toEqual(['projectChanged', 'projectDeleted']);
});

test("a person's view counts once per school day, however many are concurrent", async () => {
  const owner = await server.user();
  const id = await created(owner);
  const [first, second] = [await server.user(), await server.user()];
  server.clock.now = new Date('2026-03-03T20:30:00.000Z');
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => opened(index % 2 === 0 ? first : second, id)),
  );
  expect((await opened(first, id)).views).toBe(2);
  // Midnight in Moscow.
  server.clock.now = new Date('2026-03-03T21:00:00.000Z');
  expect((await opened(first, id)).views).toBe(3);
  expect((await opened(owner, id)).views).toBe(4);
});

test('one rating a person, changed by a repeat; sums are right when many rate at once', async () => {
  const owner = await server.user();
  const id = await created(owner);
  const people = await Promise.all(Array.from({ length: 8 }, () => server.user()));
  const rate = (as: TestUser, stars: 1 | 2 | 3 | 4 | 5) =>
    server.send(rateProject, { params: { id }, body: { stars } }, { as });
  await Promise.all(people.flatMap((person) => [rate(person, 1), rate(person, 5)]));
  await Promise.all(people.map((person) => rate(person, 4)));
  const [someone] = people;
  if (!someone) throw new Error('nobody');
  expect((await rate(someone, 2)).body).toEqual({ rating: 3.75, ratingCount: 8, myRating: 2 });
  expect(await opened(someone, id)).toMatchObject({ rating: 3.75, ratingCount: 8, myRating: 2 });
  const wrong = await server.send(
    rateProject,
    { params: { id }, body: { stars: 6 as 5 } },
    { as: someone },
  );
  expect(wrong.status).toBe(400);
  // An erased account’s rating is removed, too.
  await execute(server.pool, 'delete from users where id = $1', [someone.userId]);
  expect(await opened(owner, id)).toMatchObject({ rating: 4, ratingCount: 7 });
});

test('nobody rates their own project', async () => {
  const [owner, admin] = [await server.user(), await server.user({ role: ROLE.admin })];
  const id = await created(owner);
  const rate = (as: TestUser) =>
    server.send(rateProject, { params: { id }, body: { stars: 5 } }, { as });
  const refused = await rate(owner);
  expect([refused.status, errorOf(refused).code]).toEqual([409, 'OWN_PROJECT']);
  expect(errorOf(refused).message).toMatch(/^Свой проект оценивают другие/);
  expect(await opened(owner, id)).toMatchObject({ rating: null, ratingCount: 0, myRating: null });
  expect((await rate(admin)).status).toBe(200);
});

test('the showcase is sorted by date, rating, views and name, and found by what is written', async () => {
  const school = await server.user({ userName: 'Ефросинья Ёлкина' });
  const add = async (Name: string, sums: { views: number; sum: number; count: number }) => {
    server.clock.advance(60_000);
    const id = await created(school, { body: { Name, Description: 'Знак 100%_сорт' } });
    await execute(
      server.pool,
      'update projects set views = $2, rating_sum = $3, rating_count = $4 where id = $1',
      [id, sums.views, sums.sum, sums.count],
    );
  };
  await add('Ёж', { views: 3, sum: 5, count: 1 });
  await add('Проект 10', { views: 9, sum: 0, count: 0 });
  await add('Проект 9', { views: 1, sum: 10, count: 2 });
  await add('ежевика', { views: 3, sum: 8, count: 2 });
  const names = async (query: object) =>
    (
      await server.send(
        listProjects,
        { query: { searchQuery: 'елкина сорт', ...query } },
        { as: school },
      )
    ).body.items.map(({ name }) => name);
  expect(await names({})).toEqual(['ежевика', 'Проект 9', 'Проект 10', 'Ёж']);
  expect(await names({ sortOrder: 'high_rating' })).toEqual([
    'Проект 9',
    'Ёж',
    'ежевика',
    'Проект 10',
  ]);
  expect(await names({ sortOrder: 'high_views' })).toEqual([
    'Проект 10',
    'ежевика',
    'Ёж',
    'Проект 9',
  ]);
  expect(await names({ sortOrder: 'name' })).toEqual(['Ёж', 'ежевика', 'Проект 9', 'Проект 10']);
  expect(await names({ sortOrder: 'name', page: 2, pageSize: 3 })).toEqual(['Проект 10']);
  expect(await names({ searchQuery: 'елкина 100%_' })).toHaveLength(4);
  expect(await names({ searchQuery: 'елкина 100%%' })).toEqual([]);
  const beyond = await server.send(
    listProjects,
    { query: { searchQuery: 'елкина', page: 9 } },
    { as: school },
  );
  expect(beyond.body).toEqual({ items: [], total: 4 });
  const wrong = await server.raw({
    url: '/api/ProjectCard/allShort?sortOrder=best',
    token: school.token,
  });
  expect(wrong.status).toBe(400);
});

test('a hidden project and its files are visible to its owner and administrators alone', async () => {
  const [owner, other, admin] = [
    await server.user({ userName: 'Скрытный Автор' }),
    await server.user(),
    await server.user({ role: ROLE.admin }),
  ];
  const id = await created(owner);
  const key = (await opened(owner, id)).logo?.key ?? '';
  const hide = (isHidden: boolean) =>
    server.send(setProjectHidden, { params: { id }, body: { isHidden } }, { as: admin });
  await hide(true);
  await hide(true);
  const found = { query: { searchQuery: 'скрытный' } };
  const seen = async (as: TestUser) => [
    (await server.send(getProject, { params: { id } }, { as })).status,
    (await server.send(rateProject, { params: { id }, body: { stars: 3 } }, { as })).status,
    (await server.send(getProjectFiles, { params: { id } }, { as })).status,
    (await server.send(getFile, { query: { path: key } }, { as })).status,
    (await server.send(downloadFile, { params: { key } }, { as })).status,
    (await server.send(listProjects, found, { as })).body.total,
    (await server.send(listMyProjects, found, { as })).body.total,
  ];
  expect(await seen(other)).toEqual([404, 404, 404, 404, 404, 0, 0]);
  expect(await seen(owner)).toEqual([200, 409, 200, 200, 200, 0, 1]);
  expect(await seen(admin)).toEqual([200, 200, 200, 200, 200, 0, 0]);
  const listed = async (state: 'all' | 'shown' | 'hidden') =>
    (
      await server.send(listAdminProjects, { query: { ...found.query, state } }, { as: admin })
    ).body.items.map(({ isHidden }) => isHidden);
  expect([await listed('all'), await listed('shown'), await listed('hidden')]).toEqual([
    [true],
    [],
    [true],
  ]);
  await hide(false);
  expect((await seen(other)).slice(0, 6)).toEqual([200, 200, 200, 200, 200, 1]);
  expect(await acts(id)).toEqual(['projectHidden', 'projectShown']);
});

test('a person has no more projects than allowed, even by two at once', async () => {
  const owner = await server.user();
  await execute(
    server.pool,
    `insert into projects (id, owner_id, name, short_description, description, landing_url,
       created_at, updated_at)
     select gen_random_uuid(), $1, 'П', 'П', 'П', 'https://project.example/', $2, $2
     from generate_series(1, $3)`,
    [owner.userId, server.clock.now, PROJECTS_PER_PERSON - 1],
  );
  const both = await Promise.all(
    [1, 2].map(() => server.send(createProject, projectForm(), { as: owner })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const count = await one<{ count: number }>(
    server.pool,
    'select count(*) as count from projects where owner_id = $1',
    [owner.userId],
  );
  expect(count?.count).toBe(PROJECTS_PER_PERSON);
});
