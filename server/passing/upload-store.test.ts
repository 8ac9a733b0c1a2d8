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

const ID = '0197f0a0-0000-7000-8000-000000000001';
const names = () => readdir(join(folder, 'uploads'));
const write = (offset: number, text: string) => store.write(ID, offset, Buffer.from(text));

test('bytes are written from their offset on; what stood behind them is cut off', async () => {
  expect(await write(0, 'abcdef')).toBe(true);
  expect(await write(2, 'XY')).toBe(true);
  expect(await readFile(store.partPath(ID), 'utf8')).toBe('abXY');
  expect(await write(0, 'new')).toBe(true);
  expect(await readFile(store.partPath(ID), 'utf8')).toBe('new');
});

test('bytes whose predecessors are missing are not written', async () => {
  expect(await write(3, 'def')).toBe(false);
  expect(await write(0, 'ab')).toBe(true);
  expect(await write(3, 'def')).toBe(false);
  expect(await readFile(store.partPath(ID), 'utf8')).toBe('ab');
  expect(await write(2, 'c')).toBe(true);
});

test('a completed upload is read whole and is no part any more', async () => {
  await write(0, 'abc');
  expect(await store.has(ID)).toBe(false);
  expect(await store.read(ID)).toBeNull();
  await store.complete(ID);
  expect(await names()).toEqual([ID]);
  expect(await store.has(ID)).toBe(true);
  expect((await store.read(ID))?.toString()).toBe('abc');
});

test('a discarded part is gone; the whole file stays', async () => {
  await write(0, 'abc');
  await store.complete(ID);
  await write(0, 'de');
  await store.discard(ID);
  expect(await names()).toEqual([ID]);
});

test('removal leaves nothing, and what is not there is no failure', async () => {
  await write(0, 'abc');
  await store.complete(ID);
  await write(0, 'de');
  await store.remove(ID);
  expect(await names()).toEqual([]);
  await expect(store.remove(ID)).resolves.toBeUndefined();
  await expect(store.discard(ID)).resolves.toBeUndefined();
});

test('a failure of the disk is no missing file', async () => {
  await mkdir(join(folder, 'uploads', ID), { recursive: true });
  await expect(store.read(ID)).rejects.toThrow('EISDIR');
  await writeFile(join(folder, 'plain'), '');
  await expect(createUploadStore(join(folder, 'plain')).has(ID)).rejects.toThrow('ENOTDIR');
});

test('the head is what has arrived, at most as much as a type needs', async () => {
  await write(0, 'abc');
  expect((await store.head(ID)).toString()).toBe('abc');
  await store.write(ID, 0, Buffer.alloc(10_000, 7));
  expect(await store.head(ID)).toEqual(Buffer.alloc(4_100, 7));
});
