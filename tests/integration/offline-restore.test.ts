import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { loadState } from '#server/state.ts';
import { backUp, restoreOn } from '#tests/backups.ts';
import { makeOfflineSchool, OfflineDevice, showCode } from '#tests/offline-device.ts';
import { errorOf, RIGHT } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

const MINUTE = 60_000;

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await testServer();
  folder = await mkdtemp(join(tmpdir(), 'exam-room-offline-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Takes a backup, lets something happen, and restores the backup over everything. */
async function restoreAfter(act: () => Promise<unknown>): Promise<void> {
  const place = { pool: server.pool, dataDir: server.deps.dataDir };
  const path = join(folder, 'copy.tar');
  await backUp(place, path);
  await act();
  await restoreOn(place, path);
  Object.assign(server.deps.state, await loadState(server.pool));
}

test('an offer and a code of the backup begin after a restore', async () => {
  const school = await makeOfflineSchool(server);
  const device = new OfflineDevice(server, school.student);
  await device.fetch(school.testId);
  const code = await showCode(server, school);
  await restoreAfter(async () => {
    await device.open(code);
    await device.begin(0);
    await device.answer(RIGHT.single);
  });
  server.clock.advance(5 * MINUTE);
  const again = { [HEADER.idempotencyKey]: server.deps.newId() };
  const reply = await device.begin(5 * MINUTE, again);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({ userTestId: device.ownOffer.offerId, epoch: 1 });
  expect(reply.body.beginHold).toBeUndefined();
  expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
});

test('an offer that was made after the backup is unknown, and its answers are stored', async () => {
  const school = await makeOfflineSchool(server);
  const device = new OfflineDevice(server, school.student);
  await restoreAfter(async () => {
    await device.fetch(school.testId);
    await device.open(await showCode(server, school));
  });
  expect(errorOf(await device.begin(0)).code).toBe('UNKNOWN_OFFER');
  expect((await device.answer(RIGHT.single)).body.outcome).toBe('held');
});
