import { randomBytes } from 'node:crypto';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { handInFile, makeScene, smallTemplate, type Scene } from './calls.ts';
import type { ForeignIds } from './foreign-worlds.ts';
import { makeGroup, makeTest, RIGHT, smallTest, TestDevice } from './school.ts';
import type { TestServer, TestUser } from './server.ts';

type Row = Readonly<Record<string, unknown>>;

export async function insert({ pool }: TestServer, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  const text = `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`;
  await execute(pool, text, Object.values(row));
}

const REVERSE_ROWS = `do $$ declare x record; place tid; begin
  set local session_replication_role = replica;
  for x in select c.relname, min(a.attname) as attname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attgenerated = '' and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace group by c.relname loop
    for place in execute format('select ctid from %I order by ctid desc', x.relname) loop
      execute format('update %1$I set %2$I = %2$I where ctid = $1', x.relname, x.attname) using place;
    end loop;
  end loop;
end $$`;

/** Stores the rows of every table in the opposite order, as updates and a restore may. */
export async function reverseRows({ pool }: TestServer): Promise<void> {
  await execute(pool, REVERSE_ROWS);
  await execute(pool, 'vacuum (full, analyze)');
}

const assignClass = (server: TestServer, testId: string, groupId: string) =>
  insert(server, 'assignments', {
    id: server.deps.newId(),
    created_at: server.clock.now,
    test_id: testId,
    group_id: groupId,
  });

/** What an object of each kind carries, so that a call which forgets to name its object loses some of it. */
interface Belongings {
  readonly testId: string;
  readonly groupId: string;
  readonly projectId: string;
  readonly student: Pick<TestUser, 'userId'>;
  /** Has access to the teacher's test, class and bank, and assigned a test of their own to the class. */
  readonly colleague: Pick<TestUser, 'userId'>;
  /** Rated and saw the project, and left the class. */
  readonly visitor: Pick<TestUser, 'userId'>;
}

/** Adds rows to every table that a test, a class and a project have rows in. Returns the colleague's test. */
async function enrich(
  server: TestServer,
  { testId, groupId, projectId, student, colleague, visitor }: Belongings,
): Promise<string> {
  const now = server.clock.now;
  const questions = JSON.stringify(smallTest);
  const generation = JSON.stringify({ seed: 'семя', criteria: {}, mix: {}, templates: [] });
  const add = (table: string, row: Row) => insert(server, table, row);
  const colleaguesTest = await makeTest(server, colleague);
  await assignClass(server, colleaguesTest, groupId);
  // Otherwise a second attempt, of whomever, leaves none either way.
  await execute(server.pool, 'update tests set attempts_count = 9 where id = $1', [testId]);
  await add('personal_terms', { test_id: testId, user_id: student.userId, extra_seconds: 60 });
  await add('test_drafts', { test_id: testId, version: 1, questions, updated_at: now });
  await add('test_generations', { test_id: testId, generation, updated_at: now });
  const shared = { user_id: colleague.userId, created_at: now };
  await add('test_shares', { ...shared, test_id: testId, level: 'edit' });
  await add('group_shares', { ...shared, group_id: groupId, level: 'edit' });
  await add('former_members', {
    group_id: groupId,
    user_id: visitor.userId,
    via: 'code',
    added_by_admin: false,
  });
  const seen = { project_id: projectId, user_id: visitor.userId };
  await add('project_ratings', { ...seen, stars: 4, updated_at: now });
  await add('project_views', { ...seen, day: '2026-03-02' });
  const blob = randomBytes(32);
  await add('blobs', { sha256: blob, size: 3, created_at: now });
  await add('project_files', {
    key: server.deps.newId(),
    project_id: projectId,
    role: 'logo',
    sha256: blob,
    name: 'логотип.png',
    mime_type: 'image/png',
    size: 3,
    created_at: now,
  });
  await execute(
    server.pool,
    'update projects set rating_sum = 4, rating_count = 1, views = 1 where id = $1',
    [projectId],
  );
  return colleaguesTest;
}

/** What an account carries besides its tests, classes and projects. Returns the key of a picture. */
async function addPersonal(
  server: TestServer,
  person: TestUser,
  colleague: TestUser,
): Promise<string> {
  const { userId: user_id } = person;
  const now = server.clock.now;
  const own = { owner_id: user_id, user_id: colleague.userId };
  await insert(server, 'bank_shares', { ...own, level: 'results', created_at: now });
  const key = server.deps.newId();
  await insert(server, 'pictures', {
    key,
    owner_id: user_id,
    mime_type: 'image/png',
    bytes: Buffer.from('png'),
    digest: randomBytes(32),
    created_at: now,
  });
  await insert(server, 'picture_holders', { key, user_id });
  await insert(server, 'audit_log', {
    id: server.deps.newId(),
    at: now,
    actor_id: user_id,
    act: 'signedIn',
    subject_kind: 'user',
    subject_id: user_id,
    person_id: user_id,
    address: '203.0.113.9',
    gathers: `signedIn ${user_id}`,
  });
  const secret = randomBytes(20);
  await insert(server, 'totp_secrets', { user_id, secret, last_step: 1, created_at: now });
  await insert(server, 'recovery_codes', { user_id, code_hash: randomBytes(32) });
  await insert(server, 'stray_operations', {
    user_id,
    attempt_id: server.deps.newId(),
    id: server.deps.newId(),
    headers: '{}',
    received_at: now,
  });
  return key;
}

interface World {
  readonly scene: Scene;
  /** Ids of all that belongs to its people, who take part in no call. */
  readonly ids: ForeignIds;
  /** Of the teacher, and of a question of the test. */
  readonly pictureKey: string;
}

/** A scene in which what the calls name has rows in every table that they write. */
export async function makeRichScene(server: TestServer): Promise<Scene> {
  const scene = await makeScene(server);
  const { otherTeacher: colleague, otherStudent: visitor } = scene.users;
  await enrich(server, { ...scene, colleague, visitor });
  return scene;
}

/** A teacher and a student whom no call is about, with rows in every table that calls write. */
export async function makeBystanders(server: TestServer): Promise<World> {
  const scene = await makeRichScene(server);
  const { teacher, student, testId, groupId, projectId } = scene;
  const colleague = scene.users.otherTeacher;
  const pictureKey = await addPersonal(server, teacher, colleague);
  await insert(server, 'picture_uses', { key: pictureKey, test_id: testId });
  await addPersonal(server, student, colleague);
  const device = new TestDevice(server, student);
  await device.start(testId, { 'x-take-over': scene.attemptId });
  await device.answer(RIGHT.several);
  return {
    scene,
    pictureKey,
    ids: {
      test: [testId],
      attempt: [scene.attemptId],
      offer: [scene.offerId],
      file: [scene.fileId],
      group: [groupId],
      project: [projectId],
      entry: [scene.entryId],
      template: [scene.templateId],
      session: [scene.sessionId],
      passkey: [scene.passkeyId],
      user: [teacher.userId, student.userId],
    },
  };
}

/** More objects of the people of a scene, beside those that its calls name. */
export async function makeSiblings(server: TestServer, scene: Scene): Promise<ForeignIds> {
  const { teacher, student } = scene;
  const now = server.clock.now;
  const colleague = await server.user({ role: ROLE.teacher, userName: 'Третий Учитель' });
  const visitor = await server.user({ userName: 'Третий Ученик' });
  const testId = await makeTest(server, teacher, { students: [student] });
  const device = new TestDevice(server, student);
  await device.start(testId);
  await device.answer(RIGHT.several);
  const fileId = await handInFile(server, student, device.attemptId);
  const groupId = await makeGroup(server, teacher, [student, visitor]);
  const [projectId, entryId, templateId] = [
    server.deps.newId(),
    server.deps.newId(),
    server.deps.newId(),
  ];
  await insert(server, 'projects', {
    id: projectId,
    owner_id: student.userId,
    name: 'Второй проект',
    short_description: 'Ещё один',
    description: 'Ещё один',
    landing_url: 'https://second.example/',
    created_at: now,
    updated_at: now,
  });
  await insert(server, 'bank_entries', {
    owner_id: teacher.userId,
    entry_id: entryId,
    question: JSON.stringify({ ...smallTest[0], questionId: entryId }),
    kind: 'variant',
    words: 'вопрос',
    updated_at: now,
  });
  await insert(server, 'question_templates', {
    owner_id: teacher.userId,
    id: templateId,
    body: JSON.stringify(smallTemplate),
    created_at: now,
    updated_at: now,
  });
  await assignClass(server, testId, groupId);
  await enrich(server, { testId, groupId, projectId, student, colleague, visitor });
  return {
    test: [testId],
    attempt: [device.attemptId],
    file: [fileId],
    group: [groupId],
    project: [projectId],
    entry: [entryId],
    template: [templateId],
  };
}
