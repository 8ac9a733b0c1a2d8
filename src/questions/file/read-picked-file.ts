import { largeFileMessage, type FileRules } from '#domain/accepted-file.ts';
import { maxFilesOf } from '#domain/answer-files.ts';
import { decodePicture } from '#app/lib/pictures/decode-picture.ts';
import { isPicture, PictureRefusal, type Decode } from '#app/lib/pictures/prepare-picture.ts';
import { formatShrunk, paintWhiteBelow, shrinkPhoto } from '#app/lib/pictures/shrink-photo.ts';
import { PickProblem } from './file-picks.ts';
import type { FileToAdd } from '#app/outbox/types.ts';

/** A file after reading, made smaller if its question's limit requires it. */
export interface PreparedFile extends FileToAdd {
  /** «Фото уменьшено: 14 → 3,2 МБ»; null: unchanged. */
  readonly note: string | null;
  /** Whether it is added to the files of the answer instead of replacing them. */
  readonly isAdded: boolean;
}

const NOT_READ: Readonly<Record<string, string>> = {
  NotFoundError: 'Файла больше нет на прежнем месте. Выберите его ещё раз.',
  NotReadableError:
    'Файл не читается: он изменился, занят другой программой или ещё не скачан из облака. Выберите его ещё раз.',
  NotAllowedError: 'Нет разрешения читать этот файл. Выберите его ещё раз.',
  SecurityError: 'Нет разрешения читать этот файл. Выберите его ещё раз.',
};

const UNKNOWN = 'Файл не удалось прочитать. Выберите его ещё раз.';

type PickRules = FileRules & {
  readonly maxBytes: number;
  readonly maxFiles?: number | undefined;
};

/** `photo.heic` → `photo.jpg` */
const jpegName = (name: string) => `${name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`;

let decoding: Promise<unknown> = Promise.resolve();

/** Ten decoded photos exceed a phone's memory: each waits for the previous one. */
function shrinkInTurn(photo: Blob, maxBytes: number, decode: Decode): Promise<Blob> {
  const shrunk = decoding.then(() => shrinkPhoto(photo, maxBytes, decode));
  decoding = shrunk.catch(() => undefined);
  return shrunk;
}

async function shrink(file: Blob, rules: PickRules, decode: Decode) {
  if (!(await isPicture(file))) throw new PickProblem(largeFileMessage(rules.maxBytes));
  try {
    return await shrinkInTurn(file, rules.maxBytes, decode);
  } catch (cause) {
    if (cause instanceof PictureRefusal) throw new PickProblem(cause.message, { cause });
    throw cause;
  }
}

/**
 * Reads a picked file; a photo above the question's limit is made smaller.
 * @throws {PickProblem}
 */
export async function readPickedFile(
  file: File,
  rules: PickRules,
  decode: Decode = (photo) => decodePicture(photo, paintWhiteBelow),
): Promise<PreparedFile> {
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new PickProblem((cause instanceof Error && NOT_READ[cause.name]) || UNKNOWN, { cause });
  });
  const { name, type: mimeType } = file;
  const isAdded = maxFilesOf(rules) > 1;
  if (bytes.byteLength <= rules.maxBytes)
    return { name, mimeType, bytes: new Uint8Array(bytes), note: null, isAdded };
  const photo = await shrink(new Blob([bytes]), rules, decode);
  return {
    name: jpegName(name),
    mimeType: 'image/jpeg',
    bytes: new Uint8Array(await photo.arrayBuffer()),
    note: formatShrunk(bytes.byteLength, photo.size),
    isAdded,
  };
}
