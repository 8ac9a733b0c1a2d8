import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import {
  PARTS_PER_QUESTION,
  TEMPLATE_BYTES_PER_TEACHER,
  TEMPLATES_PER_TEACHER,
} from '#contract/limits.ts';
import {
  deleteTemplate,
  type Generation,
  getGeneration,
  listTemplates,
  saveGeneration,
  saveTemplate,
  type TemplateBody,
} from '#contract/templates.ts';
import { smallTemplate } from '#tests/calls.ts';
import { errorOf, makeTest } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let colleague: TestUser;
let admin: TestUser;
beforeAll(async () => {
  server = await testServer();
  colleague = await server.user({ role: ROLE.teacher, userName: 'Т. А. Белова' });
  admin = await server.user({ role: ROLE.admin });
});
afterAll(() => server.close());

const newTeacher = () => server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
const save = (as: TestUser, templateId: string, version: number, body: TemplateBody) =>
  server.send(saveTemplate, { params: { templateId }, body: { version, body } }, { as });
const titles = async (as: TestUser) => {
  const { body } = await server.send(listTemplates, {}, { as });
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ version, body: { title } }) => [title, version]);
};

describe('templates', () => {
  test('are created, changed and listed with the newest change first, to their teacher alone', async () => {
    const teacher = await newTeacher();
    const [force, speed] = [server.deps.newId(), server.deps.newId()];
    const made = await save(teacher, force, 0, smallTemplate);
    expect(made.body).toEqual({ version: 1, updatedAt: server.clock.now.toISOString() });
    server.clock.advance(1_000);
    await save(teacher, speed, 0, { ...smallTemplate, title: 'Скорость' });
    expect(await titles(teacher)).toEqual([
      ['Скорость', 1],
      ['Сила', 1],
    ]);
    server.clock.advance(1_000);
    const title = '<img src=x onerror=alert(1)> «Сила» $F$ {{m}}';
    expect((await save(teacher, force, 1, { ...smallTemplate, title })).body.version).toBe(2);
    const { items } = (await server.send(listTemplates, {}, { as: teacher })).body;
    expect(items[0]).toEqual({
      templateId: force,
      version: 2,
      body: { ...smallTemplate, title },
      updatedAt: server.clock.now.toISOString(),
    });
    expect(await titles(colleague)).toEqual([]);
    expect(await titles(admin)).toEqual([]);
  });

  test("a stale version is refused with the newer one's, and a repeat is no change", async () => {
    const teacher = await newTeacher();
    const id = server.deps.newId();
    await save(teacher, id, 0, smallTemplate);
    expect((await save(teacher, id, 0, smallTemplate)).body.version).toBe(1);
    await save(teacher, id, 1, { ...smallTemplate, title: 'Вторая' });
    const stale = await save(teacher, id, 1, { ...smallTemplate, title: 'Третья' });
    expect([stale.status, errorOf(stale).code]).toEqual([409, 'STALE_VERSION']);
    expect(errorOf(stale).message).toMatch(/^Шаблон/);
    expect(errorOf(stale).details).toEqual({
      version: 2,
      updatedAt: server.clock.now.toISOString(),
      updatedBy: null,
    });
    const ahead = await save(teacher, id, 7, smallTemplate);
    expect(errorOf(ahead).code).toBe('STALE_VERSION');
    expect(await titles(teacher)).toEqual([['Вторая', 2]]);
  });

  test('two created or changed at once: one is stored, the other gets a conflict', async () => {
    const teacher = await newTeacher();
    const id = server.deps.newId();
    const race = async (version: number) => {
      const answered = await Promise.all(
        ['а', 'б', 'в'].map((title) => save(teacher, id, version, { ...smallTemplate, title })),
      );
      return answered.map(({ status }) => status).toSorted();
    };
    expect(await race(0)).toEqual([200, 409, 409]);
    expect(await race(1)).toEqual([200, 409, 409]);
  });

  test('an unknown or foreign id is not found; the same id of another teacher is a separate template', async () => {
    const teacher = await newTeacher();
    const id = server.deps.newId();
    expect((await save(teacher, id, 1, smallTemplate)).status).toBe(404);
    await save(teacher, id, 0, smallTemplate);
    const asColleague = await newTeacher();
    expect((await save(asColleague, id, 1, smallTemplate)).status).toBe(404);
    const drop = (as: TestUser) =>
      server.send(deleteTemplate, { params: { templateId: id } }, { as });
    expect((await drop(asColleague)).status).toBe(404);
    expect((await save(asColleague, id, 0, { ...smallTemplate, title: 'Своя' })).status).toBe(200);
    const changed = await save(asColleague, id, 1, { ...smallTemplate, title: 'Своя другая' });
    expect(changed.status).toBe(200);
    expect(await titles(teacher)).toEqual([[smallTemplate.title, 1]]);
    expect((await drop(teacher)).body).toEqual({ deleted: true });
    expect((await drop(teacher)).status).toBe(404);
    expect(await titles(teacher)).toEqual([]);
    expect(await titles(asColleague)).toEqual([['Своя другая', 2]]);
  });

  test('beyond the limits of a question are refused at their fields', async () => {
    const teacher = await newTeacher();
    const gap = (gapId: string, word: string) => ({
      gapId,
      input: 'line' as const,
      accepted: [word],
    });
    const refused = await save(teacher, server.deps.newId(), 0, {
      ...smallTemplate,
      key: { kind: 'gaps', gaps: [gap('0', 'да'), gap('1', 'а'.repeat(501))] },
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(errorOf(refused).details)).toMatch(
      /gaps\.0\.gapId.*gaps\.1\.accepted\.0.*Не длиннее 500 символов/,
    );
    const many = Array.from({ length: PARTS_PER_QUESTION + 1 }, () => ({ text: 'а', value: '' }));
    const key = { kind: 'ordering' as const, order: 'given' as const, items: many };
    expect((await save(teacher, server.deps.newId(), 0, { ...smallTemplate, key })).status).toBe(
      400,
    );
  });

  test('a teacher has a limited number; existing ones can still be changed', async () => {
    const teacher = await newTeacher();
    await server.pool.query(
      `insert into question_templates (owner_id, id, body, created_at, updated_at)
       select $1, gen_random_uuid(), $2, $3, $3 from generate_series(2, $4)`,
      [teacher.userId, JSON.stringify(smallTemplate), server.clock.now, TEMPLATES_PER_TEACHER],
    );
    const last = server.deps.newId();
    expect((await save(teacher, last, 0, smallTemplate)).status).toBe(200);
    const beyond = await save(teacher, server.deps.newId(), 0, smallTemplate);
    expect([beyond.status, errorOf(beyond).code]).toEqual([409, 'TOO_MANY_TEMPLATES']);
    expect((await save(teacher, last, 1, { ...smallTemplate, title: 'И' })).status).toBe(200);
  });

  test('a teacher has limited bytes of them, and one reply lists them all', async () => {
    const teacher = await newTeacher();
    const long = 'я'.repeat(19_000);
    const large = { ...smallTemplate, text: long, explanation: long };
    const fits = Math.floor(TEMPLATE_BYTES_PER_TEACHER / Buffer.byteLength(JSON.stringify(large)));
    await server.pool.query(
      `insert into question_templates (owner_id, id, body, created_at, updated_at)
       select $1, gen_random_uuid(), $2, $3, $3 from generate_series(2, $4)`,
      [teacher.userId, JSON.stringify(large), server.clock.now, fits],
    );
    const small = server.deps.newId();
    expect((await save(teacher, small, 0, smallTemplate)).status).toBe(200);
    const last = server.deps.newId();
    expect((await save(teacher, last, 0, large)).status).toBe(200);
    for (const [id, version] of [
      [server.deps.newId(), 0],
      [small, 1],
    ] as const)
      expect(errorOf(await save(teacher, id, version, large)).code).toBe('TOO_MANY_TEMPLATES');
    expect((await save(teacher, last, 1, { ...large, title: 'И' })).status).toBe(200);
    const { text } = await server.raw({
      method: 'GET',
      url: '/api/Templates',
      token: teacher.token,
    });
    expect(Buffer.byteLength(text)).toBeLessThan(1.2 * TEMPLATE_BYTES_PER_TEACHER);
  });
});

describe('how a test was assembled', () => {
  const generation: Generation = {
    seed: 'семя 1',
    criteria: { theme: 'physics', topics: ['Динамика'], tags: [], kinds: ['variant'] },
    mix: { easy: 2, medium: 0, hard: 1, any: 0 },
    templates: [],
  };

  test('is stored with the test for those who may edit it', async () => {
    const teacher = await newTeacher();
    const id = await makeTest(server, teacher);
    const read = (as: TestUser) => server.send(getGeneration, { params: { id } }, { as });
    const keep = (as: TestUser, seed: string) =>
      server.send(
        saveGeneration,
        { params: { id }, body: { generation: { ...generation, seed } } },
        { as },
      );
    expect((await read(teacher)).body).toEqual({ generation: null, updatedAt: null });
    await keep(teacher, 'семя 1');
    expect((await read(admin)).body).toEqual({
      generation,
      updatedAt: server.clock.now.toISOString(),
    });
    server.clock.advance(1_000);
    await keep(admin, 'семя 2');
    expect((await read(teacher)).body.generation?.seed).toBe('семя 2');
    expect((await read(colleague)).status).toBe(404);
    expect((await keep(colleague, 'чужое')).status).toBe(404);
    expect((await read(teacher)).body.generation?.seed).toBe('семя 2');
  });
});
