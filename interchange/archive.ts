import { normalForm } from '#domain/normal-form.ts';
import { zipSync, type Zippable } from 'fflate';
import { readDirectory, type DirectoryEntry } from './archive/directory.ts';
import { inflateEntry } from './archive/inflate.ts';
import {
  MAX_ARCHIVE_BYTES,
  MAX_ARCHIVE_FILE_BYTES,
  MAX_ARCHIVE_FILES,
  MAX_ARCHIVE_RATIO,
} from './limits.ts';
import { UnreadableFile } from './model.ts';

export interface ArchiveLimits {
  readonly files: number;
  /** Limits of unpacked bytes: of all files together and of one. */
  readonly bytes: number;
  readonly fileBytes: number;
  /** Ratio of unpacked to packed; small files are exempt. */
  readonly ratio: number;
}

export interface Archive {
  /** Each file by its path with `/`; a function that unpacks it. @throws {UnreadableFile} */
  readonly files: ReadonlyMap<string, () => Uint8Array>;
  /** Notes in Russian: which parts of the archive are skipped. */
  readonly notes: readonly string[];
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  files: MAX_ARCHIVE_FILES,
  bytes: MAX_ARCHIVE_BYTES,
  fileBytes: MAX_ARCHIVE_FILE_BYTES,
  ratio: MAX_ARCHIVE_RATIO,
};

/** Below this size a high ratio is a small file of equal letters, not a bomb. */
const RATIO_FROM_BYTES = 1024 * 1024;

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} МБ`;

function checkBounds(entries: readonly DirectoryEntry[], limits: ArchiveLimits): void {
  if (entries.length > limits.files)
    throw new UnreadableFile(`В архиве больше ${limits.files} файлов: такой архив не читается.`);
  let total = 0;
  for (const { path, size, packedSize } of entries) {
    total += size;
    if (size > limits.fileBytes)
      throw new UnreadableFile(
        `Файл «${path}» в архиве больше ${megabytes(limits.fileBytes)}: такой архив не читается.`,
      );
    if (size > RATIO_FROM_BYTES && size > packedSize * limits.ratio)
      throw new UnreadableFile(
        `Файл «${path}» сжат больше чем в ${limits.ratio} раз: так устроены архивы, которые портят память. Такой архив не читается.`,
      );
  }
  if (total > limits.bytes)
    throw new UnreadableFile(
      `В распакованном виде архив больше ${megabytes(limits.bytes)}: такой архив не читается.`,
    );
}

/** A path that stays inside; null for `..`, absolute ones, drives and control characters. */
function safePath(raw: string): string | null {
  const path = normalForm(raw.replaceAll('\\', '/'), 'NFC').replaceAll(/(^|\/)(?:\.\/)+/g, '$1');
  // oxlint-disable-next-line no-control-regex -- that is what is refused
  if (/^\/|^[a-z]:|[\u0000-\u001f]/i.test(path)) return null;
  return path.split('/').includes('..') || path === '' ? null : path;
}

/** Whether bytes begin like a ZIP archive. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

/**
 * Reads the central directory of a ZIP archive and enforces limits: before unpacking by the declared sizes, and
 * while unpacking by the actual ones. Archives inside stay packed.
 * @throws {UnreadableFile} no archive, a damaged one, one with a password, or one beyond the limits
 */
export function readArchive(bytes: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): Archive {
  const { entries, extraBytes } = readDirectory(bytes, limits.files);
  checkBounds(entries, limits);
  const files = new Map<string, () => Uint8Array>();
  const notes: string[] = [];
  const aside: string[] = [];
  for (const entry of entries) {
    if (entry.path.endsWith('/') || entry.path.endsWith('\\')) continue;
    const path = safePath(entry.path);
    if (path === null || entry.isLink) {
      aside.push(entry.path.slice(0, 100));
      continue;
    }
    if (files.has(path))
      throw new UnreadableFile(
        `В архиве два файла с одним именем «${path}»: неясно, какой из них верный. Соберите архив заново.`,
      );
    files.set(path, () => inflateEntry(bytes, entry));
  }
  if (aside.length > 0)
    notes.push(
      `Файлы с путями наружу архива не читались: ${aside.slice(0, 5).join(', ')}${aside.length > 5 ? ' и другие' : ''}.`,
    );
  if (extraBytes > 0) notes.push('После конца архива в файле есть лишние данные: они не читались.');
  return { files, notes };
}

const PACKED_ALREADY = /\.(?:png|jpe?g|gif|webp|avif|zip)$/i;

/** Creates a ZIP archive; the same files always give the same bytes. */
export function writeArchive(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const tree: Zippable = {};
  for (const [path, bytes] of files) {
    tree[path] = [bytes, { level: PACKED_ALREADY.test(path) ? 0 : 6, mtime: new Date(2000, 0, 1) }];
  }
  return zipSync(tree);
}
