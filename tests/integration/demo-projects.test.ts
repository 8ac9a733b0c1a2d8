import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/auth.ts';
import { downloadFile, getFile } from '#contract/files.ts';
import { getProject, listProjects, rateProject } from '#contract/projects.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { projectId, seedProjects } from '#server/demo/seed-projects.ts';
import { one } from '#server/db/query.ts';
import { type TestServer, testServer } from '#tests/server.ts';

const password = 'Demo2026';
let server: TestServer;
let as: string;

const plant = async () => {
  await seedDemo(server.pool, { now: server.clock.now, password, dataDir: server.deps.dataDir });
  await seedProjects(server.deps, server.clock.now);
};

beforeAll(async () => {
  server = await testServer();
  await plant();
  const signedIn = await server.send(login, { body: { email: 'student@demo.ru', password } });
  as = signedIn.body.token;
});
afterAll(() => server.close());

test("the demo's showcase has six projects of its students with ratings and views", async () => {
  const { body } = await server.send(listProjects, { query: { sortOrder: 'new' } }, { as });
  expect(
    body.items.map(({ name, ownerName, rating, views }) => [name, ownerName, rating, views]),
  ).toEqual([
    ['Умная теплица', 'Демидов Артём', 4.8, 312],
    ['Карта школьных экскурсий', 'Егорова Полина', 4.6, 287],
    ['Орбита', 'Комаров Илья', 4.9, 540],
    ['Пульс класса', 'Сафина Камила', 4.2, 96],
    ['Открытая мастерская', 'Преображенская Елизавета', 4.4, 151],
    ['Узор', 'Хасанов Тимур', 4.7, 203],
  ]);
});

test('logo and documentation of a planted project open like any other', async () => {
  const { body } = await server.send(getProject, { params: { id: projectId('orbit') } }, { as });
  const logo = await server.send(getFile, { query: { path: body.logo?.key ?? '' } }, { as });
  expect([logo.status, logo.body.item2]).toEqual([200, 'image/png']);
  const paper = await server.send(
    downloadFile,
    { params: { key: body.documentation?.key ?? '' } },
    { as },
  );
  expect(paper.status).toBe(200);
  expect(body.documentation).toMatchObject({ name: 'Орбита.pdf', mimeType: 'application/pdf' });
});

test("the next start leaves people's changes of the showcase", async () => {
  const params = { id: projectId('pulse') };
  await server.send(rateProject, { params, body: { stars: 1 } }, { as });
  const before = await one(server.pool, 'select count(*), sum(rating_sum) from projects');
  server.clock.now = new Date(server.clock.now.getTime() + 86_400_000);
  await plant();
  expect(await one(server.pool, 'select count(*), sum(rating_sum) from projects')).toEqual(before);
});
