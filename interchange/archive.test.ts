import { deflateSync, strToU8, zipSync } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ARCHIVE_LIMITS, isArchive, readArchive, writeArchive } from './archive.ts';
import { UnreadableFile } from './model.ts';

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** A copy with a number changed after the given signature, at an offset from its beginning. */
function changed(bytes: Uint8Array, signature: number, offset: number, value: number, width = 4) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at + 4 <= copy.length; at += 1) {
    if (view.getUint32(at, true) !== signature) continue;
    if (width === 4) view.setUint32(at + offset, value, true);
    else view.setUint16(at + offset, value, true);
    return copy;
  }
  throw new Error('No such signature');
}

const LISTED = 0x02014b50;
const sample = () => zipSync({ 'a.txt': strToU8('привет '.repeat(50)), 'b/c.txt': strToU8('мир') });

test('a written archive can be read, and the same files give the same bytes', () => {
  const files = new Map([
    ['items/вопрос.xml', strToU8('<a/>')],
    ['картинка.png', new Uint8Array([1, 2, 3])],
  ]);
  const written = writeArchive(files);
  expect(isArchive(written)).toBe(true);
  expect([...readArchive(written).files].map(([path, open]) => [path, open()])).toEqual([...files]);
  expect(writeArchive(files)).toEqual(written);
});

test('names of Russian Windows in the DOS code page and backslashes are read', () => {
  const written = zipSync({ 'xxxx\\y.txt': strToU8('1') });
  const dos = [0xe2, 0xa5, 0xe1, 0xe2];
  for (let at = 0; at < written.length - 4; at += 1)
    if (written.subarray(at, at + 4).every((byte) => byte === 0x78)) written.set(dos, at);
  expect([...readArchive(written).files.keys()]).toEqual(['тест/y.txt']);
});

test.each(['../x', 'a/../../x', '/etc/passwd', 'C:\\x', '..\\x', 'a\u0000b'])(
  'a path that leads outside is skipped and named: %j',
  (path) => {
    const { files, notes } = readArchive(zipSync({ [path]: strToU8('1'), ok: strToU8('2') }));
    expect([...files.keys()]).toEqual(['ok']);
    expect(notes[0]).toMatch(/наружу/);
  },
);

test('two files of one name are refused', () => {
  const twice = zipSync({ 'a.txt': strToU8('1'), 'b.txt': strToU8('2') });
  const from = strToU8('b.txt');
  for (let at = 0; at < twice.length - 5; at += 1)
    if (from.every((byte, index) => twice[at + index] === byte)) twice.set(strToU8('a.txt'), at);
  expect(() => readArchive(twice)).toThrow(/одним именем/);
});

test('a password, an unknown compression and damage are distinguished', () => {
  expect(() => readArchive(changed(sample(), LISTED, 8, 1, 2))).toThrow(/паролем/);
  const strange = readArchive(changed(sample(), LISTED, 10, 12, 2));
  expect(() => strange.files.get('a.txt')?.()).toThrow(/способом/);
  const broken = readArchive(changed(sample(), LISTED, 16, 7));
  expect(() => broken.files.get('a.txt')?.()).toThrow(/повреждён/);
  expect(() => readArchive(sample().subarray(0, 60))).toThrow(UnreadableFile);
});

test('data after the end is noted and not read', () => {
  const longer = new Uint8Array([...sample(), ...new Uint8Array(100)]);
  const { files, notes } = readArchive(longer);
  expect(text(files.get('b/c.txt')?.())).toBe('мир');
  expect(notes[0]).toMatch(/лишние данные/);
});

test('a bomb that declares its size is refused before anything is unpacked', () => {
  const bomb = zipSync({ 'a.txt': new Uint8Array(20_000_000) }, { level: 9 });
  expect(() => readArchive(bomb)).toThrow(/сжат больше чем/);
  const limits = { ...ARCHIVE_LIMITS, ratio: 1e9 };
  expect(() => readArchive(bomb, { ...limits, fileBytes: 1e6 })).toThrow(/больше 1 МБ/);
  expect(() => readArchive(bomb, { ...limits, bytes: 1e6 })).toThrow(/больше 1 МБ/);
  expect(() => readArchive(sample(), { ...limits, files: 1 })).toThrow(/больше 1 файлов/);
});

test('a bomb that lies about its size is stopped at the declared size', () => {
  const lie = changed(
    zipSync({ 'a.txt': new Uint8Array(30_000_000) }, { level: 9 }),
    LISTED,
    24,
    1000,
  );
  const before = process.memoryUsage().arrayBuffers;
  const { files } = readArchive(lie);
  expect(() => files.get('a.txt')?.()).toThrow(/повреждён/);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
});

test('files that share bytes are refused: bombs are built so', () => {
  const two = zipSync({ a: strToU8('1'.repeat(99)), b: strToU8('2'.repeat(99)) });
  const view = new DataView(two.buffer);
  const list = view.getUint32(two.length - 6, true);
  // The second entry of the list points at the bytes of the first.
  const second = list + 46 + 1;
  expect(view.getUint32(second, true)).toBe(LISTED);
  view.setUint32(second + 42, 0, true);
  expect(() => readArchive(two)).toThrow(UnreadableFile);
});

test('sizes of 64 bits are read and impossible ones refused', () => {
  const raw = strToU8('x'.repeat(40));
  const packed = deflateSync(raw);
  const extra = (size: bigint) => {
    const view = new DataView(new ArrayBuffer(12));
    view.setUint16(0, 1, true);
    view.setUint16(2, 8, true);
    view.setBigUint64(4, size, true);
    return new Uint8Array(view.buffer);
  };
  const zip64 = (size: bigint) => {
    const plain = zipSync({ a: [raw, { extra: { 1: extra(size).subarray(4) } }] });
    return changed(plain, LISTED, 24, 0xffffffff);
  };
  expect(readArchive(zip64(40n)).files.get('a')?.()).toEqual(raw);
  expect(packed.length).toBeLessThan(40);
  expect(() => readArchive(zip64(2n ** 63n))).toThrow(UnreadableFile);
});

test('any bytes and any damage are refused with a message, never another error', () => {
  const good = sample();
  const open = (bytes: Uint8Array) => {
    try {
      for (const [, unpack] of readArchive(bytes).files) unpack();
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableFile);
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), open));
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), (at, value) => {
      const copy = good.slice();
      copy[at] = value;
      open(copy);
    }),
    { numRuns: 500 },
  );
});
