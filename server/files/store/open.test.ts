import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3Server, type S3Server } from '#tests/s3-server.ts';
import { readBlob } from './blob-store.ts';
import { openBlobs } from './open.ts';

let DATA_DIR: string;
let store: S3Server;
beforeAll(async () => {
  // It takes seconds, which are not a test's.
  await import('./s3.ts');
  DATA_DIR = await mkdtemp(join(tmpdir(), 'blobs-'));
  store = await s3Server();
});
afterAll(async () => {
  await store.close();
  await rm(DATA_DIR, { recursive: true, force: true });
});

const log = { error: () => undefined };
async function* one(bytes: Buffer) {
  yield bytes;
}
const remote = () => ({
  DATA_DIR,
  S3_ENDPOINT: store.settings.endpoint,
  S3_REGION: store.settings.region,
  S3_BUCKET: store.settings.bucket,
  S3_ACCESS_KEY_ID: store.settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
});

describe('files are stored', () => {
  test.each([
    ['with its prefix', { S3_PREFIX: 'school/' }, /^school\/[0-9a-f]{2}\//],
    ['without a prefix', {}, /^[0-9a-f]{2}\//],
  ])('in the configured bucket, %s', async (_, prefix, key) => {
    store.mood = 'well';
    store.objects.clear();
    const { blobs, findProblem, close } = await openBlobs({ ...remote(), ...prefix }, log);
    const bytes = Buffer.from('отчёт');
    const incoming = await blobs.receive(one(bytes), 100);
    await blobs.keep(incoming);
    expect([...store.objects.keys()]).toEqual([expect.stringMatching(key)]);
    expect(await readBlob(blobs, incoming.sha256)).toEqual(bytes);
    expect(blobs.isRemote).toBe(true);
    expect(await findProblem()).toBeNull();
    store.mood = 'denying';
    expect(await findProblem()).toContain('S3_ACCESS_KEY_ID');
    store.mood = 'silent';
    const waiting = blobs.has('a'.repeat(64));
    close();
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test.each(['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])(
    'on the disk where %s is missing',
    async (name) => {
      const { blobs, findProblem, close } = await openBlobs(
        { ...remote(), [name]: undefined },
        log,
      );
      expect([blobs.isRemote, blobs.where]).toEqual([false, join(DATA_DIR, 'blobs')]);
      expect(await findProblem()).toBeNull();
      const bytes = Buffer.from('отчёт');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await blobs.put(sha256, bytes.length, one(bytes));
      expect(await readBlob(blobs, sha256)).toEqual(bytes);
      await blobs.remove(sha256);
      expect(await blobs.has(sha256)).toBe(false);
      close();
    },
  );
});
