import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute } from '#server/db/query.ts';
import type { BlobStore } from '#server/files/store/blob-store.ts';
import { diskBlobs } from '#server/files/store/disk.ts';
import { s3Blobs } from '#server/files/store/s3.ts';
import { runHousekeeping } from '#server/housekeeping/job.ts';
import { type S3Server, s3Server } from '#tests/s3-server.ts';
import { makeSchool, Q, TestDevice } from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEEPING = { attemptDays: null, auditDays: 1_095 };

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
async function* piece(bytes: Buffer) {
  yield bytes;
}

describe.each(['disk', 's3'] as const)('on %s', (kind) => {
  let store: S3Server;
  let folder: string;
  let blobs: BlobStore;
  let server: TestServer;
  beforeAll(async () => {
    store = await s3Server();
    folder = await mkdtemp(join(tmpdir(), 'exam-room-orphans-'));
    blobs =
      kind === 'disk'
        ? diskBlobs(folder)
        : await s3Blobs(store.settings, folder, { error: () => undefined });
    server = await testServer({ blobs });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('handed-in files left by killed servers and restores are deleted after a day', async () => {
    const uploads = join(server.deps.dataDir, 'uploads');
    await rm(uploads, { recursive: true, force: true });
    await mkdir(uploads, { recursive: true });
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    await device.start(testId);
    const bytes = randomBytes(100);
    const upload = async (content: Buffer, completedAt: Date | null) => {
      const id = server.deps.newId();
      await execute(
        server.pool,
        `insert into uploads (id, attempt_id, question_id, name, mime_type, size, sha256, created_at,
           updated_at, completed_at)
         values ($1, $2, $3, 'решение.pdf', 'application/pdf', 100, $4, $5, $5, $6)`,
        [id, device.attemptId, Q.file, hashOf(content), server.clock.now, completedAt],
      );
      return id;
    };
    const promised = await upload(bytes, server.clock.now);
    await blobs.put(hashOf(bytes), bytes.length, piece(bytes));
    // The only copy: the store does not have it.
    const alone = await upload(randomBytes(100), server.clock.now);
    const coming = await upload(bytes, null);
    const restoring = `${promised}.${server.deps.newId()}.restoring`;
    const nobodys = server.deps.newId();
    const parts = [promised, alone, coming].map((id) => `${id}.part`);
    const old = [...parts, promised, restoring, `${nobodys}.part`, nobodys, 'README'];
    for (const name of old) {
      await writeFile(join(uploads, name), bytes);
      await utimes(join(uploads, name), server.clock.now, server.clock.now);
    }
    server.clock.advance(DAY_MS - HOUR_MS);
    await runHousekeeping(server.deps, KEEPING);
    expect((await readdir(uploads)).sort()).toEqual(old.toSorted());
    server.clock.advance(2 * HOUR_MS);
    const young = `${server.deps.newId()}.part`;
    await writeFile(join(uploads, young), bytes);
    await utimes(join(uploads, young), server.clock.now, server.clock.now);
    await runHousekeeping(server.deps, KEEPING);
    const stays = [`${alone}.part`, `${coming}.part`, promised, 'README', young];
    // Without a remote store a part is never acknowledged there: it belongs to its row.
    if (kind === 'disk') stays.push(`${promised}.part`);
    expect((await readdir(uploads)).sort()).toEqual(stays.toSorted());
  });
});
