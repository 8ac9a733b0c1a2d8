import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latin } from '#tests/picture-parts.ts';
import { validateDocumentation } from './documentation.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documentation-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** The type of a file by its content; or the reason of the refusal. */
async function judged(bytes: Buffer, name: string): Promise<string> {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  const verdict = await validateDocumentation(
    {
      path,
      sha256: '',
      size: bytes.length,
      head: bytes.subarray(0, 4_100),
      discard: () => Promise.resolve(),
    },
    name,
  );
  return verdict.isAccepted ? verdict.mimeType : verdict.why;
}

const BROKEN = 'Файл повреждён или загрузился не целиком. Подойдут .doc, .docx и .pdf';
const NOT_WORD = 'Это не документ Word. Подойдут .doc, .docx и .pdf';
/** More than the part of a file that is read from its end. */
const LONG = Buffer.alloc(200_000, 'ы');

describe('a PDF', () => {
  const pdf = (...rest: Buffer[]) => Buffer.concat([latin('%PDF-1.7\n'), ...rest, latin('%%EOF')]);
  const asPdf = (bytes: Buffer) => judged(bytes, 'описание.pdf');

  test('is accepted whatever its length', async () => {
    expect(await asPdf(pdf())).toBe('application/pdf');
    expect(await asPdf(pdf(LONG))).toBe('application/pdf');
  });

  test('may contain the sign of an archive where no archive could end', async () => {
    expect(await asPdf(pdf(latin('PK\u0005\u0006'), LONG))).toBe('application/pdf');
  });

  test('may have a little behind its end, and not more', async () => {
    const most = 1_024 - '%%EOF'.length;
    expect(await asPdf(Buffer.concat([pdf(LONG), Buffer.alloc(most)]))).toBe('application/pdf');
    expect(await asPdf(Buffer.concat([pdf(LONG), Buffer.alloc(most + 1)]))).toBe(BROKEN);
  });

  test.each(['<!DOCTYPE', '<html>', '<script>', '<SVG'])(
    'that begins like a page with %s is refused',
    async (tag) => {
      expect(await asPdf(pdf(latin(tag)))).toBe(BROKEN);
    },
  );

  test.each([
    ['without an end', latin('%PDF-1.7\n')],
    ['that is an archive too', pdf(latin('PK\u0005\u0006'))],
  ])('%s is refused', async (_, bytes) => {
    expect(await asPdf(bytes)).toBe(BROKEN);
  });

  test('under another name is refused with the name it should have', async () => {
    expect(await judged(pdf(), 'описание.doc')).toBe(
      'Внутри файла .pdf, а имя говорит другое. Переименуйте его. Подойдут .doc, .docx и .pdf',
    );
  });
});

interface Entry {
  name: string;
  extra?: Buffer;
  comment?: Buffer;
}
const NOTHING: Buffer = Buffer.alloc(0);
const WORD: Entry[] = [{ name: '[Content_Types].xml' }, { name: 'word/document.xml' }];

/** An entry of a ZIP's list of names. */
function listed({ name, extra = NOTHING, comment = NOTHING }: Entry): Buffer {
  const head = Buffer.alloc(46);
  head.write('PK\u0001\u0002', 'latin1');
  head.writeUInt16LE(Buffer.byteLength(name), 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt16LE(comment.length, 32);
  return Buffer.concat([head, Buffer.from(name), extra, comment]);
}

interface Oddities {
  files?: Buffer;
  comment?: Buffer;
  commentLength?: number;
  namesAt?: number;
  namesLength?: number;
  behindNames?: Buffer;
  /** The last entry names everything behind it as its comment. */
  isOverlong?: boolean;
}

/** A ZIP as far as its names are read. */
function zip(entries: readonly Entry[], odd: Oddities = {}): Buffer {
  const { files = NOTHING, comment = NOTHING, behindNames = NOTHING } = odd;
  const local = Buffer.concat([latin('PK\u0003\u0004'), files]);
  const names = Buffer.concat(entries.map(listed));
  if (odd.isOverlong) names.writeUInt16LE(22, lengthOf(entries.slice(0, -1)) + 32);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt32LE(odd.namesLength ?? names.length, 12);
  end.writeUInt32LE(odd.namesAt ?? local.length, 16);
  end.writeUInt16LE(odd.commentLength ?? comment.length, 20);
  return Buffer.concat([local, names, behindNames, end, comment]);
}

const lengthOf = (entries: readonly Entry[]) => Buffer.concat(entries.map(listed)).length;
/** A list of names that is announced as so much longer than it is. */
const beyondNames = (length: number) => ({ namesLength: lengthOf(WORD) + length });

const MAX_NAMES = 4 * 1024 * 1024;
/** Entries of so many bytes in all. */
function longList(length: number): Entry[] {
  const entries = [...WORD];
  const bare = lengthOf([{ name: 'a' }]);
  for (let left = length - lengthOf(WORD); left > 0;) {
    const extra = Buffer.alloc(Math.min(left - bare, 60_000));
    entries.push({ name: 'a', extra });
    left -= bare + extra.length;
  }
  return entries;
}

describe('a Word document', () => {
  const asDocx = (bytes: Buffer) => judged(bytes, 'описание.docx');

  test.each<[string, Buffer]>([
    ['of a few bytes', zip(WORD)],
    ['longer than what is read of its end', zip(WORD, { files: LONG })],
    ['with a comment at its end', zip(WORD, { comment: Buffer.alloc(65_535, 7) })],
    ['with a signature between its names and its end', zip(WORD, { behindNames: latin('sign') })],
    ['with the longest list of names', zip(longList(MAX_NAMES))],
    ['with another main part', zip([{ name: 'word/document2.xml' }, ...WORD.slice(0, 1)])],
    [
      'with further fields of its entries',
      zip([
        { name: 'docProps/core.xml', extra: Buffer.alloc(9, 1), comment: Buffer.alloc(5, 2) },
        ...WORD,
      ]),
    ],
  ])('%s is accepted', async (_, bytes) => {
    expect(await asDocx(bytes)).toBe(DOCX);
  });

  test.each<[string, Buffer]>([
    ['without its end', zip(WORD).subarray(0, -22)],
    ['that is cut within its end', zip(WORD).subarray(0, -1)],
    ['with more behind its end', Buffer.concat([zip(WORD), latin('%')])],
    ['with a comment of another length', zip(WORD, { comment: latin('ab'), commentLength: 1 })],
    ['whose names would overlap its end', zip(WORD, { namesAt: 5 })],
    ['whose names are no entries', zip(WORD, { namesAt: 1 })],
    ['whose last name would contain its end', zip(WORD, { ...beyondNames(22), isOverlong: true })],
    [
      'with bytes that are no entry',
      zip(WORD, { behindNames: Buffer.alloc(46), ...beyondNames(46) }),
    ],
    ['with too long a list of names', zip(longList(MAX_NAMES + 1))],
  ])('%s is damaged', async (_, bytes) => {
    expect(await asDocx(bytes)).toBe(BROKEN);
  });

  test.each<[string, Entry[]]>([
    ['main part', WORD.slice(0, 1)],
    ['list of types', WORD.slice(1)],
    ['main part in its folder', [...WORD.slice(0, 1), { name: 'mimeword/document.xml' }]],
    ['main part of this name', [...WORD.slice(0, 1), { name: 'word/document.xml.rels' }]],
  ])('without its %s is none', async (_, entries) => {
    expect(await asDocx(zip(entries))).toBe(NOT_WORD);
  });

  test('with macros is refused', async () => {
    expect(await asDocx(zip([...WORD, { name: 'word/vbaProject.bin' }]))).toBe(
      'В документе есть макросы. Сохраните его без них. Подойдут .doc, .docx и .pdf',
    );
  });
});

describe('an old Word document', () => {
  const STREAM = Buffer.from('WordDocument\0', 'utf16le');
  /** A compound file with one entry at some place. */
  function compound(
    at: number,
    { size = at + 128, nameLength = STREAM.length, kind = 2 } = {},
  ): Buffer {
    const bytes = Buffer.alloc(size);
    bytes.write('d0cf11e0a1b11ae1', 'hex');
    STREAM.copy(bytes, at);
    bytes[at + 64] = nameLength;
    bytes[at + 66] = kind;
    return bytes;
  }
  const asDoc = (bytes: Buffer) => judged(bytes, 'описание.doc');
  /** How much of it is read at once. */
  const STEP = 512 * 128;

  test.each([512, 1_024 + 128, 512 + STEP - 128, 512 + STEP, 512 + 3 * STEP + 256])(
    'with its entry at byte %i is accepted',
    async (at) => {
      expect(await asDoc(compound(at))).toBe('application/msword');
      expect(await asDoc(compound(at, { size: at + 1_000 }))).toBe('application/msword');
    },
  );

  test.each<[string, Buffer]>([
    ['before its entries', compound(128, { size: 2_048 })],
    ['between two entries', compound(1_024 + 64)],
    ['of another length', compound(1_024, { nameLength: STREAM.length + 2 })],
    ['that is a folder', compound(1_024, { kind: 1 })],
  ])('with its name %s is none', async (_, bytes) => {
    expect(await asDoc(bytes)).toBe(NOT_WORD);
  });

  test('is found behind the same name in its text', async () => {
    const bytes = compound(1_024 + 256);
    STREAM.copy(bytes, 1_024 + 30);
    expect(await asDoc(bytes)).toBe('application/msword');
  });
});

test.each([
  ['nothing', Buffer.alloc(0), 'Файл пуст'],
  ['a page', latin('<html>'), 'Это не документ Word и не PDF'],
])('%s is no documentation', async (_, bytes, why) => {
  expect(await judged(bytes, 'описание.pdf')).toBe(`${why}. Подойдут .doc, .docx и .pdf`);
});
