import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { getFile } from '#contract/files.ts';
import { HEADER } from '#contract/headers.ts';
import { getUpload, uploadChunk } from '#contract/passing.ts';
import { getPassing } from '#contract/tests.ts';
import { one } from '#server/db/query.ts';
import { errorOf, makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const picture = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
  randomBytes(1_000),
]);
const sha256 = createHash('sha256').update(picture).digest('hex');

async function running() {
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const send = (device: TestDevice, fileId: string, offset: number, bytes: Buffer) =>
  server.send(
    uploadChunk,
    {
      params: { id: device.attemptId, fileId },
      query: {
        offset,
        size: picture.length,
        sha256,
        name: 'решение.jpg',
        mimeType: 'image/jpeg',
        questionId: Q.file,
      },
      bytes,
    },
    { as: device.student, headers: { [HEADER.stream]: device.stream, [HEADER.head]: '7' } },
  );
const naming = (fileId: string, sha = sha256): Answer => ({
  questionId: Q.file,
  kind: 'file',
  fileId,
  name: 'решение.jpg',
  size: picture.length,
  mimeType: 'image/jpeg',
  sha256: sha,
});
const stateOf = (device: TestDevice, fileId: string) =>
  server.send(
    getUpload,
    { params: { id: device.attemptId, fileId } },
    { as: device.student, headers: { [HEADER.stream]: device.stream } },
  );

test('one without its first bytes on the disk starts over (row 26)', async () => {
  const { device } = await running();
  const fileId = server.deps.newId();
  await send(device, fileId, 0, picture.subarray(0, 500));
  await rm(join(server.deps.dataDir, 'uploads', `${fileId}.part`));
  const reply = await send(device, fileId, 500, picture.subarray(500));
  expect(errorOf(reply)).toMatchObject({ code: 'CHUNK_OUT_OF_PLACE', details: { received: 0 } });
  expect((await send(device, fileId, 0, picture)).body.complete).toBe(true);
});

test('a complete one lost by a restore is accepted again (row 35)', async () => {
  const { device } = await running();
  const fileId = server.deps.newId();
  await send(device, fileId, 0, picture);
  await rm(join(server.deps.dataDir, 'uploads', fileId));
  expect((await send(device, fileId, 0, picture.subarray(0, 10))).body).toMatchObject({
    received: 10,
    complete: false,
  });
  expect((await send(device, fileId, 10, picture.subarray(10))).body.complete).toBe(true);
  const read = await server.send(getFile, { query: { path: fileId } }, { as: device.student });
  expect(Buffer.from(read.body.item1, 'base64').equals(picture)).toBe(true);
});

test('a finish waits when an answer names other bytes than those received', async () => {
  const { device } = await running();
  const fileId = server.deps.newId();
  await send(device, fileId, 0, picture);
  await device.answer(naming(fileId, 'a'.repeat(64)));
  const finish = device.operation();
  expect(errorOf(await device.finish(finish)).details).toEqual({ missing: [], files: [fileId] });
  expect((await device.finish({ ...finish, [HEADER.filesSetAside]: fileId })).status).toBe(200);
});

test('of no bytes at all is refused, and a chunk beyond the size is misplaced', async () => {
  const { device } = await running();
  const empty = createHash('sha256').digest('hex');
  const params = { id: device.attemptId, fileId: server.deps.newId() };
  const query = { offset: 0, size: 0, name: 'a.jpg', mimeType: 'image/jpeg', questionId: Q.file };
  const nothing = await server.send(
    uploadChunk,
    { params, query: { ...query, sha256: empty }, bytes: Buffer.alloc(0) },
    { as: device.student },
  );
  expect([nothing.status, errorOf(nothing).code]).toEqual([422, 'FILE_REFUSED']);
  const beyond = await send(
    device,
    server.deps.newId(),
    0,
    Buffer.concat([picture, Buffer.from('!')]),
  );
  expect(errorOf(beyond).code).toBe('CHUNK_OUT_OF_PLACE');
});

test("bytes after the finish complete the file; another student's use of its id fails", async () => {
  const { device } = await running();
  const fileId = server.deps.newId();
  await device.answer(naming(fileId));
  await device.finish(device.operation({ [HEADER.filesSetAside]: fileId }));
  expect((await send(device, fileId, 0, picture)).body.complete).toBe(true);
  const other = await running();
  expect((await send(other.device, fileId, 0, picture)).status).toBe(404);
  await other.device.answer(naming(fileId));
  expect(errorOf(await other.device.finish()).details).toEqual({ missing: [], files: [fileId] });
});

test('ten parallel copies of each chunk make one whole file', async () => {
  const { device } = await running();
  const fileId = server.deps.newId();
  const copies = Array.from({ length: 10 });
  const first = await Promise.all(
    copies.map(() => send(device, fileId, 0, picture.subarray(0, 600))),
  );
  expect(new Set(first.map((reply) => reply.status))).toEqual(new Set([200]));
  const second = await Promise.all(
    copies.map(() => send(device, fileId, 600, picture.subarray(600))),
  );
  expect(second.every((reply) => reply.body.complete)).toBe(true);
});

test("calls about files and about the time left report the device's contact and its head", async () => {
  const { device } = await running();
  const contact = () =>
    one<{ head: number; at: Date }>(
      server.pool,
      'select head, last_heard_at as at from streams where attempt_id = $1 and id = $2',
      [device.attemptId, device.stream],
    );
  const fileId = server.deps.newId();
  server.clock.advance(MINUTE);
  await send(device, fileId, 0, picture.subarray(0, 100));
  expect(await contact()).toEqual({ head: 7, at: server.clock.now });
  server.clock.advance(MINUTE);
  await stateOf(device, fileId);
  expect(await contact()).toEqual({ head: 7, at: server.clock.now });
  server.clock.advance(MINUTE);
  await server.send(
    getPassing,
    { params: { attemptId: device.attemptId } },
    { as: device.student, headers: { [HEADER.head]: '9' } },
  );
  expect(await contact()).toEqual({ head: 9, at: server.clock.now });
});
