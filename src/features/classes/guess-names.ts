import { roleOfWord } from '#domain/role-labels.ts';

/** The columns of the parts of a name, found by the cells alone. */
export interface NameColumns {
  readonly userName?: number;
  readonly surname?: number;
  readonly givenName?: number;
  readonly patronymic?: number;
}

/** A single word of a name, or initials. */
const WORD = /^\p{L}[\p{L}\p{M}'’ʼ-]*\.?(?:\p{L}\.)?$/u;
const PATRONYMIC = /(?:вич|[вч]на|ьич|мич|нич|кич|оглы|кызы|уулу|заде)$/iu;
const SEX = /^(?:м|ж|муж|жен|мужской|женский)\.?$/iu;

const isWord = (cell: string) => WORD.test(cell) && !SEX.test(cell) && roleOfWord(cell) === null;
const isWholeName = (cell: string) => {
  const words = cell.split(/[\s,]+/u).filter(Boolean);
  return words.length > 1 && words.length < 7 && words.every((word) => WORD.test(word));
};

const isMostly = (cells: readonly string[], fits: (cell: string) => boolean) =>
  cells.length > 0 && 2 * cells.filter(fits).length > cells.length;

/** Finds the names in a table without heads: a column of whole names, else up to three columns of single words. */
export function guessNameColumns(rows: readonly (readonly string[])[]): NameColumns {
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, at) =>
    rows.map((cells) => (cells[at] ?? '').trim()).filter((cell) => cell !== ''),
  );
  const first = columns.findIndex(
    (cells) => isMostly(cells, isWholeName) || isMostly(cells, isWord),
  );
  if (first < 0) return { userName: 0 };
  const isNext = (at: number, fits: (cell: string) => boolean) => isMostly(columns[at] ?? [], fits);
  if (isNext(first, isWholeName)) return { userName: first };
  if (!isNext(first + 1, isWord)) return { userName: first };
  const parts = { surname: first, givenName: first + 1 };
  return isNext(first + 2, (cell) => isWord(cell) && PATRONYMIC.test(cell))
    ? { ...parts, patronymic: first + 2 }
    : parts;
}
