import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute } from '#server/db/query.ts';
import { sweepBlobs } from '#server/files/blob-keeper.ts';
import { hashBytes, keepBlob } from '#server/files/kept.ts';
import type { BlobStore } from '#server/files/store/blob-store.ts';
import { diskBlobs } from '#server/files/store/disk.ts';
import { s3Blobs } from '#server/files/store/s3.ts';
import { adoptUnknownBlobs } from '#server/files/unknown-blobs.ts';
import { keepHouse } from '#server/housekeeping/keeper.ts';
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

  /** Bytes in the store that no row of the database knows, as after a restore of an older backup. */
  async function putUnknown(): Promise<string> {
    const bytes = randomBytes(100);
    await blobs.put(hashOf(bytes), bytes.length, piece(bytes));
    return hashOf(bytes);
  }
  const keepers = async () => {
    await adoptUnknownBlobs(server.deps, server.clock.now);
    await sweepBlobs(server.deps, server.clock.now);
  };
  const areThere = (hashes: readonly string[]) =>
    Promise.all(hashes.map((sha256) => blobs.has(sha256)));

  test('blobs that the database does not know go after a day; known, named and foreign ones stay', async () => {
    const unknown = [await putUnknown(), await putUnknown(), await putUnknown()];
    const known = randomBytes(100);
    await keepBlob(server.deps, await blobs.receive(piece(known), 1_000), server.clock.now);
    if (kind === 's3') store.objects.set('exam/README', Buffer.from('foreign'));
    if (kind === 's3') store.objects.set('other/ab/cd', Buffer.from('foreign'));
    await keepers();
    server.clock.advance(23 * HOUR_MS);
    await keepers();
    expect(await areThere(unknown)).toEqual([true, true, true]);
    // One is named meanwhile, like the file of a device that sent it again.
    const [kept = ''] = unknown;
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    await device.start(testId);
    await execute(
      server.pool,
      `insert into uploads (id, attempt_id, question_id, name, mime_type, size, sha256, created_at,
         updated_at, completed_at)
       values ($1, $2, $3, 'решение.pdf', 'application/pdf', 100, $4, $5, $5, $5)`,
      [server.deps.newId(), device.attemptId, Q.file, kept, server.clock.now],
    );
    server.clock.advance(2 * HOUR_MS);
    await keepers();
    expect(await areThere(unknown)).toEqual([true, false, false]);
    expect([...store.objects.keys()].filter((key) => !/[0-9a-f]{62}$/.test(key))).toEqual(
      kind === 's3' ? ['exam/README', 'other/ab/cd'] : [],
    );
    const rows = await server.pool.query('select 1 from blobs where sha256 = any($1)', [
      unknown.map(hashBytes),
    ]);
    expect(rows.rowCount).toBe(1);
  });

  test('content that comes while its unknown copy is swept is there afterwards', async () => {
    const bytes = randomBytes(100);
    for (let round = 0; round < 4; round += 1) {
      await blobs.put(hashOf(bytes), bytes.length, piece(bytes));
      await adoptUnknownBlobs(server.deps, server.clock.now);
      server.clock.advance(25 * HOUR_MS);
      const incoming = await blobs.receive(piece(bytes), 1_000);
      await Promise.all([
        keepBlob(server.deps, incoming, server.clock.now),
        sweepBlobs(server.deps, server.clock.now),
      ]);
      expect(await blobs.has(hashOf(bytes))).toBe(true);
      server.clock.advance(25 * HOUR_MS);
      await sweepBlobs(server.deps, server.clock.now);
      server.clock.advance(25 * HOUR_MS);
      await sweepBlobs(server.deps, server.clock.now);
      expect(await blobs.has(hashOf(bytes))).toBe(false);
    }
  });

  test('what killed servers and restores have left of handed-in files goes after a day', async () => {
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
    // The only copy there is: the store does not have it.
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
    await keepHouse(server.deps, KEEPING);
    expect((await readdir(uploads)).sort()).toEqual(old.toSorted());
    server.clock.advance(2 * HOUR_MS);
    const young = `${server.deps.newId()}.part`;
    await writeFile(join(uploads, young), bytes);
    await utimes(join(uploads, young), server.clock.now, server.clock.now);
    await keepHouse(server.deps, KEEPING);
    const stays = [`${alone}.part`, `${coming}.part`, promised, 'README', young];
    // Without a store apart from the disk a part is never promised: it belongs to its row.
    if (kind === 'disk') stays.push(`${promised}.part`);
    expect((await readdir(uploads)).sort()).toEqual(stays.toSorted());
  });
});
