import { collecting } from '#interchange/collected.ts';
import { fitted } from '#interchange/fitted.ts';
import type { FormatId, Imported, Tools } from '#interchange/model.ts';
import { findColumns } from './columns.ts';
import { countsFromZero, questionOfRow, RowProblem } from './read-row.ts';

/** A row of a file with its number there, from 1; `loss` is what its cells lost already. */
const SURPLUS =
  'Ячеек в строке больше, чем столбцов. Текст, в котором есть разделитель, возьмите в кавычки';

export interface NumberedRow {
  readonly number: number;
  readonly values: readonly string[];
  readonly losses?: readonly string[];
}

/**
 * Questions of a table, a row each; one invalid row does not refuse the rest.
 * @throws {UnreadableFile} required columns are missing
 */
export function readTable(
  format: FormatId,
  rows: readonly NumberedRow[],
  notes: readonly (string | null)[],
  tools: Tools,
): Imported {
  const columns = findColumns(rows.map(({ values }) => values));
  const found = collecting(format, tools);
  notes.forEach(found.note);
  if (columns.unknown.length > 0) {
    const names = columns.unknown.slice(0, 10).map((name) => `«${name.slice(0, 40)}»`);
    found.note(`Столбцы ${names.join(', ')} не читаются: таких у вопросов нет`);
  }
  const width = rows[columns.row]?.values.length ?? 0;
  const body = rows.slice(columns.row + 1);
  const isFromZero = countsFromZero(
    columns,
    body.map(({ values }) => values),
  );
  if (isFromZero) found.note('Номера верных вариантов в этой таблице считаются с нуля: проверьте');
  const first = isFromZero ? 0 : 1;
  for (const { number, values, losses: lost = [] } of body) {
    if (found.isFull()) break;
    if (values.every((value) => value.trim() === '')) continue;
    const place = `строка ${number}`;
    const text = values[columns.single.get('text') ?? 0] ?? '';
    if (format === 'csv' && values.slice(width).some((value) => value.trim() !== '')) {
      found.refuse(place, text, SURPLUS);
      continue;
    }
    const losses = [...lost];
    try {
      const fit = fitted(questionOfRow(columns, values, { tools, first, losses }));
      if ('reason' in fit) found.refuse(place, text, fit.reason);
      else found.add({ question: fit.question, place, losses: [...losses, ...fit.losses] });
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      found.refuse(place, text, error.message);
    }
  }
  return found.done();
}
