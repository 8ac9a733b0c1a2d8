import { formatSize } from '#domain/format.ts';

/** What a file control takes unless told otherwise (specification, section 5). */
export const ACCEPTED: readonly string[] = ['image/*', '.doc', '.docx', '.pdf'];

/** Extensions of the media types that are named in our controls. */
const EXTENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['image/png', ['.png']],
  ['image/jpeg', ['.jpg', '.jpeg']],
  ['image/webp', ['.webp']],
  ['image/gif', ['.gif']],
  ['image/*', ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.heic', '.avif', '.bmp']],
]);

const extensionOf = (name: string) => /\.[^.\s]+$/.exec(name.toLowerCase())?.[0] ?? '';

/** Whether one entry of an `accept` list takes a file, by its type or, where it has none, by its name. */
function takes(entry: string, { name, type }: { name: string; type: string }): boolean {
  if (entry.startsWith('.')) return extensionOf(name) === entry;
  if (type === '') return EXTENSIONS.get(entry)?.includes(extensionOf(name)) ?? false;
  return entry.endsWith('/*') ? type.startsWith(entry.slice(0, -1)) : type === entry;
}

const wordOf = (entry: string): string => {
  if (entry === 'image/*') return 'картинки';
  return (EXTENSIONS.get(entry)?.[0] ?? entry).replace(/^\.|^.*\//, '').toUpperCase();
};

/** «PNG, JPG или WEBP» */
export function acceptWords(accept: readonly string[]): string {
  const words = [...new Set(accept.map(wordOf))];
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} или ${last}`;
}

export interface FileRules {
  /** Media types, `image/*` or extensions with a dot, as an input takes them. */
  accept: readonly string[];
  /** Bytes; absent: no limit. */
  maxBytes?: number | undefined;
}

/** Why a picked file cannot be sent, in words; null: it can. Its content is judged by the server. */
export function fileProblem(
  file: { name: string; type: string; size: number },
  { accept, maxBytes }: FileRules,
): string | null {
  if (!accept.some((entry) => takes(entry, file))) {
    return `Такой файл не подойдёт. Выберите ${acceptWords(accept)}`;
  }
  if (file.size === 0) return 'Файл пустой. Выберите другой';
  if (maxBytes !== undefined && file.size > maxBytes) {
    return `Файл больше ${formatSize(maxBytes)}. Выберите файл поменьше`;
  }
  return null;
}
