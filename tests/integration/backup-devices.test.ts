import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listMissing } from '#contract/grading.ts';
import { getPassing } from '#contract/tests.ts';
import { rows } from '#server/db/query.ts';
import { readBlob } from '#server/files/store/blob-store.ts';
import { loadState } from '#server/state.ts';
import type { SimulatedPerson } from '#simulation/server.ts';
import type { Tab } from '#simulation/tab.ts';
import { backUp, restoreOn } from '#tests/backups.ts';
import {
  choice,
  drain,
  essay,
  openClassroom,
  Q,
  start,
  text,
  type Classroom,
} from '#tests/faults/classroom.ts';

let classroom: Classroom;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exam-room-backup-'));
  classroom = await openClassroom();
  // The simulated server stores its key in memory; a backup includes it.
  const { pool, deps } = classroom.server;
  await pool.query('insert into server_state (seal_key) values ($1)', [deps.state.sealKey]);
});
afterEach(async () => {
  await classroom.close();
  await rm(folder, { recursive: true, force: true });
});

const STUDENTS = 5;

/** A student with the app open on a separate device. */
interface Student {
  readonly person: SimulatedPerson;
  readonly page: Tab;
  attemptId: string;
}

async function enter(person: SimulatedPerson, label: string): Promise<Student> {
  return { person, page: await classroom.open(classroom.device(label), person), attemptId: '' };
}

async function begin(student: Student): Promise<void> {
  student.attemptId = (await start(classroom, student.page)).attemptId;
}

async function handIn({ page, attemptId }: Student, seed: number): Promise<void> {
  const bytes = new Uint8Array(60_000).map((_, at) => (at * seed) % 251);
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
  await page.outbox.addFile(attemptId, Q.file, { name: 'a.jpg', mimeType: 'image/jpeg', bytes });
}

const send = async (students: readonly Student[]) => {
  for (const { page } of students) expect((await drain(classroom, page)).waiting).toBe(0);
};

/** The journal of everybody, receipts included. */
const journal = () =>
  rows<{ id: string }>(
    classroom.server.pool,
    `select attempt_id, id, stream, sequence, kind, outcome, received_at, body from operations order by id`,
  );

const scores = () =>
  rows(classroom.server.pool, 'select id, ended, points, graded_max from attempts order by id');

/** Whole files by id: the checksum of the bytes that the server has. */
async function files(): Promise<Map<string, string>> {
  const { pool, deps } = classroom.server;
  const listed = await rows<{ id: string; sha256: string }>(
    pool,
    'select id, sha256 from uploads where completed_at is not null order by id',
  );
  const found = new Map<string, string>();
  for (const { id, sha256 } of listed) {
    const bytes =
      (await readFile(join(deps.dataDir, 'uploads', id)).catch(() => null)) ??
      (await readBlob(deps.blobs, sha256));
    const hash = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex');
    expect(hash).toBe(sha256);
    found.set(id, hash);
  }
  return found;
}

test('row 35: a backup under load, everything wiped, a restore: what was acknowledged is there, what came after returns from the devices once, and a new attempt is listed', async () => {
  const { server } = classroom;
  const students = await Promise.all(
    Array.from({ length: STUDENTS }, async (_, index) =>
      enter(await classroom.addStudent(), `phone ${index}`),
    ),
  );
  const [done, ...others] = students as [Student, ...Student[]];
  const late = await enter(await classroom.addStudent(), 'late phone');
  for (const [index, student] of students.entries()) {
    await begin(student);
    await student.page.outbox.answer(student.attemptId, text('4,9'));
    await handIn(student, index + 2);
  }
  await done.page.outbox.finish(done.attemptId, 'student');
  await send(students);
  const acknowledged = await journal();
  const handedIn = await files();
  expect(handedIn.size).toBe(STUDENTS);

  // While it is made, everybody continues to answer, and one finishes.
  let isMade = false;
  const path = join(folder, 'copy.tar.gz');
  const making = backUp({ pool: server.pool, dataDir: server.deps.dataDir }, path).then((made) => {
    isMade = true;
    return made;
  });
  let turn = 0;
  do {
    turn += 1;
    for (const { page, attemptId } of others)
      await page.outbox.answer(attemptId, essay(`ответ ${turn}`));
    await send(others);
  } while (!isMade);
  await making;

  // After it: answers, files, finishes, and an attempt that it does not know.
  await begin(late);
  for (const student of [...others, late]) {
    await student.page.outbox.answer(student.attemptId, choice('b'));
    await handIn(student, 7);
    await student.page.outbox.finish(student.attemptId, 'student');
  }
  await send([...others, late]);
  const [everything, allFiles, allScores] = [await journal(), await files(), await scores()];

  await rm(server.deps.dataDir, { recursive: true, force: true });
  const epochBefore = server.deps.state.epoch;
  const { epoch } = await restoreOn({ pool: server.pool, dataDir: server.deps.dataDir }, path);
  expect(epoch).toBeGreaterThan(epochBefore);
  Object.assign(server.deps.state, await loadState(server.pool));
  await server.restart();
  const restored = await journal();
  expect(restored).toEqual(expect.arrayContaining(acknowledged));
  expect(restored.length).toBeLessThan(everything.length);
  const back = await files();
  for (const [id, hash] of handedIn) expect(back.get(id)).toBe(hash);

  // Hours later, beyond every deadline and window, each device learns of the restore by any call.
  classroom.timeline.advance(5 * 3_600_000);
  await classroom.signIn(late.page, late.person);
  for (const { page, attemptId } of [...students, late])
    await page.ask(getPassing, { params: { attemptId } });
  await send([...students, late]);
  expect(await journal()).toEqual(everything);
  expect(await scores()).toEqual(allScores);
  expect(new Set((await files()).values())).toEqual(new Set(allFiles.values()));

  const { token } = await server.signIn(classroom.teacher);
  const listed = await server.deliver({
    method: 'GET',
    url: listMissing.path.replace('{id}', classroom.testId),
    headers: { authorization: `Bearer ${token}` },
    payload: null,
  });
  expect(JSON.parse(listed.text)).toMatchObject({
    items: [
      { attemptId: late.attemptId, end: 'finished', answered: 2, recoveredAt: expect.any(String) },
    ],
    total: 1,
  });
});
