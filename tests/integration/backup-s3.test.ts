import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { storeBlob } from '#server/files/store-blob.ts';
import { readBlob } from '#server/files/store/blob-store.ts';
import { diskBlobs } from '#server/files/store/disk.ts';
import { s3Blobs, type S3Blobs } from '#server/files/store/s3.ts';
import { readHandedIn } from '#server/passing/handed-in.ts';
import { createUploadStore } from '#server/passing/upload-store.ts';
import { loadState } from '#server/state.ts';
import {
  backUp,
  restorableOf,
  type Machine,
  type Machines,
  openMachines,
  restoreOn,
} from '#tests/backups.ts';
import { type S3Server, s3Server } from '#tests/s3-server.ts';
import { makeTest, Q } from '#tests/school.ts';

let machines: Machines;
const opened: { store: S3Server; blobs: S3Blobs }[] = [];
beforeAll(async () => {
  machines = await openMachines();
});
afterAll(async () => {
  for (const { store, blobs } of opened) {
    blobs.close();
    await store.close();
  }
  await machines.close();
});

const NOW = new Date('2026-11-21T08:00:00.000Z');
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
async function* piece(bytes: Buffer) {
  yield bytes;
}

/** A machine with its files in a separate bucket. */
async function withBucket(): Promise<{ machine: Machine; store: S3Server; blobs: S3Blobs }> {
  const machine = await machines.open();
  const store = await s3Server();
  const blobs = await s3Blobs(store.settings, machine.dataDir, { error: () => undefined });
  opened.push({ store, blobs });
  return { machine, store, blobs };
}

/** A file in the store, known to the database. */
async function keep({ pool }: Machine, blobs: S3Blobs): Promise<Buffer> {
  const bytes = randomBytes(70_000);
  await storeBlob({ pool, blobs }, await blobs.receive(piece(bytes), 100_000), NOW);
  return bytes;
}

/** A handed-in file with its bytes only in the store; returns its row's id. */
async function handIn({ pool }: Machine, bytes: Buffer): Promise<string> {
  const person = async (role: TestRole) => {
    const userId = v7();
    await execute(
      pool,
      `insert into users (id, email, user_name, role, password_hash, created_at)
       values ($1, $1::uuid || '@school.test', 'Пётр Смирнов', $2, 'none', $3)`,
      [userId, role, NOW],
    );
    return { userId, role };
  };
  const [teacher, student] = [await person(ROLE.teacher), await person(ROLE.student)];
  const ground = { pool, clock: { now: NOW }, deps: { newId: () => v7() } };
  const testId = await makeTest(ground, teacher, { students: [student] });
  const [attemptId, fileId] = [v7(), v7()];
  await execute(
    pool,
    `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
       late_window_seconds, default_stream, active_stream, active_epoch)
     select $1, t.id, $3, t.content_id, 1, $4, $4, 0, $1, $1, 1 from tests t where t.id = $2`,
    [attemptId, testId, student.userId, NOW],
  );
  await execute(
    pool,
    `insert into uploads (id, attempt_id, question_id, name, mime_type, size, received, sha256,
       created_at, updated_at, completed_at)
     values ($1, $2, $3, 'решение.pdf', 'application/pdf', $4, $4, $5, $6, $6, $6)`,
    [fileId, attemptId, Q.file, bytes.length, hashOf(bytes), NOW],
  );
  return fileId;
}
type TestRole = typeof ROLE.teacher | typeof ROLE.student;

test('a backup of a machine with files in a bucket restores them into an empty bucket and onto a disk', async () => {
  const school = await withBucket();
  await loadState(school.machine.pool);
  const files = [
    await keep(school.machine, school.blobs),
    await keep(school.machine, school.blobs),
  ];
  const [handed = Buffer.alloc(0)] = files;
  const fileId = await handIn(school.machine, handed);
  const copy = join(machines.folder, 's3.tar.gz');
  const made = await backUp(school.machine, copy, { blobs: school.blobs });
  expect(made).toMatchObject({ files: 2, missing: [] });
  const before = await restorableOf(school.machine.pool);

  const other = await withBucket();
  await restoreOn(other.machine, copy, { blobs: other.blobs });
  expect(await restorableOf(other.machine.pool)).toEqual(before);
  expect(new Map([...other.store.objects].sort())).toEqual(
    new Map([...school.store.objects].sort()),
  );

  const disk = await machines.open();
  const blobs = diskBlobs(disk.dataDir);
  await restoreOn(disk, copy);
  for (const bytes of files) expect(await readBlob(blobs, hashOf(bytes))).toEqual(bytes);
  const uploads = createUploadStore(disk.dataDir);
  const upload = { id: fileId, sha256: hashOf(handed) };
  expect(await readHandedIn({ blobs }, uploads, upload)).toEqual(handed);
});

test('a file missing in the bucket is named, and an unavailable bucket fails the backup', async () => {
  const school = await withBucket();
  await loadState(school.machine.pool);
  const lost = await keep(school.machine, school.blobs);
  await keep(school.machine, school.blobs);
  await handIn(school.machine, lost);
  const key = [...school.store.objects].find(([, bytes]) => bytes.equals(lost))?.[0] ?? '';
  school.store.objects.delete(key);
  const made = await backUp(school.machine, join(machines.folder, 'lost.tar.gz'), {
    blobs: school.blobs,
  });
  expect(made.missing).toEqual(
    expect.arrayContaining([expect.stringContaining(hashOf(lost).slice(2))]),
  );
  school.store.mood = 'failing';
  const away = backUp(school.machine, join(machines.folder, 'away.tar.gz'), {
    blobs: school.blobs,
  });
  await expect(away).rejects.toThrow();
});
