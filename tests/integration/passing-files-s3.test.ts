import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getFile } from '#contract/files.ts';
import { getUpload, uploadChunk } from '#contract/passing.ts';
import { s3Blobs, type S3Blobs } from '#server/files/store/s3.ts';
import { type S3Mood, s3Server, type S3Server } from '#tests/s3-server.ts';
import { errorOf, makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let store: S3Server;
let blobs: S3Blobs;
let folder: string;
let server: TestServer;
beforeAll(async () => {
  store = await s3Server();
  folder = await mkdtemp(join(tmpdir(), 'exam-room-s3-'));
  blobs = await s3Blobs(store.settings, folder, { error: () => undefined });
  server = await testServer({ blobs });
});
afterAll(async () => {
  await server.close();
  blobs.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  store.mood = 'well';
  store.objects.clear();
});

const FIRST = 100_000;

async function handIn() {
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  const file = Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
    randomBytes(200_000),
  ]);
  const fileId = server.deps.newId();
  const part = (offset: number, end: number) =>
    server.send(
      uploadChunk,
      {
        params: { id: device.attemptId, fileId },
        query: {
          offset,
          size: file.length,
          sha256: createHash('sha256').update(file).digest('hex'),
          name: 'решение.jpg',
          mimeType: 'image/jpeg',
          questionId: Q.file,
        },
        bytes: file.subarray(offset, end),
      },
      { as: school.student },
    );
  const first = await part(0, FIRST);
  expect(first.body).toMatchObject({ received: FIRST, complete: false });
  return {
    file,
    fileId,
    student: school.student,
    part,
    last: () => part(FIRST, file.length),
    state: async () =>
      (
        await server.send(
          getUpload,
          { params: { id: device.attemptId, fileId } },
          { as: school.student },
        )
      ).body,
    read: async () => {
      const reply = await server.send(getFile, { query: { path: fileId } }, { as: school.student });
      return reply.status === 200 ? Buffer.from(reply.body.item1, 'base64') : reply.status;
    },
  };
}

const uploads = () => join(server.deps.dataDir, 'uploads');

test('a handed-in file is acknowledged once the store has it, and read from there', async () => {
  const { file, fileId, last, read, state } = await handIn();
  expect((await last()).body).toMatchObject({ received: file.length, complete: true });
  expect([...store.objects.values()]).toEqual([file]);
  expect((await readdir(uploads())).filter((name) => name.startsWith(fileId))).toEqual([]);
  expect(await read()).toEqual(file);
  expect((await last()).body.complete).toBe(true);
  expect(await state()).toMatchObject({ complete: true });
});

test.each<S3Mood>(['failing', 'cutting', 'denying', 'full'])(
  'while the store is %s nothing is promised; the same part again completes the file',
  async (mood) => {
    const { file, last, state, read } = await handIn();
    store.mood = mood;
    const refused = await last();
    expect(refused.status, refused.text).toBe(503);
    expect(errorOf(refused).message).toMatch(/[а-я]/);
    expect(store.objects.size).toBe(0);
    expect(await state()).toMatchObject({ received: FIRST, complete: false });
    expect(await read()).toBe(404);
    store.mood = 'well';
    expect((await last()).body).toMatchObject({ received: file.length, complete: true });
    expect(await read()).toEqual(file);
  },
);

test('the last part twice at once is one file', async () => {
  const { file, last, read, state } = await handIn();
  const statuses = (await Promise.all([last(), last()])).map(({ status }) => status);
  expect(statuses).toContain(200);
  expect((await last()).body.complete).toBe(true);
  expect(await state()).toMatchObject({ complete: true });
  expect([...store.objects.values()]).toEqual([file]);
  expect(await read()).toEqual(file);
});

test('a file lost by the store is requested from its device again', async () => {
  const { file, last, part, state, read } = await handIn();
  await last();
  store.objects.clear();
  expect(await state()).toMatchObject({ received: 0, complete: false });
  await part(0, FIRST);
  expect((await last()).body.complete).toBe(true);
  expect(await read()).toEqual(file);
});

test('a file from before the store was configured is read from the disk', async () => {
  const { file, fileId, last, state, read } = await handIn();
  await last();
  store.objects.clear();
  await mkdir(uploads(), { recursive: true });
  await writeFile(join(uploads(), fileId), file);
  expect(await state()).toMatchObject({ complete: true });
  expect(await read()).toEqual(file);
});
