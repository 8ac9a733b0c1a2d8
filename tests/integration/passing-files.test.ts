import { createHash, randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFile } from '#contract/files.ts';
import { getUpload, uploadChunk } from '#contract/passing.ts';
import { errorOf, makeSchool, type PlannedTest, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const JPEG_HEAD = Buffer.from('ffd8ffe000104a46494600010100', 'hex');
const picture = Buffer.concat([JPEG_HEAD, randomBytes(200_000)]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, plan);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

interface Part {
  bytes: Buffer;
  offset: number;
  file?: Buffer;
  fileId: string;
  sha?: string;
  questionId?: string;
  as?: TestUser;
}

const send = (device: TestDevice, part: Part) =>
  server.send(
    uploadChunk,
    {
      params: { id: device.attemptId, fileId: part.fileId },
      query: {
        offset: part.offset,
        size: (part.file ?? picture).length,
        sha256: part.sha ?? sha256(part.file ?? picture),
        name: 'решение.jpg',
        mimeType: 'image/jpeg',
        questionId: part.questionId ?? Q.file,
      },
      bytes: part.bytes,
    },
    { as: part.as ?? device.student },
  );

const stateOf = ({ attemptId, student }: TestDevice, fileId: string) =>
  server.send(getUpload, { params: { id: attemptId, fileId } }, { as: student });

describe('an upload of a file answer (row 26)', () => {
  test('arrives in chunks, is complete when the checksum matches, and is read by student and teacher', async () => {
    const { device, teacher } = await running();
    const fileId = server.deps.newId();
    const half = picture.subarray(0, 100_000);
    expect((await send(device, { fileId, offset: 0, bytes: half })).body).toMatchObject({
      received: 100_000,
      complete: false,
    });
    // The reply was lost: the same chunk again is harmless.
    expect((await send(device, { fileId, offset: 0, bytes: half })).body.received).toBe(100_000);
    const state = await stateOf(device, fileId);
    expect(state.body).toMatchObject({ received: 100_000, size: picture.length, complete: false });
    const done = await send(device, { fileId, offset: 100_000, bytes: picture.subarray(100_000) });
    expect(done.body.complete).toBe(true);
    const again = await send(device, { fileId, offset: 100_000, bytes: picture.subarray(100_000) });
    expect(again.body).toEqual(done.body);

    for (const reader of [device.student, teacher]) {
      const file = await server.send(getFile, { query: { path: fileId } }, { as: reader });
      expect(file.body.item2).toBe('image/jpeg');
      expect(Buffer.from(file.body.item1, 'base64').equals(picture)).toBe(true);
    }
    const stranger = await server.user();
    expect((await server.send(getFile, { query: { path: fileId } }, { as: stranger })).status).toBe(
      404,
    );
  });

  test('is read by the teacher, and not by its student, where answers are not shown', async () => {
    const visibility = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
    const { device, teacher } = await running({ visibility });
    const fileId = server.deps.newId();
    await send(device, { fileId, offset: 0, bytes: picture });
    await device.finish();
    const read = async (as: TestUser) =>
      (await server.send(getFile, { query: { path: fileId } }, { as })).status;
    expect([await read(teacher), await read(device.student)]).toEqual([200, 404]);
  });

  test('is unreadable for other accounts on the server: folder 0700, file 0600, from the first chunk on', async () => {
    const { device } = await running();
    const fileId = server.deps.newId();
    const folder = join(server.deps.dataDir, 'uploads');
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    await send(device, { fileId, offset: 0, bytes: picture.subarray(0, 100_000) });
    expect(await modeOf(join(folder, `${fileId}.part`))).toBe(0o600);
    await send(device, { fileId, offset: 100_000, bytes: picture.subarray(100_000) });
    expect(await modeOf(join(folder, fileId))).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o700);
  });

  test('a misplaced chunk is 409 with what was received', async () => {
    const { device } = await running();
    const fileId = server.deps.newId();
    const reply = await send(device, { fileId, offset: 500, bytes: picture.subarray(500, 900) });
    expect(errorOf(reply)).toMatchObject({ code: 'CHUNK_OUT_OF_PLACE', details: { received: 0 } });
  });

  test('a wrong checksum starts the file over', async () => {
    const { device } = await running();
    const fileId = server.deps.newId();
    const spoiled = Buffer.from(picture);
    spoiled[5_000] = (spoiled[5_000] ?? 0) ^ 1;
    const reply = await send(device, { fileId, offset: 0, bytes: spoiled });
    expect(errorOf(reply).code).toBe('CHECKSUM_MISMATCH');
    expect((await send(device, { fileId, offset: 0, bytes: picture })).body.complete).toBe(true);
  });

  test('a file for a question of another kind is refused', async () => {
    const { device } = await running();
    const part = { fileId: server.deps.newId(), offset: 0, bytes: picture, questionId: Q.open };
    expect(errorOf(await send(device, part))).toMatchObject({
      code: 'FILE_REFUSED',
      message: 'К этому вопросу файл не прикладывают',
    });
  });

  test("nobody sends to another student's attempt or file", async () => {
    const { device } = await running();
    const fileId = server.deps.newId();
    const other = await running();
    const part = { fileId, offset: 0, bytes: picture };
    expect((await send(device, { ...part, as: other.student })).status).toBe(404);
    await send(device, part);
    expect((await send(other.device, part)).status).toBe(404);
  });

  test('bytes of one file, complete or damaged, leave every other unchanged', async () => {
    const { device } = await running();
    const [begun, spoiled, whole] = [0, 1, 2].map(() => server.deps.newId()) as [
      string,
      string,
      string,
    ];
    const half = picture.subarray(0, 100_000);
    await send(device, { fileId: begun, offset: 0, bytes: half });
    const sha = sha256(half);
    await send(device, { fileId: spoiled, offset: 0, bytes: half, sha });
    const wrong = { fileId: spoiled, offset: 100_000, bytes: picture.subarray(100_000), sha };
    expect(errorOf(await send(device, wrong)).code).toBe('CHECKSUM_MISMATCH');
    await send(device, { fileId: whole, offset: 0, bytes: picture.subarray(0, 50_000) });
    expect((await stateOf(device, begun)).body).toMatchObject({ received: 100_000 });
    await send(device, { fileId: whole, offset: 50_000, bytes: picture.subarray(50_000) });
    expect((await stateOf(device, begun)).body).toMatchObject({
      received: 100_000,
      complete: false,
    });
    expect((await stateOf(device, spoiled)).body).toMatchObject({ received: 0, complete: false });
  });

  test('a gap is reported, and the bytes before it stay', async () => {
    const { device } = await running();
    const fileId = server.deps.newId();
    await send(device, { fileId, offset: 0, bytes: picture.subarray(0, 100_000) });
    const gap = { fileId, offset: 150_000, bytes: picture.subarray(150_000) };
    expect(errorOf(await send(device, gap))).toMatchObject({
      code: 'CHUNK_OUT_OF_PLACE',
      details: { received: 100_000 },
    });
    const rest = { fileId, offset: 100_000, bytes: picture.subarray(100_000) };
    expect((await send(device, rest)).body.complete).toBe(true);
  });

  test.each([
    ['another size', picture.subarray(0, 150_000), sha256(picture)],
    ['another content', picture, sha256(picture.subarray(1))],
  ])('a file of %s under its used number is refused', async (_, file, sha) => {
    const { device } = await running();
    const fileId = server.deps.newId();
    await send(device, { fileId, offset: 0, bytes: picture.subarray(0, 100_000) });
    const other = { fileId, offset: 0, bytes: file.subarray(0, 100), file, sha };
    expect(errorOf(await send(device, other))).toMatchObject({
      code: 'FILE_REFUSED',
      message: 'Под этим номером уже отправлен другой файл',
    });
  });

  test('with missing bytes starts over, and no other does', async () => {
    const { device } = await running();
    const [lost, present] = [server.deps.newId(), server.deps.newId()];
    for (const fileId of [lost, present]) await send(device, { fileId, offset: 0, bytes: picture });
    await rm(join(server.deps.dataDir, 'uploads', lost));
    for (const attempt of ['once', 'again'])
      expect((await stateOf(device, lost)).body, attempt).toMatchObject({
        received: 0,
        complete: false,
      });
    expect((await stateOf(device, present)).body).toMatchObject({
      received: picture.length,
      complete: true,
    });
    expect((await send(device, { fileId: lost, offset: 0, bytes: picture })).body.complete).toBe(
      true,
    );
  });

  test('its progress is reported to nobody else', async () => {
    const { device } = await running();
    const fileId = server.deps.newId();
    await send(device, { fileId, offset: 0, bytes: picture });
    const other = await running();
    expect((await stateOf(other.device, fileId)).status).toBe(404);
  });

  test('its first part twice at once begins one file', async () => {
    const { device } = await running();
    const part = { fileId: server.deps.newId(), offset: 0, bytes: picture.subarray(0, 1_000) };
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(device, part)));
    expect(replies.map(({ status, body }) => [status, body.received])).toEqual(
      replies.map(() => [200, 1_000]),
    );
  });

  test.each([
    '../../etc/passwd',
    '..%2f..%2fetc/passwd',
    '/etc/passwd',
    'C:\\windows',
    '....//',
    '%00',
    'a'.repeat(301),
  ])('the path %j leads nowhere', async (path) => {
    const { student } = await makeSchool(server);
    const reply = await server.send(getFile, { query: { path } }, { as: student });
    expect([400, 404]).toContain(reply.status);
    expect(reply.text).not.toContain('root:');
  });
});
