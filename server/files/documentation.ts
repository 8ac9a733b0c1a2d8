import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { DOCUMENTATION_TYPES } from '#contract/projects.ts';
import type { Incoming } from './store/blob-store.ts';
import { extensionOf } from '#domain/file-name.ts';

type DocumentType = (typeof DOCUMENTATION_TYPES)[number];

export type DocumentVerdict =
  | { readonly isAccepted: true; readonly mimeType: DocumentType }
  /** Russian. */
  | { readonly isAccepted: false; readonly why: string };

const ACCEPTED_TYPES = 'Подойдут .doc, .docx и .pdf';
const refused = (why: string): DocumentVerdict => ({
  isAccepted: false,
  why: `${why}. ${ACCEPTED_TYPES}`,
});

const EXTENSIONS: Readonly<Record<DocumentType, string>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const PDF_START = Buffer.from('%PDF-');
const CFB_START = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ZIP_START = Buffer.from('PK\u0003\u0004');
const ZIP_END = Buffer.from('PK\u0005\u0006');
/** The number of Word's FIB format since Word 97. */
const WORD_PART = /^word\/document\d*\.xml$/;
const ZIP_ENTRY = 0x02_01_4b_50;
/** A ZIP ends with 22 bytes and a comment. */
const ZIP_END_BYTES = 22;
const TAIL_BYTES = ZIP_END_BYTES + 65_535;
const MAX_NAMES_BYTES = 4 * 1024 * 1024;
/** What some programs append to a PDF. */
const MAX_PDF_REST = 1_024;

const startsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start);

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

const tailOf = (file: FileHandle, size: number) => {
  const length = Math.min(TAIL_BYTES, size);
  return readAt(file, size - length, length);
};

/** A PDF that ends as one and is not also a page or an archive. */
async function isPdf(file: FileHandle, head: Buffer, size: number): Promise<boolean> {
  if (/<(!doctype|html|script|svg)/i.test(head.toString('latin1'))) return false;
  const tail = await tailOf(file, size);
  const end = tail.lastIndexOf('%%EOF');
  return end !== -1 && tail.length - end <= MAX_PDF_REST && tail.lastIndexOf(ZIP_END) === -1;
}

/** Entry names of a ZIP that ends with the file; null: it is not one. */
async function zipNames(file: FileHandle, size: number): Promise<Set<string> | null> {
  const tail = await tailOf(file, size);
  const at = tail.lastIndexOf(ZIP_END);
  if (at === -1 || tail.length - at < ZIP_END_BYTES) return null;
  if (at + ZIP_END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) return null;
  const length = tail.readUInt32LE(at + 12);
  const from = tail.readUInt32LE(at + 16);
  const endsAt = size - tail.length + at;
  if (length > MAX_NAMES_BYTES || from + length > endsAt) return null;
  const entries = await readAt(file, from, length);
  const names = new Set<string>();
  for (let offset = 0; offset + 46 <= entries.length;) {
    if (entries.readUInt32LE(offset) !== ZIP_ENTRY) return null;
    const nameLength = entries.readUInt16LE(offset + 28);
    names.add(entries.toString('utf8', offset + 46, offset + 46 + nameLength));
    offset +=
      46 + nameLength + entries.readUInt16LE(offset + 30) + entries.readUInt16LE(offset + 32);
  }
  return names;
}

const CFB_ENTRY_BYTES = 128;
const CFB_STREAM = 2;
const WORD_STREAM = Buffer.from('WordDocument\0', 'utf16le');

/** Whether an OLE compound file has the stream of a Word document among its entries. */
async function hasWordStream(file: FileHandle, size: number): Promise<boolean> {
  const step = 512 * CFB_ENTRY_BYTES;
  for (let at = 512; at < size; at += step) {
    const bytes = await readAt(file, at, Math.min(step, size - at));
    for (let from = bytes.indexOf(WORD_STREAM); from !== -1;) {
      const isEntry =
        from % CFB_ENTRY_BYTES === 0 &&
        bytes[from + 64] === WORD_STREAM.length &&
        bytes[from + 66] === CFB_STREAM;
      if (isEntry) return true;
      from = bytes.indexOf(WORD_STREAM, from + 1);
    }
  }
  return false;
}

async function typeOf(file: FileHandle, { head, size }: Incoming): Promise<DocumentVerdict> {
  const broken = refused('Файл повреждён или загрузился не целиком');
  if (startsWith(head, PDF_START))
    return (await isPdf(file, head, size))
      ? { isAccepted: true, mimeType: 'application/pdf' }
      : broken;
  if (startsWith(head, CFB_START))
    return (await hasWordStream(file, size))
      ? { isAccepted: true, mimeType: 'application/msword' }
      : refused('Это не документ Word');
  if (!startsWith(head, ZIP_START)) return refused('Это не документ Word и не PDF');
  const names = await zipNames(file, size);
  if (!names) return broken;
  if (![...names].some((name) => WORD_PART.test(name)) || !names.has('[Content_Types].xml'))
    return refused('Это не документ Word');
  if (names.has('word/vbaProject.bin'))
    return refused('В документе есть макросы. Сохраните его без них');
  return { isAccepted: true, mimeType: DOCX };
}

/**
 * Detects a project's documentation by its content, which must match its extension; else the reason of the
 * refusal.
 */
export async function validateDocumentation(
  incoming: Incoming,
  name: string,
): Promise<DocumentVerdict> {
  if (incoming.size === 0) return refused('Файл пуст');
  const file = await open(incoming.path, 'r');
  try {
    const judged = await typeOf(file, incoming);
    if (judged.isAccepted && extensionOf(name) !== EXTENSIONS[judged.mimeType])
      return refused(
        `Внутри файла .${EXTENSIONS[judged.mimeType]}, а имя говорит другое. Переименуйте его`,
      );
    return judged;
  } finally {
    await file.close();
  }
}
