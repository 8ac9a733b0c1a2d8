import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '#server/http/refusal.ts';
import { readBlob } from '#server/files/store/blob-store.ts';
import { s3Blobs, type S3Blobs } from '#server/files/store/s3.ts';
import { type S3Mood, s3Server, type S3Server } from '#tests/s3-server.ts';

let store: S3Server;
let blobs: S3Blobs;
/** Aborts calls to a silent store soon; used only where it is silent. */
let hasty: S3Blobs;
let dataDir: string;
const logged: unknown[] = [];
beforeAll(async () => {
  store = await s3Server();
  dataDir = await mkdtemp(join(tmpdir(), 'exam-room-s3-'));
  const log = { error: (...line: unknown[]) => void logged.push(...line) };
  blobs = await s3Blobs(store.settings, dataDir, log);
  hasty = await s3Blobs({ ...store.settings, timeoutMs: 300 }, dataDir, log);
});
afterAll(async () => {
  blobs.close();
  hasty.close();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});
/** An empty store in good health. */
const begin = () => {
  store.mood = 'well';
  store.objects.clear();
  store.requests.length = 0;
  logged.length = 0;
};

async function* pieces(...all: Buffer[]) {
  yield* all;
}
const received = (bytes: Buffer) => blobs.receive(pieces(bytes), 20 * 1024 * 1024);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const filesLeft = async () => (await readdir(join(dataDir, 'incoming'))).length;

test('a file goes to the bucket under its hash, signed and checked, and comes back', async () => {
  begin();
  const bytes = Buffer.alloc(6 * 1024 * 1024, 'ы');
  const sha256 = hashOf(bytes);
  const incoming = await received(bytes);
  await blobs.keep(incoming);
  expect([...store.objects.keys()]).toEqual([`exam/${sha256.slice(0, 2)}/${sha256.slice(2)}`]);
  expect(await filesLeft()).toBe(0);
  expect(await blobs.has(sha256)).toBe(true);
  expect((await readBlob(blobs, sha256))?.equals(bytes)).toBe(true);
  await blobs.remove(sha256);
  expect([await blobs.has(sha256), await blobs.open(sha256)]).toEqual([false, null]);
  await blobs.put(sha256, bytes.length, pieces(bytes));
  expect(store.objects.size).toBe(1);
});

const UNAVAILABLE = { code: 'UNAVAILABLE', retryAfterSeconds: 5 };
const FULL = { code: 'STORAGE_FULL', retryAfterSeconds: 60 };

test.each<[S3Mood, object, RegExp, number]>([
  ['failing', UNAVAILABLE, /недоступно/, 2],
  ['silent', UNAVAILABLE, /недоступно/, 2],
  ['cutting', UNAVAILABLE, /недоступно/, 2],
  ['denying', UNAVAILABLE, /не принимает/, 1],
  ['noBucket', UNAVAILABLE, /недоступно/, 1],
  ['full', FULL, /место/, 2],
  ['overQuota', FULL, /место/, 1],
])(
  'a store that is %s has no partial file and says so in Russian',
  async (mood, refusal, words, tries) => {
    begin();
    const bytes = Buffer.from('отчёт');
    const incoming = await received(bytes);
    store.mood = mood;
    await expect((mood === 'silent' ? hasty : blobs).keep(incoming)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(words),
    });
    expect(store.objects.size).toBe(0);
    // What may heal is tried once more.
    expect(store.requests).toHaveLength(tries);
    expect(logged).toEqual([expect.objectContaining({ what: 'keep' }), 'the file store failed']);
    expect(JSON.stringify(logged)).not.toContain(store.settings.secretAccessKey);
    store.mood = 'well';
    await blobs.keep(incoming);
    expect(store.objects.size).toBe(1);
  },
);

test('a file that a store refuses once is stored by the second try', async () => {
  begin();
  store.mood = 'failingOnce';
  await blobs.keep(await received(Buffer.from('отчёт')));
  expect([store.objects.size, store.requests.length]).toEqual([1, 2]);
});

test('the log names the failure of the store, its status and the operation', async () => {
  begin();
  store.mood = 'denying';
  await expect(blobs.remove('a'.repeat(64))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(logged).toMatchObject([
    { what: 'remove', status: 403, failure: 'AccessDenied', message: 'AccessDenied' },
    'the file store failed',
  ]);
});

test('an interrupted transfer of a file is a failure, never a shorter file', async () => {
  begin();
  const bytes = Buffer.alloc(300_000, 7);
  await blobs.keep(await received(bytes));
  store.mood = 'cutting';
  await expect(readBlob(blobs, hashOf(bytes))).rejects.toThrow();
});

test('a missing bucket is not reported as a missing file', async () => {
  store.mood = 'noBucket';
  await expect(blobs.open(hashOf(Buffer.from('x')))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('the operator learns at the start why the store is unavailable', async () => {
  begin();
  expect(await blobs.findProblem()).toBeNull();
  store.mood = 'denying';
  expect(await blobs.findProblem()).toContain('S3_SECRET_ACCESS_KEY');
  store.mood = 'noBucket';
  expect(await blobs.findProblem()).toContain('S3_BUCKET');
  store.mood = 'silent';
  expect(await hasty.findProblem()).toContain('не отвечает');
  store.mood = 'failing';
  expect(await hasty.findProblem()).toContain('не отвечает');
});

test('a pending call to a silent store is aborted when it is closed', async () => {
  begin();
  const log = { error: (...line: unknown[]) => void logged.push(...line) };
  const own = await s3Blobs(store.settings, dataDir, log);
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  store.mood = 'silent';
  const from = store.requests.length;
  const many = Array.from({ length: 12 }, () => 'UNAVAILABLE');
  const waiting = many.map(() =>
    own.remove('a'.repeat(64)).catch((error: unknown) => (error as Refusal).code),
  );
  await expect.poll(() => store.requests.length).toBe(from + many.length);
  own.close();
  expect(await Promise.all(waiting)).toEqual(many);
  // A server that stops has no failure to report.
  expect([store.requests.length, warnings, logged]).toEqual([from + many.length, [], []]);
  process.off('warning', warned);
}, 15_000);

test('a file in transit to a silent store is not resent when the store is closed', async () => {
  begin();
  const own = await s3Blobs(store.settings, dataDir, { error: () => undefined });
  const incoming = await received(Buffer.from('отчёт'));
  store.mood = 'silent';
  const saving = own.keep(incoming).catch((error: unknown) => (error as Refusal).code);
  await expect.poll(() => store.requests.length).toBe(1);
  own.close();
  expect(await saving).toBe('UNAVAILABLE');
  expect(store.requests).toHaveLength(1);
  await incoming.discard();
});

test('a file that disappeared from the disk before it was sent fails its sending, not the server', async () => {
  begin();
  const incoming = await received(Buffer.from('черновик'));
  await incoming.discard();
  await expect(hasty.keep(incoming)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(store.objects.size).toBe(0);
});
