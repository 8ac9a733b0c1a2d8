import { takesAny, typeEntry } from './accepted-file.ts';

/** One file type as people write it, `PDF` and `*.pdf` for `.pdf`; null: it names none. */
function writtenType(written: string): string | null {
  const entry = written
    .trim()
    .toLowerCase()
    .replace(/^\*(?=\.)/, '');
  return typeEntry(entry) ?? (/^[a-z0-9]{1,10}$/.test(entry) ? `.${entry}` : null);
}

/** Parses a list of types as people and other programs write it: the valid entries, and the others. */
export function writtenTypes(given: readonly string[]): { accept: string[]; unknown: string[] } {
  if (takesAny(given)) return { accept: [], unknown: [] };
  const read = given.map((one) => ({ one, type: writtenType(one) }));
  return {
    accept: [...new Set(read.flatMap(({ type }) => type ?? []))],
    unknown: read.flatMap(({ one, type }) => (type === null && one.trim() !== '' ? [one] : [])),
  };
}
