import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getFile } from '#contract/files.ts';
import { getUpload, uploadChunk } from '#contract/passing.ts';
import { createProject, getProject } from '#contract/projects.ts';
import { prepareDataFolder } from '#server/data-folder.ts';
import { loseWrites, type LostWrites } from '#tests/lost-writes.ts';
import { DOCUMENTS, projectForm } from '#tests/project-files.ts';
import { makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
let disk: LostWrites;
beforeEach(async () => {
  server = await testServer();
  disk = await loseWrites(server.deps.dataDir);
});
afterEach(async () => {
  disk.stop();
  await server.close();
});

const HALF = 20_000;
const picture = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
  randomBytes(2 * HALF),
]);
const sha256 = createHash('sha256').update(picture).digest('hex');

async function handIn() {
  await prepareDataFolder(server.deps.dataDir, () => undefined);
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  const fileId = server.deps.newId();
  const params = { id: device.attemptId, fileId };
  const send = (from: number, to: number) => {
    const query = { size: picture.length, sha256, name: 'решение.jpg', mimeType: 'image/jpeg' };
    return server.send(
      uploadChunk,
      {
        params,
        query: { ...query, offset: from, questionId: Q.file },
        bytes: picture.subarray(from, to),
      },
      { as: school.student },
    );
  };
  const state = () => server.send(getUpload, { params }, { as: school.student });
  const read = () => server.send(getFile, { query: { path: fileId } }, { as: school.teacher });
  return { send, state, read };
}

test('a power cut loses nothing of a handed-in file that was acknowledged as whole', async () => {
  const { send, state, read } = await handIn();
  await send(0, HALF);
  expect((await send(HALF, picture.length)).body).toMatchObject({ complete: true });
  await disk.cutPower();
  expect((await state()).body).toMatchObject({ complete: true, received: picture.length });
  expect(Buffer.from((await read()).body.item1, 'base64').equals(picture)).toBe(true);
});

test('after a power cut between two parts the device sends the missing ones', async () => {
  const { send, state } = await handIn();
  await send(0, HALF);
  await disk.cutPower();
  const next = await send(HALF, picture.length);
  expect(next.body).toMatchObject({ code: 'CHUNK_OUT_OF_PLACE', details: { received: 0 } });
  await send(0, HALF);
  await send(HALF, picture.length);
  await disk.cutPower();
  expect((await state()).body).toMatchObject({ complete: true });
});

test('a power cut loses no file of a saved project', async () => {
  const owner = await server.user();
  const { body: id } = await server.send(createProject, projectForm(), { as: owner });
  const { body: project } = await server.send(getProject, { params: { id } }, { as: owner });
  await disk.cutPower();
  const key = project.documentation?.key ?? '';
  const file = await server.raw({ url: `/api/Files/${key}/content`, token: owner.token });
  expect(file.status).toBe(200);
  expect(file.text).toBe(DOCUMENTS.pdf.toString());
});
