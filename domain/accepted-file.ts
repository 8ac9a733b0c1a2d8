import { BYTES_TYPE, namesOfKind } from './file-types.ts';
import { formatSize } from './format.ts';

/** A picked file, before any of its bytes. */
export interface OfferedFile {
  readonly name: string;
  /** As the browser says; phones and systems often say nothing. */
  readonly mimeType: string;
  readonly size: number;
}

export interface FileRules {
  /** Media types, `image/*` or extensions with a dot, as an input takes them. Empty: any file. */
  readonly accept: readonly string[];
  /** Bytes; absent: no limit. */
  readonly maxBytes?: number | undefined;
}

/** An extension with its dot, or a media type. */
const TYPE = /^(?:\.[^\s,;:/\\*]+|[a-z\d.+-]+\/(?:\*|[\w.+-]+))$/;

/** An entry of a choice as it is compared; null: it names no type of file. */
export function typeEntry(written: string): string | null {
  const entry = written.trim().toLowerCase();
  return TYPE.test(entry) ? entry : null;
}

const ANY: readonly string[] = ['*', '*.*', '*/*', BYTES_TYPE];

/** Whether a list says that it takes any file. */
export const takesAny = (list: readonly string[]) =>
  list.some((one) => ANY.includes(one.trim().toLowerCase()));

/** The choice that counts: what names no type does not narrow it. Empty: any file. */
export const choiceOf = (accept: readonly string[]): string[] =>
  takesAny(accept) ? [] : accept.flatMap((one) => typeEntry(one) ?? []);

const extensionOf = (name: string) => /\.([^.\s]+)$/.exec(name.toLowerCase())?.[1] ?? '';

/** What the browser says of a file; empty: nothing that tells it from another. */
const saidType = ({ mimeType }: OfferedFile): string =>
  (mimeType.split(';')[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/^\w+\/octet-stream$/, '');

/** Types that a file may have by what is said of it and by its name; a known other type outweighs the name. */
function typesOf(file: OfferedFile): readonly string[] {
  const said = saidType(file);
  const named = namesOfKind(extensionOf(file.name));
  if (said === '') return named;
  return namesOfKind(said).length > 0 && !named.includes(said) ? [said] : [said, ...named];
}

function takes(entry: string, file: OfferedFile): boolean {
  if (entry.startsWith('.')) {
    if (file.name.toLowerCase().endsWith(entry)) return true;
    // `.jpeg` for `.jpg`, and photos that come without an extension.
    const wanted = namesOfKind(entry.slice(1));
    const named = namesOfKind(extensionOf(file.name));
    return named.length > 0 ? named === wanted : wanted.includes(saidType(file));
  }
  const types = typesOf(file);
  if (entry.endsWith('*')) return types.some((type) => type.startsWith(entry.slice(0, -1)));
  // A type that nobody here knows, of a file that nothing is said of: the teacher will see.
  return types.length > 0 ? types.includes(entry) : namesOfKind(entry).length === 0;
}

/** Whether a choice of types takes a file: the one rule of editor, picker, outbox and server. */
export function takesFile(accept: readonly string[], file: OfferedFile): boolean {
  const choice = choiceOf(accept);
  return choice.length === 0 || choice.some((entry) => takes(entry, file));
}

/** Groups that are shorter to say than to list. */
const GROUPS: Readonly<Record<string, string>> = {
  'image/*': 'картинки',
  'audio/*': 'аудио',
  'video/*': 'видео',
};

const wordOf = (entry: string): string =>
  GROUPS[entry] ??
  (namesOfKind(entry)[0] ?? entry.replace(/\/\*$/, '').replace(/^\.|^.*\//, '')).toUpperCase();

/** What a choice takes, each once: «картинки», «PDF». Empty: any file. */
export const typeWords = (accept: readonly string[]): string[] => [
  ...new Set(choiceOf(accept).map(wordOf)),
];

/** «PNG, JPG или WEBP» */
export function acceptWords(accept: readonly string[]): string {
  const words = typeWords(accept);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} или ${last}`;
}

/** Why a picked file cannot be sent, in words; null: it can. */
export function fileProblem(file: OfferedFile, { accept, maxBytes }: FileRules): string | null {
  if (!takesFile(accept, file)) {
    return `Такой файл не подойдёт. Выберите ${acceptWords(accept)}`;
  }
  if (file.size === 0) return 'Файл пустой. Выберите другой';
  if (maxBytes !== undefined && file.size > maxBytes) {
    return `Файл больше ${formatSize(maxBytes)}. Выберите файл поменьше`;
  }
  return null;
}
