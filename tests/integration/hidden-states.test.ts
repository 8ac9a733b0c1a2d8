import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteAttempt } from '#contract/attempts.ts';
import { listCreatedTests, setLifecycle } from '#contract/authoring.ts';
import { downloadFile, getFile } from '#contract/files.ts';
import { removeMember } from '#contract/groups.ts';
import { finishAttempt, getSavedAnswers } from '#contract/passing.ts';
import { getProject, getProjectFiles, rateProject, setProjectHidden } from '#contract/projects.ts';
import type { CallInput, Route } from '#contract/route.ts';
import { createProject } from '#contract/projects.ts';
import { getAttemptPreview, getResult, listResults } from '#contract/results.ts';
import { getTestDetails } from '#contract/tests.ts';
import { getTest } from '#contract/full-test.ts';
import { execute, one } from '#server/db/query.ts';
import { handInFile, makeScene, sampleCall, type Scene, type Who } from '#tests/calls.ts';
import { makeTest, RIGHT, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await testServer();
});
beforeEach(async () => {
  scene = await makeScene(server);
});
afterAll(() => server.close());

/** The status of a call by each of these people. */
async function statuses<R extends Route>(
  route: R,
  input: CallInput<R>,
  people: readonly Exclude<Who, 'none'>[],
): Promise<number[]> {
  const found = [];
  for (const who of people)
    found.push((await server.send(route, input, { as: scene.users[who] })).status);
  return found;
}

describe('a hidden project', () => {
  const OTHERS = ['otherStudent', 'teacher', 'otherTeacher'] as const;
  const CLOSE = ['student', 'admin'] as const;
  const closed = [404, 404, 404];

  test('is there for its owner and administrators alone, with its logo and documentation', async () => {
    const sample = sampleCall(createProject, scene, server) as CallInput<typeof createProject>;
    const paper = new File(['%PDF-1.4\n%%EOF\n'], 'описание.pdf', { type: 'application/pdf' });
    const files = { ...sample.files, Documentation: paper };
    const made = await server.send(createProject, { ...sample, files }, { as: scene.student });
    const found = await one<{ id: string }>(
      server.pool,
      'select id from projects where owner_id = $1 order by created_at desc, id desc limit 1',
      [scene.student.userId],
    );
    const id = found?.id ?? '';
    expect(made.status, made.text).toBe(200);
    const keys = await server.pool.query<{ key: string }>(
      'select key from project_files where project_id = $1',
      [id],
    );
    expect(keys.rows).toHaveLength(2);
    const params = { id };
    for (const { key } of keys.rows)
      expect(await statuses(downloadFile, { params: { key } }, OTHERS)).toEqual([200, 200, 200]);
    const hidden = { params, body: { isHidden: true } };
    await server.send(setProjectHidden, hidden, { as: scene.users.admin });
    for (const { key } of keys.rows) {
      expect(await statuses(downloadFile, { params: { key } }, OTHERS)).toEqual(closed);
      expect(await statuses(getFile, { query: { path: key } }, OTHERS)).toEqual(closed);
      expect(await statuses(downloadFile, { params: { key } }, CLOSE)).toEqual([200, 200]);
    }
    expect(await statuses(getProject, { params }, OTHERS)).toEqual(closed);
    expect(await statuses(getProjectFiles, { params }, OTHERS)).toEqual(closed);
    expect(await statuses(rateProject, { params, body: { stars: 5 } }, OTHERS)).toEqual(closed);
    expect(await statuses(getProject, { params }, CLOSE)).toEqual([200, 200]);
  });
});

describe('after the finish', () => {
  /** A finished attempt with a handed-in file, of a test that shows these parts. */
  async function finished(shown: Record<'ownAnswers' | 'points' | 'correctAnswers', string>) {
    const testId = await makeTest(server, scene.teacher, {
      students: [scene.student],
      visibility: shown,
    });
    const device = new TestDevice(server, scene.student);
    await device.start(testId);
    await device.answer(RIGHT.single);
    const { attemptId } = device;
    const fileId = await handInFile(server, scene.student, attemptId);
    const running = await statuses(downloadFile, { params: { key: fileId } }, ['student']);
    await server.send(finishAttempt, { params: { id: attemptId } }, { as: scene.student });
    return { attemptId, fileId, running };
  }
  const preview = (attemptId: string, as: TestUser) =>
    server.send(getAttemptPreview, { params: { attemptId } }, { as });

  test('a student sees neither answers nor files that the teacher hides; the teacher does', async () => {
    const all = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
    const { attemptId, fileId, running } = await finished(all);
    expect(running).toEqual([200]);
    const people = ['student', 'otherStudent', 'otherTeacher', 'teacher'] as const;
    const wanted = [404, 404, 404, 200];
    expect(await statuses(downloadFile, { params: { key: fileId } }, people)).toEqual(wanted);
    expect(await statuses(getFile, { query: { path: fileId } }, people)).toEqual(wanted);
    const shown = await preview(attemptId, scene.student);
    expect(shown.text).not.toContain('"optionIds"');
    expect(shown.text).not.toContain('канарейка');
    const saved = await server.send(
      getSavedAnswers,
      { params: { id: attemptId } },
      { as: scene.student },
    );
    expect(saved.text).not.toContain('"optionIds"');
  });

  test.each(['never', 'afterClose'])(
    'no correct answer is shown to the student while they are to be shown %s',
    async (correctAnswers) => {
      const { attemptId } = await finished({
        ownAnswers: 'atOnce',
        points: 'atOnce',
        correctAnswers,
      });
      expect((await preview(attemptId, scene.student)).text).not.toContain('канарейка');
      expect((await preview(attemptId, scene.teacher)).text).toContain('канарейка');
    },
  );

  test('no points are shown that the teacher hides', async () => {
    const shown = { ownAnswers: 'atOnce', points: 'never', correctAnswers: 'never' };
    const { attemptId } = await finished(shown);
    const result = (as: TestUser) => server.send(getResult, { params: { attemptId } }, { as });
    expect((await result(scene.student)).body.score).toBeNull();
    expect((await result(scene.teacher)).body.score).not.toBeNull();
  });
});

test('the attempts of a student are hidden from classmates, and from a colleague who may take the test', async () => {
  const { testId, student } = scene;
  for (const { userId } of [scene.users.otherStudent, scene.users.otherTeacher]) {
    await execute(
      server.pool,
      'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), testId, userId, server.clock.now],
    );
  }
  const input = { params: { id: testId }, query: { userId: student.userId } };
  const people = ['otherStudent', 'otherTeacher', 'student', 'teacher', 'admin'] as const;
  expect(await statuses(listResults, input, people)).toEqual([404, 404, 200, 200, 200]);
});

test('everybody’s tests are listed for administrators, a teacher’s own for a teacher', async () => {
  const list = async (as: TestUser) => {
    const query = { everyones: '1' as const, page: 1, pageSize: 100 };
    const { body } = await server.send(listCreatedTests, { query }, { as });
    return body.items.map(({ id }) => id);
  };
  const theirs = await makeTest(server, scene.users.otherTeacher);
  expect(await list(scene.teacher)).toEqual([scene.testId]);
  expect(await list(scene.users.otherTeacher)).toEqual([theirs]);
  expect(await list(scene.users.admin)).toEqual(expect.arrayContaining([theirs, scene.testId]));
});

describe('a test is there for a student', () => {
  const READS: readonly Route[] = [getTest, getTestDetails];
  const read = async (testId: string, as: TestUser) => {
    const found = [];
    for (const route of READS)
      found.push((await server.send(route, { params: { id: testId } }, { as })).status);
    return found;
  };

  test('not while it is a draft, and again when it is published', async () => {
    const student = scene.users.otherStudent;
    const draft = await makeTest(server, scene.teacher, {
      lifecycle: 'draft',
      students: [student],
    });
    expect(await read(draft, student)).toEqual([404, 404]);
    const published = { params: { id: draft }, body: { lifecycle: 'active' as const } };
    expect((await server.send(setLifecycle, published, { as: scene.teacher })).status).toBe(200);
    expect(await read(draft, student)).toEqual([200, 200]);
  });

  test('not once the class that it was assigned to has lost the student', async () => {
    const testId = await makeTest(server, scene.teacher);
    await execute(
      server.pool,
      'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), testId, scene.groupId, server.clock.now],
    );
    expect(await read(testId, scene.student)).toEqual([200, 200]);
    const params = { groupId: scene.groupId, userId: scene.student.userId };
    await server.send(removeMember, { params }, { as: scene.teacher });
    expect(await read(testId, scene.student)).toEqual([404, 404]);
  });
});

test('of a deleted attempt its student reads nothing, neither answers nor files', async () => {
  const { attemptId, fileId } = scene;
  await server.send(deleteAttempt, { params: { attemptId } }, { as: scene.teacher });
  const people = ['student'] as const;
  expect(await statuses(getResult, { params: { attemptId } }, people)).toEqual([410]);
  expect(await statuses(getAttemptPreview, { params: { attemptId } }, people)).toEqual([410]);
  expect(await statuses(getSavedAnswers, { params: { id: attemptId } }, people)).toEqual([410]);
  expect(await statuses(downloadFile, { params: { key: fileId } }, people)).not.toEqual([200]);
});

test('figures of the server are for this machine', async () => {
  const read = (remoteAddress: string) => server.raw({ url: '/metrics', remoteAddress });
  expect((await read('127.0.0.1')).status).toBe(200);
  for (const address of ['192.0.2.7', '10.0.0.7', '::ffff:192.0.2.7', '2001:db8::7'])
    expect((await read(address)).status, address).toBe(403);
});
