import { readCsv as readRows, readNamedDelimiter } from '#domain/csv.ts';
import { decodeText } from '#interchange/encoding.ts';
import { QUESTIONS_PER_FILE } from '#contract/limits.ts';
import type { Reader } from '#interchange/model.ts';
import { columnsOf } from '#interchange/table/columns.ts';
import { readTable } from '#interchange/table/read.ts';

const DELIMITERS = [';', ',', '\t'] as const;
/** Characters at the beginning from which the delimiter is detected. */
const SAMPLE_CHARACTERS = 20_000;
const MAX_CELLS = 500;

/** The delimiter for which the first rows contain a header. */
function delimiterOf(text: string): string {
  const scored = DELIMITERS.map((delimiter) => {
    const sample = text.slice(0, SAMPLE_CHARACTERS).split('\n').slice(0, 20);
    const known = sample.map((line) => {
      const columns = columnsOf(line.split(delimiter).map((head) => head.replaceAll('"', '')));
      const numbered = Object.values(columns?.numbered ?? {}).flat().length;
      return (columns?.single.size ?? 0) + numbered;
    });
    return { delimiter, score: Math.max(...known) };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.delimiter ?? ';';
}

/** Reads a table of questions from CSV with semicolons, commas or tabulators. */
export const readCsv: Reader = async ({ bytes }, tools) => {
  const { text, note } = decodeText(bytes);
  const named = readNamedDelimiter(text);
  const delimiter = named.delimiter ?? delimiterOf(named.body);
  const { rows, isBroken } = readRows(named.body, { delimiter, most: QUESTIONS_PER_FILE + 30 });
  const numbered = rows.map(({ line, cells }) => ({
    number: line,
    values: cells.slice(0, MAX_CELLS),
  }));
  const broken = 'Кавычки в файле не закрыты: строки прочитаны по одной, проверьте их';
  return readTable('csv', numbered, isBroken ? [note, broken] : [note], tools);
};
