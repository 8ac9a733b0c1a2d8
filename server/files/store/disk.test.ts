import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loseWrites } from '#tests/lost-writes.ts';
import { type BlobStore, readBlob } from './blob-store.ts';
import { diskBlobs } from './disk.ts';

let dataDir: string;
let blobs: BlobStore;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'blobs-'));
  blobs = diskBlobs(dataDir);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
async function* pieces(...all: string[]) {
  for (const piece of all) yield Buffer.from(piece);
}
const filesLeft = async () =>
  (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    .length;

test('bytes arrive in chunks, are stored once under their hash and read back', async () => {
  const sha256 = hashOf(Buffer.from('теплица'));
  for (const split of [['теп', 'лица'], ['теплица']]) {
    const incoming = await blobs.receive(pieces(...split), 100);
    expect(incoming).toMatchObject({ sha256, size: 14, head: Buffer.from('теплица') });
    await blobs.keep(incoming);
    await blobs.keep(incoming);
    await incoming.discard();
  }
  expect(await filesLeft()).toBe(1);
  expect(await readBlob(blobs, sha256)).toEqual(Buffer.from('теплица'));
  await blobs.remove(sha256);
  await blobs.remove(sha256);
  expect(await blobs.has(sha256)).toBe(false);
  expect(await blobs.open(sha256)).toBeNull();
});

test('more bytes than allowed are refused at once, and nothing of them stays', async () => {
  let requests = 0;
  async function* endless() {
    for (;;) {
      requests += 1;
      yield Buffer.alloc(64);
    }
  }
  await expect(blobs.receive(endless(), 200)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(requests).toBe(4);
  expect(await filesLeft()).toBe(0);
});

test('an interruption leaves nothing behind', async () => {
  async function* cut() {
    yield Buffer.from('половина');
    throw new Error('cut');
  }
  await expect(blobs.receive(cut(), 200)).rejects.toThrow('cut');
  expect(await filesLeft()).toBe(0);
});

test('bytes of a backup are stored only when they match', async () => {
  const bytes = Buffer.from('копия');
  await blobs.put(hashOf(bytes), bytes.length, pieces('ко', 'пия'));
  expect(await readBlob(blobs, hashOf(bytes))).toEqual(bytes);
  const other = hashOf(Buffer.from('другое'));
  await expect(blobs.put(other, bytes.length, pieces('копия'))).rejects.toThrow(other);
  for (const length of [bytes.length - 1, bytes.length + 1])
    await expect(blobs.put(hashOf(bytes), length, pieces('копия'))).rejects.toThrow();
  expect(await blobs.has(other)).toBe(false);
  expect(await filesLeft()).toBe(1);
});

test('temporary files of a killed server are swept, younger ones stay', async () => {
  const incoming = await blobs.receive(pieces('брошено'), 100);
  expect(await blobs.sweepIncoming(new Date(Date.now() - 60_000))).toBe(0);
  expect(await blobs.sweepIncoming(new Date(Date.now() + 60_000))).toBe(1);
  await expect(blobs.keep(incoming)).rejects.toThrow();
});

test('where nothing has arrived yet there is nothing to sweep', async () => {
  expect(await blobs.sweepIncoming(new Date())).toBe(0);
});

test('the head of a long file is its beginning, however it is cut', async () => {
  const whole = Array.from({ length: 1_500 }, (_, n) => `${n};`).join('');
  const cut = whole.match(/.{1,1000}/g) ?? [];
  const incoming = await blobs.receive(pieces(...cut), whole.length);
  expect(incoming.head.toString()).toBe(whole.slice(0, 4_100));
});

test('a disk that writes less than it was given is given the rest', async () => {
  const handle = await open(dataDir, 'r');
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const write = prototype.write as (
    bytes: Uint8Array,
    from: number,
    length: number,
  ) => Promise<{ bytesWritten: number; buffer: Uint8Array }>;
  vi.spyOn(prototype, 'write').mockImplementation(function (
    this: typeof handle,
    bytes: Uint8Array,
    from: number,
    length: number,
  ) {
    return write.call(this, bytes, from, Math.ceil(length / 2));
  } as typeof prototype.write);
  const incoming = await blobs.receive(pieces('теплица'), 100);
  vi.restoreAllMocks();
  await blobs.keep(incoming);
  expect(await readBlob(blobs, hashOf(Buffer.from('теплица')))).toEqual(Buffer.from('теплица'));
});

test('a power cut loses no stored blob, be its folders new or old', async () => {
  const folder = join(dataDir, randomUUID());
  await mkdir(folder);
  const disk = await loseWrites(folder);
  const own = diskBlobs(folder);
  try {
    for (const text of ['первый', 'второй', 'третий']) {
      await own.keep(await own.receive(pieces(text), 100));
      await disk.cutPower();
      const bytes = Buffer.from(text);
      expect(await readBlob(own, hashOf(bytes))).toEqual(bytes);
    }
  } finally {
    disk.stop();
  }
});

test('a folder that cannot be read is a failure, and no missing blob', async () => {
  const sha256 = hashOf(Buffer.from('x'));
  await mkdir(join(dataDir, 'blobs'), { recursive: true });
  await writeFile(join(dataDir, 'blobs', sha256.slice(0, 2)), 'no folder');
  await expect(blobs.has(sha256)).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(blobs.open(sha256)).rejects.toMatchObject({ code: 'ENOTDIR' });
});
