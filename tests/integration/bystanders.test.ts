import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteAttempt } from '#contract/attempts.ts';
import { downloadFile } from '#contract/files.ts';
import { getTest } from '#contract/full-test.ts';
import { getProject, rateProject, updateProject } from '#contract/projects.ts';
import { listResults } from '#contract/results.ts';
import { eraseUser, exportUserData, handOverTeaching } from '#contract/admin.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { expectedOf } from '#tests/allowed.ts';
import {
  insert,
  makeBystanders,
  makeRichScene,
  makeSiblings,
  reverseRows,
} from '#tests/bystanders.ts';
import { sampleCall, type Scene } from '#tests/calls.ts';
import { makeClassmate, readForeignRows, type ForeignIds } from '#tests/foreign-worlds.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { makeTest, smallTest } from '#tests/school.ts';
import { type TestServer, testServer, type TestUser, urlOf } from '#tests/server.ts';
import { shareInTurn } from '#tests/whole.ts';

let server: TestServer;
let strangers: Awaited<ReturnType<typeof makeBystanders>>;
beforeAll(async () => {
  server = await testServer();
  strangers = await makeBystanders(server);
});
afterAll(() => server.close());

type Role = 'student' | 'teacher' | 'admin';
/** The least privileged role that may make the call: an administrator's queries name no owner. */
const ROLES: readonly Role[] = ['student', 'teacher', 'admin'];
const callerOf = (route: Route) => ROLES.find((role) => expectedOf(route, role) === 'in');

const calls = routes.flatMap((route) => {
  const role = callerOf(route);
  const isTried = role && route.access !== 'anyone' && !route.path.startsWith('/api/Ai/');
  return isTried ? [[route.name, role, route] as const] : [];
});

const isRead = ({ method }: Route) => method === 'GET';

/** Replies that name people, projects or acts of the whole school, and to whom. */
const OF_THE_SCHOOL: Readonly<Record<string, string>> = {
  listUsers: 'teachers choose members and colleagues',
  listProjects: 'the showcase is for everybody',
  listAdminProjects: 'administrators see all',
  listAdminUsers: 'administrators see all',
  listAudit: 'administrators see all',
  exportAudit: 'administrators see all',
  getTeaching: 'any teacher may succeed',
};

const CLASSES_NAMED = 'the classes of each student are named';

/** Calls about all that the caller has, including what beside the named object belongs to the caller. */
const OF_ALL_OWN: Readonly<Record<string, string>> = {
  handOverTeaching: 'all property passes',
  endOtherSessions: 'all other sign-ins end',
  getAnalysis: CLASSES_NAMED,
  listTestHeld: CLASSES_NAMED,
  listHolds: CLASSES_NAMED,
  listReadiness: CLASSES_NAMED,
  getStatistics: CLASSES_NAMED,
  exportStatistics: CLASSES_NAMED,
  getBoard: CLASSES_NAMED,
  watchBoard: CLASSES_NAMED,
};

/** Lists that show an administrator what everybody owns. */
const OF_ADMINS: Readonly<Record<string, string>> = {
  listGroups: 'administrators manage all classes',
};

/** Whether the path or the body names the one object that the call is about. */
const isOfOneObject = ({ ownership }: Route) =>
  !['none', 'bankOwner', 'templateOwner'].includes(ownership);

const idsIn = (ids: ForeignIds): string[] => Object.values(ids).flat();
const named = (text: string, ids: ForeignIds) => idsIn(ids).filter((id) => text.includes(id));

/** A scene with its siblings that no call has changed. */
let unchanged: { scene: Scene; siblings: ForeignIds } | null = null;

async function makeSetting() {
  const scene = await makeRichScene(server);
  return { scene, siblings: await makeSiblings(server, scene) };
}

describe('a permitted call', () => {
  test.each(shareInTurn(calls, 3))(
    '%s by %s touches what it names alone',
    async (name, role, route) => {
      const setting = unchanged ?? (await makeSetting());
      unchanged = null;
      const { scene, siblings } = setting;
      const read = async () => ({
        strangers: (await readForeignRows(server, strangers.ids)).all,
        siblings: (await readForeignRows(server, siblings)).all,
      });
      const before = await read();
      const answered = await server.send(route, sampleCall(route, scene, server), {
        as: scene.users[role],
      });
      expect(answered.status, answered.text).toBeLessThan(500);
      const after = await read();
      if (isRead(route) || answered.status >= 400) unchanged = setting;

      const lostOf = (owner: 'strangers' | 'siblings') =>
        before[owner].filter((row) => !after[owner].includes(row));
      const ofStrangers = lostOf('strangers');
      if (ofStrangers.length > 0) strangers = await makeBystanders(server);
      expect(ofStrangers, 'rows of strangers').toEqual([]);
      if (!OF_ALL_OWN[name]) expect(lostOf('siblings'), 'other rows of its people').toEqual([]);
      if (!OF_THE_SCHOOL[name]) expect(named(answered.text, strangers.ids)).toEqual([]);
      if (isOfOneObject(route) && !OF_ALL_OWN[name])
        expect(named(answered.text, siblings)).toEqual([]);
    },
  );
});

/** Exports contain the acts of their readers: see their test. An encrypted file is another one in every reply. */
const INCOMPARABLE = ['exportOwnData', 'exportUserData', 'getOfferFile'];

/** The readings themselves are acts. */
const ACTS = ['listAudit', 'exportAudit'];

const reads = routes.flatMap((route) =>
  ROLES.filter(
    (role) =>
      isRead(route) &&
      route.access !== 'anyone' &&
      expectedOf(route, role) === 'in' &&
      !INCOMPARABLE.includes(route.name),
  ).map((role) => [route.name, role, route] as const),
);

describe('a reply', () => {
  type Replies = ReadonlyMap<string, string>;
  let alone: Replies;
  let amongSiblings: Replies;
  let amongClassmates: Replies;
  let amongStrangers: Replies;
  let reversed: Replies;

  beforeAll(async () => {
    const scene = await makeRichScene(server);
    const readAll = async (): Promise<Replies> => {
      const replies = new Map<string, string>();
      for (const [name, role, route] of reads) {
        const sent = sampleCall(route, scene, server);
        const { status, text } = await server.send(route, sent, { as: scene.users[role] });
        // An error has a number of its own.
        replies.set(`${name} ${role}`, status < 400 ? text : String(status));
      }
      return replies;
    };
    // The first reading of a day may itself count as a view.
    await readAll();
    alone = await readAll();
    await makeSiblings(server, scene);
    amongSiblings = await readAll();
    await makeClassmate(server, scene);
    const { otherStudent } = scene.users;
    const terms = { test_id: scene.testId, user_id: otherStudent.userId, attempts_count: 9 };
    await insert(server, 'personal_terms', terms);
    amongClassmates = await readAll();
    await makeBystanders(server);
    amongStrangers = await readAll();
    await reverseRows(server);
    reversed = await readAll();
  });

  const ordered = reads.filter(([name]) => !ACTS.includes(name));
  test.each(ordered)('to %s by %s has one order, wherever the rows are stored', (name, role) => {
    const key = `${name} ${role}`;
    expect(reversed.get(key)).toBe(amongStrangers.get(key));
  });

  test.each(reads)('to %s by %s does not depend on others', (name, role, route) => {
    const key = `${name} ${role}`;
    const isOfTheSchool =
      OF_THE_SCHOOL[name] !== undefined || (role === 'admin' && OF_ADMINS[name]);
    if (!isOfTheSchool) expect(amongStrangers.get(key)).toBe(amongClassmates.get(key));
    if (role === 'student') expect(amongClassmates.get(key)).toBe(amongSiblings.get(key));
    if (isOfOneObject(route) && !OF_ALL_OWN[name])
      expect(amongSiblings.get(key)).toBe(alone.get(key));
  });
});

describe('an administrator’s act on one person', () => {
  /** Rows of others that name neither the person nor what belongs to the person. */
  async function lostBy(act: (scene: Scene) => Promise<{ status: number; text: string }>) {
    const { scene } = await makeSetting();
    const before = await readForeignRows(server, strangers.ids);
    const answered = await act(scene);
    expect(answered.status, answered.text).toBe(200);
    const after = await readForeignRows(server, strangers.ids);
    const lost = before.all.filter((row) => !after.all.includes(row));
    if (lost.length > 0) strangers = await makeBystanders(server);
    return lost;
  }
  const erase = (userId: string, scene: Scene, query: object = {}) =>
    server.send(eraseUser, { params: { userId }, query }, { as: scene.users.admin });

  test('erases no row of others: a student', async () => {
    expect(await lostBy((scene) => erase(scene.student.userId, scene))).toEqual([]);
  });

  test.each([
    ['without a name', {}],
    ['in the archive', { archive: '1' }],
  ])('erases no row of others: a teacher with tests that stay %s', async (_, query) => {
    expect(await lostBy((scene) => erase(scene.teacher.userId, scene, query))).toEqual([]);
  });

  test('erases no row of others: a teacher with a successor', async () => {
    const lost = await lostBy((scene) =>
      erase(scene.teacher.userId, scene, { successorId: scene.users.otherTeacher.userId }),
    );
    expect(lost).toEqual([]);
  });

  test('passes no property of others', async () => {
    const lost = await lostBy((scene) =>
      server.send(
        handOverTeaching,
        {
          params: { userId: scene.teacher.userId },
          body: { successorId: scene.users.otherTeacher.userId },
        },
        { as: scene.users.admin },
      ),
    );
    expect(lost).toEqual([]);
  });
});

/** Calls that their owner may not make, or that the sample call leaves without an effect. */
const VISITS: readonly (readonly [string, (scene: Scene) => Promise<{ status: number }>])[] = [
  [
    'a rating',
    ({ projectId: id, users }) =>
      server.send(rateProject, { params: { id }, body: { stars: 2 } }, { as: users.otherStudent }),
  ],
  [
    'a first rating',
    ({ projectId: id, users }) =>
      server.send(rateProject, { params: { id }, body: { stars: 2 } }, { as: users.teacher }),
  ],
  [
    'a view',
    ({ projectId: id, users }) =>
      server.send(getProject, { params: { id } }, { as: users.otherTeacher }),
  ],
  [
    'a new logo',
    ({ projectId: Id, student }) =>
      server.send(
        updateProject,
        {
          body: { Id },
          files: { LogoPhoto: new Blob([SAMPLES['image/png']], { type: 'image/png' }) },
        },
        { as: student },
      ),
  ],
];

test.each(VISITS)('%s changes the one project that it is for', async (_, act) => {
  const { scene, siblings } = await makeSetting();
  const before = await readForeignRows(server, siblings);
  const others = await readForeignRows(server, strangers.ids);
  expect((await act(scene)).status).toBe(200);
  const after = await readForeignRows(server, siblings);
  expect(before.all.filter((row) => !after.all.includes(row))).toEqual([]);
  expect((await readForeignRows(server, strangers.ids)).all).toEqual(others.all);
});

test.each(['teacher', 'otherTeacher'] as const)(
  'a picture of strangers stays closed to a %s with a picture or bank of a colleague',
  async (who) => {
    const scene = await makeRichScene(server);
    const { pictureKey } = strangers;
    const as = scene.users[who];
    const bank = { owner_id: scene.teacher.userId, user_id: scene.users.otherTeacher.userId };
    const now = server.clock.now;
    await insert(server, 'bank_shares', { ...bank, level: 'results', created_at: now });
    const key = server.deps.newId();
    const picture = { mime_type: 'image/png', bytes: Buffer.from('png'), created_at: now };
    await insert(server, 'pictures', { ...picture, key });
    await insert(server, 'picture_uses', { key, test_id: scene.testId });
    await insert(server, 'picture_holders', { key, user_id: scene.teacher.userId });
    const read = (of: string) => server.send(downloadFile, { params: { key: of } }, { as });
    expect((await read(key)).status).toBe(200);
    expect((await read(pictureKey)).status).toBe(404);
  },
);

test('the questions of a test open while an own attempt on it runs, not one on another', async () => {
  const { teacher, student, testId, attemptId } = await makeRichScene(server);
  const classmate = await server.user({ userName: 'Одноклассник' });
  const second = await makeTest(server, teacher, { students: [student] });
  await insert(server, 'assignments', {
    id: server.deps.newId(),
    test_id: testId,
    user_id: classmate.userId,
    created_at: server.clock.now,
  });
  const countQuestions = async (id: string, as: TestUser) =>
    (await server.send(getTest, { params: { id } }, { as })).body.questions.length;
  expect(await countQuestions(testId, student)).toBe(smallTest.length);
  expect(await countQuestions(second, student)).toBe(0);
  expect(await countQuestions(testId, classmate)).toBe(0);
  await server.send(deleteAttempt, { params: { attemptId } }, { as: teacher });
  expect(await countQuestions(testId, student)).toBe(0);
  const { body } = await server.send(listResults, { params: { id: testId } }, { as: student });
  expect(body.attempts).toEqual([]);
});

test.each(['student', 'teacher'] as const)(
  'the export of one %s has nothing of others',
  async (who) => {
    const { scene } = await makeSetting();
    const params = { userId: scene.users[who].userId };
    const read = async () => {
      const { rawPayload } = await server.app.inject({
        url: urlOf(exportUserData, { params }),
        headers: { authorization: `Bearer ${scene.users.admin.token}` },
      });
      return Object.entries(unzipSync(rawPayload)).map(([name, bytes]) => [
        name,
        // The readings themselves are acts, counted in an hour's row.
        Buffer.from(bytes)
          .toString()
          .replaceAll(/\d+ раза?"/g, ''),
      ]);
    };
    await read();
    const before = await read();
    await makeBystanders(server);
    await reverseRows(server);
    expect(await read()).toEqual(before);
  },
);
