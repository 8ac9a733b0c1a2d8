import { createPupils } from '#contract/groups.ts';
import { addTimeToMany } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import type { Question } from '#contract/questions.ts';
import { execute, rows } from '#server/db/query.ts';
import { handInFile, makeScene, type Scene } from './calls.ts';
import type { IdKind } from './id-fields.ts';
import { makeTest, RIGHT, smallTest, TestDevice } from './school.ts';
import type { TestServer, TestUser } from './server.ts';

/** Ids that are not the caller's, by kind. */
export type ForeignIds = Readonly<Partial<Record<IdKind, readonly string[]>>>;

/** The ids of one attempt of another person. */
async function idsOfAttempt(server: TestServer, device: TestDevice): Promise<ForeignIds> {
  const stored = await device.answer(RIGHT.several);
  const ofNoStream = device.operation({ [HEADER.stream]: server.deps.newId() });
  device.sequence -= 1;
  const held = await device.answer(RIGHT.single, ofNoStream);
  if (stored.status !== 200 || held.body.outcome !== 'held')
    throw new Error(`a foreign attempt: ${stored.text} ${held.text}`);
  return {
    operation: [held.body.operationId, stored.body.operationId],
    file: [await handInFile(server, device.student, device.attemptId)],
    stream: [device.stream],
  };
}

const withIds = (server: TestServer, questions: readonly Question[]): Question[] =>
  questions.map((question) => ({ ...question, questionId: server.deps.newId() }));

/** A colleague, a student and all their data. The other school may touch none of it. */
export async function makeStrangers(server: TestServer): Promise<ForeignIds> {
  const scene = await makeScene(server);
  const { teacher, student } = scene;
  const device = new TestDevice(server, student);
  await device.start(scene.testId, { [HEADER.takeOver]: scene.attemptId });
  const questions = withIds(server, smallTest);
  await makeTest(server, teacher, { questions });
  const [pupils, time] = [server.deps.newId(), server.deps.newId()];
  await server.send(
    createPupils,
    { params: { groupId: scene.groupId }, body: { key: pupils, names: ['Иванова Мария'] } },
    { as: teacher },
  );
  await server.send(
    addTimeToMany,
    {
      params: { id: scene.testId },
      body: { key: time, minutes: 5, attemptIds: [scene.attemptId] },
    },
    { as: teacher },
  );
  const ofAttempt = await idsOfAttempt(server, device);
  return {
    test: [scene.testId],
    attempt: [scene.attemptId],
    offer: [scene.offerId],
    operation: [scene.heldId, ...(ofAttempt.operation ?? [])],
    stream: [device.stream],
    file: [scene.fileId, ...(ofAttempt.file ?? [])],
    question: questions.slice(0, 1).map(({ questionId }) => questionId),
    group: [scene.groupId],
    entry: [scene.entryId],
    template: [scene.templateId],
    project: [scene.projectId],
    session: [scene.sessionId],
    passkey: [scene.passkeyId],
    user: [student.userId, teacher.userId],
    device: [scene.deviceId],
    key: [pupils, time],
  };
}

/** Another test of the same teacher with an attempt of the same student. */
export async function makeSibling(server: TestServer, scene: Scene): Promise<ForeignIds> {
  const testId = await makeTest(server, scene.teacher, { students: [scene.student] });
  const device = new TestDevice(server, scene.student);
  await device.start(testId);
  const questions = withIds(server, smallTest);
  await makeTest(server, scene.teacher, { questions });
  return {
    ...(await idsOfAttempt(server, device)),
    attempt: [device.attemptId],
    question: questions.slice(0, 1).map(({ questionId }) => questionId),
  };
}

/** A classmate's data in the same test. */
export async function makeClassmate(server: TestServer, scene: Scene): Promise<ForeignIds> {
  const classmate: TestUser = await server.user({ userName: 'Одноклассник' });
  await execute(
    server.pool,
    'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, $4)',
    [server.deps.newId(), scene.testId, classmate.userId, server.clock.now],
  );
  const device = new TestDevice(server, classmate);
  await device.start(scene.testId);
  return idsOfAttempt(server, device);
}

/**
 * Ids that a row of another person may contain: a copy retains the ids of its questions, and devices create
 * those of operations, streams, keys and themselves, which are looked up only within one attempt or account.
 */
const MAY_BE_NAMED = new Set<IdKind>([
  'question',
  'entry',
  'template',
  'passage',
  'operation',
  'stream',
  'device',
  'key',
]);

const uuidColumns = new WeakMap<TestServer, Promise<Map<string, string[]>>>();

async function readColumns(server: TestServer): Promise<Map<string, string[]>> {
  const found = await rows<{ name: string; columns: string[] }>(
    server.pool,
    `select c.table_name as name, array_agg(quote_ident(c.column_name)::text) as columns
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.data_type = 'uuid' and t.table_type = 'BASE TABLE'
     group by c.table_name`,
  );
  return new Map(found.map(({ name, columns }) => [name, columns]));
}

/** The rows of the database that contain another person's ids. */
export interface ForeignRows {
  /** Each with its content. */
  readonly all: readonly string[];
  /** Those that only their owner may make. */
  readonly owned: readonly string[];
}

/** Every row of every table that contains one of the ids; `owned` leaves out ids that a copy may contain. */
export async function readForeignRows(server: TestServer, ids: ForeignIds): Promise<ForeignRows> {
  const columns = await (uuidColumns.get(server) ?? readColumns(server));
  uuidColumns.set(server, Promise.resolve(columns));
  const named = Object.entries(ids).flatMap(([kind, some]) =>
    some.map((id) => ({ id, owned: !MAY_BE_NAMED.has(kind as IdKind) })),
  );
  const all = named.map(({ id }) => id);
  const owned = named.flatMap((each) => (each.owned ? [each.id] : []));
  const names = (of: readonly string[], parameter: string) =>
    of.map((column) => `${column} = any(${parameter}::uuid[])`).join(' or ');
  const selects = [...columns].map(
    ([table, of]) =>
      `select '${table} ' || x::text as row, (${names(of, '$2')}) is true as owned
       from ${table} x where ${names(of, '$1')}`,
  );
  const found = await rows<{ row: string; owned: boolean }>(
    server.pool,
    `${selects.join(' union all ')} order by row`,
    [all, owned],
  );
  return {
    all: found.map(({ row }) => row),
    owned: found.flatMap((each) => (each.owned ? [each.row] : [])),
  };
}
