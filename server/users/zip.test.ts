import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type ArchivedFile, zipOf } from './zip.ts';

const NOW = new Date(2026, 2, 2, 9, 30, 14);

async function* each(files: Iterable<ArchivedFile>) {
  yield* files;
}
async function* pieces(...all: Buffer[]) {
  yield* all;
}
const zipped = async (files: Iterable<ArchivedFile>) => buffer(zipOf(each(files), NOW));

test('text, bytes and streams are read back under their names', async () => {
  const photo = Buffer.from([1, 2, 3, 4]);
  const archive = await zipped([
    { path: 'README.txt', bytes: 'слово '.repeat(1_000) },
    { path: 'папка/фото ё.jpg', bytes: photo },
    { path: 'папка/часть.bin', bytes: pieces(photo, photo) },
    { path: 'пусто.txt', bytes: '' },
  ]);
  const found = unzipSync(archive);
  expect(Object.keys(found)).toEqual([
    'README.txt',
    'папка/фото ё.jpg',
    'папка/часть.bin',
    'пусто.txt',
  ]);
  expect(Buffer.from(found['README.txt'] ?? []).toString()).toBe('слово '.repeat(1_000));
  expect(Buffer.from(found['папка/часть.bin'] ?? [])).toEqual(Buffer.concat([photo, photo]));
  expect(found['пусто.txt']).toHaveLength(0);
  expect(archive.length).toBeLessThan(2_000);
});

test('an archive of nothing is one', async () => {
  expect(unzipSync(await zipped([]))).toEqual({});
});

test('more files than 65,535 are all there', async () => {
  const COUNT = 66_000;
  function* many(): Generator<ArchivedFile> {
    for (let number = 0; number < COUNT; number += 1)
      yield { path: `ответы/${number}.txt`, bytes: Buffer.from(`${number}`) };
  }
  const found = unzipSync(await zipped(many()));
  expect(Object.keys(found)).toHaveLength(COUNT);
  expect(Buffer.from(found[`ответы/${COUNT - 1}.txt`] ?? []).toString()).toBe(`${COUNT - 1}`);
});

test('an open file is closed when its reader disconnects before its first byte', async () => {
  const open = Readable.from([Buffer.from('проект')]);
  const archive = zipOf(each([{ path: 'проект.pdf', bytes: open }]), NOW);
  await once(archive, 'readable');
  archive.destroy();
  await expect.poll(() => open.destroyed).toBe(true);
});
