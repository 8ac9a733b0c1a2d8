import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createUser, eraseUser, resetUserPassword, setUserBlocked } from '#contract/admin.ts';
import { gradeItem } from '#contract/attempts.ts';
import { login, ROLE } from '#contract/auth.ts';
import { updateProfile } from '#contract/profile.ts';
import { createProject } from '#contract/projects.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { routes } from '#contract/routes.ts';
import { contentsOf } from '#tests/backups.ts';
import type { CallInput, Route } from '#contract/route.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { RECORDING } from '#tests/sample-recording.ts';
import { makeScene, sampleCall, smallTemplate, type Scene } from '#tests/calls.ts';
import { projectForm } from '#tests/project-files.ts';
import { errorOf, makeTest, Q, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await testServer();
  admin = await server.user({ role: ROLE.admin });
});
afterAll(() => server.close());

/** Runs something before or after the first statement with a matching text. */
function overtake(
  words: string,
  when: 'before' | 'after',
  act: () => Promise<unknown>,
): () => void {
  const query = server.pool.query.bind(server.pool) as (...given: unknown[]) => Promise<unknown>;
  const end = () => void Object.assign(server.pool, { query });
  const overtaken = async (...given: unknown[]) => {
    if (!JSON.stringify(given[0]).includes(words)) return query(...given);
    end();
    if (when === 'before') await act();
    const result = await query(...given);
    if (when === 'after') await act();
    return result;
  };
  Object.assign(server.pool, { query: overtaken });
  return end;
}

/** A teacher who graded a student: an erasure leaves the account without a name. */
async function gradingTeacher(): Promise<TestUser> {
  const teacher = await server.user({ role: ROLE.teacher, userName: 'Сорокина' });
  const student = await server.user();
  const device = new TestDevice(server, student);
  await device.start(await makeTest(server, teacher, { students: [student] }));
  await device.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт' });
  await device.finish();
  const body = { questionId: Q.essay, points: 4, comment: '' };
  await server.send(gradeItem, { params: { attemptId: device.attemptId }, body }, { as: teacher });
  return teacher;
}

const erase = ({ userId }: TestUser) =>
  server.send(eraseUser, { params: { userId } }, { as: admin });
const projectsOf = ({ userId }: TestUser) =>
  rows(server.pool, 'select name from projects where owner_id = $1', [userId]);

test('a sign-in with an old password that is replaced concurrently is refused', async () => {
  const email = 'overtaken@school.example';
  const password = 'Synyaya-Ptica7';
  const body = { userName: 'Быстрый Ученик', email, role: ROLE.student, password };
  const { userId } = (await server.send(createUser, { body }, { as: admin })).body.user;
  const end = overtake('find-account', 'after', () =>
    server.send(resetUserPassword, { params: { userId } }, { as: admin }),
  );
  const signedIn = await server.send(login, { body: { email, password } });
  end();
  expect(errorOf(signedIn).code).toBe('BAD_CREDENTIALS');
  const sessions = await rows(server.pool, 'select 1 from sessions where user_id = $1', [userId]);
  expect(sessions).toEqual([]);
});

test('an erased account gets no name from a concurrent call', async () => {
  const teacher = await gradingTeacher();
  const end = overtake('find-session', 'after', () => erase(teacher));
  const renamed = await server.send(
    updateProfile,
    { body: { userName: 'Сорокина Вера' } },
    { as: teacher },
  );
  end();
  expect(renamed.status).toBe(401);
  const left = await one(server.pool, 'select user_name as name from users where id = $1', [
    teacher.userId,
  ]);
  expect(left).toEqual({ name: 'Удалённый пользователь' });
});

/** Calls by which a person stores something, and which an erasure must undo. */
const LEAVING = [
  'createTest',
  'updateTest',
  'setLifecycle',
  'duplicateTest',
  'saveDraft',
  'publishDraft',
  'discardDraft',
  'saveGeneration',
  'saveBankEntry',
  'saveTemplate',
  'uploadPicture',
  'uploadRecording',
  'createGroup',
  'updateGroup',
  'setJoinCode',
  'getProject',
  'rateProject',
  'startAttempt',
  'saveAnswer',
];

const OF_STUDENTS = new Set(['startAttempt', 'saveAnswer']);

/** Samples that are refused for another reason, or would store nothing new. */
const BRINGING: Readonly<Record<string, () => object>> = {
  uploadPicture: () => ({ bytes: SAMPLES['image/png'] }),
  uploadRecording: () => ({ bytes: RECORDING }),
  saveTemplate: () => ({
    params: { templateId: server.deps.newId() },
    body: { version: 0, body: smallTemplate },
  }),
};

/** The caller, with data of other people: a teacher, or a student who was a teacher before. */
async function createCaller(name: string, { teacher, testId }: Scene): Promise<TestUser> {
  if (!OF_STUDENTS.has(name)) return teacher;
  const student = await gradingTeacher();
  await execute(server.pool, 'update users set role = $2 where id = $1', [
    student.userId,
    ROLE.student,
  ]);
  await execute(server.pool, 'update tests set open_to_all = true where id = $1', [testId]);
  return student;
}

test.each(LEAVING)(
  'of %s nothing stays when its caller is erased after authentication',
  async (name) => {
    const scene = await makeScene(server);
    const route = routes.find((each) => each.name === name);
    if (!route) throw new Error(`there is no ${name}`);
    const person = await createCaller(name, scene);
    const unknown = { ...scene, attemptId: server.deps.newId() };
    const input = (BRINGING[name]?.() ?? sampleCall(route, unknown, server)) as CallInput<Route>;
    let erased: Record<string, string> = {};
    const end = overtake('find-session', 'after', async () => {
      expect((await erase(person)).status).toBe(200);
      erased = await contentsOf(server.pool);
    });
    // Answers to attempts that a restore has lost are stored, too.
    const { epoch } = server.deps.state;
    server.deps.state.epoch = 2;
    const answered = await server.send(route, input, { as: person });
    server.deps.state.epoch = epoch;
    end();
    expect([401, 404], answered.text).toContain(answered.status);
    expect(await contentsOf(server.pool)).toEqual(erased);
  },
);

describe('a project being added', () => {
  /** Adds a project; something else happens once the store has begun with its files. */
  async function addWhile(step: 'receive' | 'keep', owner: TestUser, act: () => Promise<unknown>) {
    const { blobs } = server.deps;
    const run = blobs[step].bind(blobs) as (...given: unknown[]) => Promise<unknown>;
    const spy = vi.spyOn(blobs, step).mockImplementation((async (...given: unknown[]) => {
      spy.mockRestore();
      await act();
      return run(...given);
    }) as never);
    return server.send(createProject, projectForm(), { as: owner });
  }

  test.each(['receive', 'keep'] as const)(
    'is refused when its owner is erased during %s',
    async (step) => {
      const teacher = await gradingTeacher();
      const added = await addWhile(step, teacher, () => erase(teacher));
      expect(added.status, added.text).toBe(401);
      expect(await projectsOf(teacher)).toEqual([]);
    },
  );

  test('is refused when its owner is blocked meanwhile', async () => {
    const student = await server.user();
    const { userId } = student;
    const added = await addWhile('receive', student, () =>
      server.send(setUserBlocked, { params: { userId }, body: { isBlocked: true } }, { as: admin }),
    );
    expect(errorOf(added).code).toBe('ACCOUNT_BLOCKED');
    expect(await projectsOf(student)).toEqual([]);
  });
});
