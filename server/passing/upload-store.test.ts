import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUploadStore, type UploadStore } from './upload-store.ts';

let folder = '';
let store: UploadStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exam-room-uploads-'));
  store = createUploadStore(folder);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Unique in each run of a test: the tests are repeated without the hooks above. */
let id = '';
const fresh = () => {
  id = randomUUID();
};
const names = async () =>
  (await readdir(join(folder, 'uploads'))).filter((name) => name.startsWith(id));
const write = (offset: number, text: string) => store.write(id, offset, Buffer.from(text));

test('bytes are written from their offset on; what stood behind them is cut off', async () => {
  fresh();
  expect(await write(0, 'abcdef')).toBe(true);
  expect(await write(2, 'XY')).toBe(true);
  expect(await readFile(store.partPath(id), 'utf8')).toBe('abXY');
  expect(await write(0, 'new')).toBe(true);
  expect(await readFile(store.partPath(id), 'utf8')).toBe('new');
});

test('bytes after missing ones are not written', async () => {
  fresh();
  expect(await write(3, 'def')).toBe(false);
  expect(await write(0, 'ab')).toBe(true);
  expect(await write(3, 'def')).toBe(false);
  expect(await readFile(store.partPath(id), 'utf8')).toBe('ab');
  expect(await write(2, 'c')).toBe(true);
});

test('a completed upload is read whole and is no part any more', async () => {
  fresh();
  await write(0, 'abc');
  expect(await store.has(id)).toBe(false);
  expect(await store.read(id)).toBeNull();
  await store.complete(id);
  expect(await names()).toEqual([id]);
  expect(await store.has(id)).toBe(true);
  expect((await store.read(id))?.toString()).toBe('abc');
});

test('a discarded part is gone; the whole file stays', async () => {
  fresh();
  await write(0, 'abc');
  await store.complete(id);
  await write(0, 'de');
  await store.discard(id);
  expect(await names()).toEqual([id]);
});

test('removal leaves nothing, and what is not there is no failure', async () => {
  fresh();
  await write(0, 'abc');
  await store.complete(id);
  await write(0, 'de');
  await store.remove(id);
  expect(await names()).toEqual([]);
  await expect(store.remove(id)).resolves.toBeUndefined();
  await expect(store.discard(id)).resolves.toBeUndefined();
});

test('a failure of the disk is no missing file', async () => {
  fresh();
  await mkdir(join(folder, 'uploads', id), { recursive: true });
  await expect(store.read(id)).rejects.toThrow('EISDIR');
  await writeFile(join(folder, 'plain'), '');
  await expect(createUploadStore(join(folder, 'plain')).has(id)).rejects.toThrow('ENOTDIR');
});

test('the head is what has arrived, at most as much as a type needs', async () => {
  fresh();
  await write(0, 'abc');
  expect((await store.head(id)).toString()).toBe('abc');
  await store.write(id, 0, Buffer.alloc(10_000, 7));
  expect(await store.head(id)).toEqual(Buffer.alloc(4_100, 7));
});
