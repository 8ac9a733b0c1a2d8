import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { deleteAttempt } from '#contract/attempts.ts';
import { deleteTest, duplicateTest } from '#contract/authoring.ts';
import { getDraft, saveDraft } from '#contract/drafts.ts';
import { downloadFile, getFile } from '#contract/files.ts';
import { uploadPicture, uploadRecording } from '#contract/pictures.ts';
import type { Question } from '#contract/questions.ts';
import { execute, one } from '#server/db/query.ts';
import { startPictureCleanupJob, sweepPictures } from '#server/files/picture-cleanup-job.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { makeRecording, RECORDING } from '#tests/sample-recording.ts';
import { errorOf, makeTest, smallTest, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
afterEach(() => void vi.useRealTimers());

const DAY_MS = 86_400_000;
const teacherOf = () => server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });

const upload = (as: TestUser, bytes: Buffer) => server.send(uploadPicture, { bytes }, { as });

async function uploaded(as: TestUser, bytes: Buffer = SAMPLES['image/png']): Promise<string> {
  const reply = await upload(as, bytes);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.key;
}

const shown = async (as: TestUser, key: string) =>
  (await server.send(getFile, { query: { path: key } }, { as })).status;

/** A question that shows a picture, or plays a recording, becomes the only one of a working copy. */
async function show(as: TestUser, testId: string, key: string, scheme = 'file'): Promise<void> {
  const { body } = await server.send(getDraft, { params: { id: testId } }, { as });
  const [first] = smallTest;
  if (!first) throw new Error('no question');
  const question: Question = { ...first, text: `![угол](${scheme}:${key})` };
  const reply = await server.send(
    saveDraft,
    {
      params: { id: testId },
      body: {
        draftVersion: body.draftVersion,
        order: [question.questionId],
        changed: [question],
      },
    },
    { as },
  );
  expect(reply.status, reply.text).toBe(200);
}

test('a picture is stored once for each owner, and private until a test shows it', async () => {
  const [teacher, other] = [await teacherOf(), await teacherOf()];
  const key = await uploaded(teacher);
  expect(await uploaded(teacher)).toBe(key);
  expect(await uploaded(other)).not.toBe(key);
  const reply = await server.send(getFile, { query: { path: key } }, { as: teacher });
  expect(reply.body.item2).toBe('image/png');
  expect(Buffer.from(reply.body.item1, 'base64').equals(SAMPLES['image/png'])).toBe(true);
  expect(await shown(other, key)).toBe(404);
});

test('keys of pictures do not reveal the order in which they were sent, nor do those of a copy', async () => {
  const teacher = await teacherOf();
  const keys: string[] = [];
  for (const bytes of Object.values(SAMPLES)) keys.push(await uploaded(teacher, bytes));
  const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
  await show(teacher, testId, keys[0] ?? '');
  const copied = await server.send(duplicateTest, { params: { id: testId } }, { as: teacher });
  const { body } = await server.send(getDraft, { params: { id: copied.body } }, { as: teacher });
  keys.push(/file:([0-9a-f-]{36})/.exec(body.questions[0]?.text ?? '')?.[1] ?? '');
  // Version 4: nothing but chance is in them.
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

test.each([
  ['a vector picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an empty file', Buffer.alloc(0)],
  ['half a picture', SAMPLES['image/jpeg'].subarray(0, 200)],
])('%s is refused in Russian words', async (_, bytes) => {
  const reply = await upload(await teacherOf(), bytes);
  expect(reply.status).toBe(422);
  expect(errorOf(reply).code).toBe('FILE_REFUSED');
  expect(errorOf(reply).message).toMatch(/Подойдут JPEG, PNG, WebP и GIF/);
});

test('a file above the limit is a 413, and students send no pictures', async () => {
  const large = Buffer.concat([SAMPLES['image/png'], Buffer.alloc(2 * 1024 * 1024)]);
  expect((await upload(await teacherOf(), large)).status).toBe(413);
  expect((await upload(await server.user(), SAMPLES['image/png'])).status).toBe(403);
});

test('a test gives its students access to its pictures, and a foreign key gives none', async () => {
  const [teacher, other] = [await teacherOf(), await teacherOf()];
  const [student, stranger] = [await server.user(), await server.user()];
  const key = await uploaded(teacher);
  const testId = await makeTest(server, teacher, { students: [student] });
  await show(teacher, testId, key);
  expect(await shown(student, key)).toBe(404);
  await new TestDevice(server, student).start(testId);
  expect(await shown(student, key)).toBe(200);
  expect(await shown(stranger, key)).toBe(404);
  const foreign = await makeTest(server, other, { students: [stranger] });
  await show(other, foreign, key);
  await new TestDevice(server, stranger).start(foreign);
  expect(await shown(other, key)).toBe(404);
  expect(await shown(stranger, key)).toBe(404);
});

test('a colleague who may only see a test gives its pictures to nobody, and one who may edit it does', async () => {
  const [teacher, colleague] = [await teacherOf(), await teacherOf()];
  const student = await server.user();
  const key = await uploaded(teacher);
  const testId = await makeTest(server, teacher);
  await show(teacher, testId, key);
  const own = await makeTest(server, colleague, { students: [student] });
  const share = (level: string) =>
    execute(
      server.pool,
      `insert into test_shares (test_id, user_id, level, created_at) values ($1, $2, $3, $4)
       on conflict (test_id, user_id) do update set level = excluded.level`,
      [testId, colleague.userId, level, server.clock.now],
    );
  for (const level of ['results', 'grade']) {
    await share(level);
    expect(await shown(colleague, key)).toBe(200);
    await show(colleague, own, key);
    await new TestDevice(server, student).start(own);
    expect(await shown(student, key), level).toBe(404);
  }
  await share('edit');
  const edited = await makeTest(server, colleague, { students: [student] });
  await show(colleague, edited, key);
  await new TestDevice(server, student).start(edited);
  expect(await shown(student, key)).toBe(200);
});

test("an administrator's picture in a teacher's test is read by the editors of the test, while they are", async () => {
  const [teacher, admin] = [await teacherOf(), await server.user({ role: ROLE.admin })];
  const other = await server.user({ role: ROLE.admin });
  const key = await uploaded(admin);
  const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
  expect(await shown(other, key)).toBe(404);
  await show(admin, testId, key);
  for (const reader of [teacher, admin, other]) expect(await shown(reader, key)).toBe(200);
  expect(await shown(await teacherOf(), key)).toBe(404);
  await execute(server.pool, 'update users set role = $2 where id = $1', [
    teacher.userId,
    ROLE.student,
  ]);
  expect(await shown(teacher, key)).toBe(404);
});

test('an administrator shows the picture of one teacher in the test of another', async () => {
  const [teacher, other] = [await teacherOf(), await teacherOf()];
  const admin = await server.user({ role: ROLE.admin });
  const key = await uploaded(teacher);
  await show(admin, await makeTest(server, other, { lifecycle: 'draft' }), key);
  expect(await shown(other, key)).toBe(200);
});

test('a picture is downloaded under a name of its type', async () => {
  const teacher = await teacherOf();
  const params = { key: await uploaded(teacher) };
  const file = await server.send(downloadFile, { params }, { as: teacher });
  expect(decodeURIComponent(String(file.headers['content-disposition']))).toContain('картинка.png');
});

test('a deleted attempt no longer shows its student the pictures', async () => {
  const [teacher, student] = [await teacherOf(), await server.user()];
  const key = await uploaded(teacher);
  const testId = await makeTest(server, teacher, { students: [student] });
  await show(teacher, testId, key);
  const device = new TestDevice(server, student);
  await device.start(testId);
  expect(await shown(student, key)).toBe(200);
  const params = { attemptId: device.attemptId };
  await server.send(deleteAttempt, { params }, { as: teacher });
  expect(await shown(student, key)).toBe(404);
});

test('a picture outlives the test that it was shown in first', async () => {
  const [teacher, admin] = [await teacherOf(), await server.user({ role: ROLE.admin })];
  const key = await uploaded(teacher);
  const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
  await show(teacher, testId, key);
  const copied = await server.send(duplicateTest, { params: { id: testId } }, { as: admin });
  await server.send(deleteTest, { params: { id: testId } }, { as: teacher });
  const { body } = await server.send(getDraft, { params: { id: copied.body } }, { as: admin });
  const own = /file:([0-9a-f-]{36})/.exec(body.questions[0]?.text ?? '')?.[1] ?? '';
  expect(own).not.toBe(key);
  expect(await shown(admin, own)).toBe(200);
  expect(await shown(teacher, key)).toBe(200);
});

test('pictures that nothing has named for a week are deleted, and no others', async () => {
  const teacher = await teacherOf();
  const sweepAfter = (days: number) =>
    sweepPictures(server.pool, new Date(server.clock.now.getTime() + days * DAY_MS));
  const [named, banked, loose, back] = [
    await uploaded(teacher, SAMPLES['image/png']),
    await uploaded(teacher, SAMPLES['image/gif']),
    await uploaded(teacher, SAMPLES['image/webp']),
    await uploaded(teacher, SAMPLES['image/jpeg']),
  ];
  const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
  await show(teacher, testId, named);
  await execute(
    server.pool,
    `insert into bank_entries (owner_id, entry_id, question, kind, words, updated_at)
     values ($1, $2, $3, 'file', '', $4)`,
    [
      teacher.userId,
      server.deps.newId(),
      JSON.stringify({ text: `![](file:${banked})` }),
      server.clock.now,
    ],
  );
  await sweepAfter(0.5);
  await sweepAfter(2);
  await sweepAfter(8);
  for (const key of [named, banked, loose, back]) expect(await shown(teacher, key)).toBe(200);
  const second = await makeTest(server, teacher, { lifecycle: 'draft' });
  await show(teacher, second, back);
  expect(await sweepAfter(9.5)).toBeGreaterThanOrEqual(1);
  for (const key of [named, banked, back]) expect(await shown(teacher, key)).toBe(200);
  expect(await shown(teacher, loose)).toBe(404);
});

test('pictures are swept every six hours', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const teacher = await teacherOf();
  const key = await uploaded(teacher);
  server.clock.advance(2 * DAY_MS);
  const unnamedSince = async () =>
    (
      await one<{ at: Date | null }>(
        server.pool,
        'select unnamed_since as at from pictures where key = $1',
        [key],
      )
    )?.at;
  const stop = startPictureCleanupJob(server.deps);
  try {
    expect(await unnamedSince()).toBeNull();
    vi.advanceTimersByTime(DAY_MS / 4);
    await expect.poll(unnamedSince).toEqual(server.clock.now);
  } finally {
    await stop();
  }
});

const record = (as: TestUser, bytes: Buffer) => server.send(uploadRecording, { bytes }, { as });

test('a recording is stored once for each owner, and read by those who have an attempt on a test that plays it', async () => {
  const [teacher, student] = [await teacherOf(), await server.user()];
  const { body } = await record(teacher, RECORDING);
  expect(body.mimeType).toBe('audio/wav');
  expect((await record(teacher, RECORDING)).body.key).toBe(body.key);
  const testId = await makeTest(server, teacher, { students: [student] });
  await show(teacher, testId, body.key, 'audio-file');
  expect(await shown(student, body.key)).toBe(404);
  await new TestDevice(server, student).start(testId);
  const reply = await server.send(getFile, { query: { path: body.key } }, { as: student });
  expect(reply.body.item2).toBe('audio/wav');
  expect(Buffer.from(reply.body.item1, 'base64').equals(RECORDING)).toBe(true);
  const file = await server.send(downloadFile, { params: { key: body.key } }, { as: student });
  expect(file.headers['content-type']).toBe('audio/wav');
  expect(decodeURIComponent(String(file.headers['content-disposition']))).toContain('запись.wav');
});

test('a long recording arrives whole, in pieces', async () => {
  const teacher = await teacherOf();
  const long = makeRecording(70);
  expect(long.length).toBeGreaterThan(512 * 1024);
  const { key } = (await record(teacher, long)).body;
  const reply = await server.send(getFile, { query: { path: key } }, { as: teacher });
  expect(Buffer.from(reply.body.item1, 'base64').equals(long)).toBe(true);
});

/** The boxes of an MP4 file that identify it: its brand, and the kinds of its tracks. */
const mp4 = (brand: string, ...kinds: readonly string[]) =>
  Buffer.concat([
    Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}isom`, 'latin1'),
    ...kinds.map((kind) => Buffer.from(`\0\0\0\x20hdlr${'\0'.repeat(8)}${kind}`, 'latin1')),
  ]);

test.each(['M4A ', 'mp42', 'isom'])(
  'what a phone recorded under the brand %s is a recording; a video is not',
  async (brand) => {
    const teacher = await teacherOf();
    const reply = await record(teacher, mp4(brand, 'soun'));
    expect([reply.status, reply.body.mimeType]).toEqual([200, 'audio/mp4']);
    if (brand !== 'M4A ')
      expect((await record(teacher, mp4(brand, 'vide', 'soun'))).status).toBe(422);
  },
);

test('a file of a kind that not every phone plays is no recording, though it has sound alone', async () => {
  expect((await record(await teacherOf(), mp4('qt  ', 'soun'))).status).toBe(422);
});

test('a copy of a test has its recordings', async () => {
  const teacher = await teacherOf();
  const { key } = (await record(teacher, RECORDING)).body;
  const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
  await show(teacher, testId, key, 'audio-file');
  const copied = await server.send(duplicateTest, { params: { id: testId } }, { as: teacher });
  const { body } = await server.send(getDraft, { params: { id: copied.body } }, { as: teacher });
  const own = /audio-file:([0-9a-f-]{36})/.exec(body.questions[0]?.text ?? '')?.[1] ?? '';
  expect(await shown(teacher, own)).toBe(200);
});

test.each([
  ['a picture', SAMPLES['image/png']],
  ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
  ['an empty file', Buffer.alloc(0)],
  ['sound that iPhones cannot play', Buffer.from('OggS\0\x02'.padEnd(28, '\0') + 'OpusHead')],
])('%s is no recording: refused with what would do', async (_, bytes) => {
  const reply = await record(await teacherOf(), bytes);
  expect(reply.status).toBe(422);
  expect(errorOf(reply).code).toBe('FILE_REFUSED');
  expect(errorOf(reply).message).toMatch(/подойдут MP3, M4A и WAV/);
});

test('a recording above the limit is a 413, and students send none', async () => {
  const large = Buffer.concat([RECORDING, Buffer.alloc(8 * 1024 * 1024)]);
  expect((await record(await teacherOf(), large)).status).toBe(413);
  expect((await record(await server.user(), RECORDING)).status).toBe(403);
});
