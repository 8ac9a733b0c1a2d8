import { BYTES_TYPE, namesOfKind } from './file-types.ts';
import { formatSize } from './format.ts';

/** A picked file, before its bytes are read. */
export interface OfferedFile {
  readonly name: string;
  /** As the browser reports it; phones and systems often report nothing. */
  readonly mimeType: string;
  readonly size: number;
}

export interface FileRules {
  /** Media types, `image/*` or extensions with a dot, as an input's `accept`. Empty: any file. */
  readonly accept: readonly string[];
  /** Bytes; absent: no limit. */
  readonly maxBytes?: number | undefined;
}

/** An extension with its dot, or a media type. */
const TYPE = /^(?:\.[^\s,;:/\\*]+|[a-z\d.+-]+\/(?:\*|[\w.+-]+))$/;

/** An entry of a choice in comparable form; null: it names no file type. */
export function typeEntry(written: string): string | null {
  const entry = written.trim().toLowerCase();
  return TYPE.test(entry) ? entry : null;
}

const ANY: readonly string[] = ['*', '*.*', '*/*', BYTES_TYPE];

/** Whether a list accepts any file. */
export const takesAny = (list: readonly string[]) =>
  list.some((one) => ANY.includes(one.trim().toLowerCase()));

/** The effective choice: entries that name no type do not restrict it. Empty: any file. */
export const choiceOf = (accept: readonly string[]): string[] =>
  takesAny(accept) ? [] : accept.flatMap((one) => typeEntry(one) ?? []);

const extensionOf = (name: string) => /\.([^.\s]+)$/.exec(name.toLowerCase())?.[1] ?? '';

/** The type that the browser reports; empty: none, or a generic one. */
function reportedType({ mimeType }: OfferedFile): string {
  const reported = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  return reported.endsWith('/octet-stream') ? '' : reported;
}

/** Possible types of a file by its reported type and its name; a known reported type overrides the name. */
function typesOf(file: OfferedFile): readonly string[] {
  const reported = reportedType(file);
  const named = namesOfKind(extensionOf(file.name));
  if (reported === '') return named;
  return namesOfKind(reported).length > 0 && !named.includes(reported)
    ? [reported]
    : [reported, ...named];
}

function takes(entry: string, file: OfferedFile): boolean {
  if (entry.startsWith('.')) {
    if (file.name.toLowerCase().endsWith(entry)) return true;
    // `.jpeg` for `.jpg`, and photos without an extension.
    const wanted = namesOfKind(entry.slice(1));
    const named = namesOfKind(extensionOf(file.name));
    return named.length > 0 ? named === wanted : wanted.includes(reportedType(file));
  }
  const types = typesOf(file);
  if (entry.endsWith('*')) return types.some((type) => type.startsWith(entry.slice(0, -1)));
  // An unknown type, and a file without a reported type: the teacher decides.
  return types.length > 0 ? types.includes(entry) : namesOfKind(entry).length === 0;
}

/** Whether a choice of types accepts a file: one rule for editor, picker, outbox and server. */
export function takesFile(accept: readonly string[], file: OfferedFile): boolean {
  const choice = choiceOf(accept);
  return choice.length === 0 || choice.some((entry) => takes(entry, file));
}

/** Groups with a common name. */
const GROUPS: Readonly<Record<string, string>> = {
  'image/*': 'картинки',
  'audio/*': 'аудио',
  'video/*': 'видео',
};

const wordOf = (entry: string): string =>
  GROUPS[entry] ??
  (namesOfKind(entry)[0] ?? entry.replace('/*', '').replace(/\.|.*\//, '')).toUpperCase();

/** The accepted types, each once: «картинки», «PDF». Empty: any file. */
export const acceptedTypeLabels = (accept: readonly string[]): string[] => [
  ...new Set(choiceOf(accept).map(wordOf)),
];

/** «PNG, JPG или WEBP» */
export function formatAcceptedTypes(accept: readonly string[]): string {
  const words = acceptedTypeLabels(accept);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} или ${last}`;
}

export const largeFileMessage = (maxBytes: number): string =>
  `Файл больше ${formatSize(maxBytes)}. Выберите файл поменьше`;

/** The message why a picked file cannot be sent; null: it can. */
export function fileProblem(file: OfferedFile, { accept, maxBytes }: FileRules): string | null {
  if (!takesFile(accept, file)) {
    return `Такой файл не подойдёт. Выберите ${formatAcceptedTypes(accept)}`;
  }
  if (file.size === 0) return 'Файл пустой. Выберите другой';
  if (maxBytes !== undefined && file.size > maxBytes) {
    return largeFileMessage(maxBytes);
  }
  return null;
}

/** The name and type of a photo that was made smaller. */
const SHRUNK = { name: 'photo.jpg', mimeType: 'image/jpeg', size: 1 };

/** A photo is one picture; scans and animations may have more, which a JPEG would lose. */
const PHOTO = /^image\/(?!svg|tiff|gif)/;

/** Whether a file above the limit may be a photo, and a smaller JPEG of it is accepted. */
export function canShrink(file: OfferedFile, { accept, maxBytes = Infinity }: FileRules): boolean {
  const isPhoto = typesOf(file).some((type) => PHOTO.test(type));
  return isPhoto && file.size > maxBytes && takesFile(accept, file) && takesFile(accept, SHRUNK);
}
