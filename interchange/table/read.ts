import { collecting } from '#interchange/collected.ts';
import { fitted } from '#interchange/fitted.ts';
import type { FormatId, Imported, Tools } from '#interchange/model.ts';
import { findColumns, type TableColumns } from './columns.ts';
import { countsFromZero, questionOfRow, RowProblem } from './read-row.ts';

const SURPLUS =
  'Ячеек в строке больше, чем столбцов. Текст, в котором есть разделитель, возьмите в кавычки';

const OPTION_PER_ROW =
  'В строке один вариант, и верный не назван. Сведите варианты вопроса в одну строку, в столбцы «Вариант 1», «Вариант 2» и дальше';

/** A row of a file with its number in the file, from 1; `loss` is the losses of its cells so far. */
export interface NumberedRow {
  readonly number: number;
  readonly values: readonly string[];
  readonly losses?: readonly string[];
}

/** Whether each row contains one option of a question that continues in the next row. */
function hasOptionPerRow(columns: TableColumns, rows: readonly (readonly string[])[]): boolean {
  if (columns.numbered.option.length !== 1 || columns.single.has('right')) return false;
  const [option = 0] = columns.numbered.option;
  const texts = rows
    .filter((values) => (values[option] ?? '').trim() !== '')
    .map((values) => (values[columns.single.get('text') ?? 0] ?? '').trim());
  return texts.some((text, index) => index > 0 && (text === '' || text === texts[index - 1]));
}

/**
 * Questions of a table, a row each. One invalid row does not refuse the rest.
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
  const body = rows.slice(columns.row + 1);
  if (columns.row < 0)
    found.note(
      'Заголовков у столбцов нет: первая ячейка строки прочитана как вопрос, последняя как верный ответ, между ними варианты',
    );
  const heads = rows[Math.max(0, columns.row)]?.values ?? [];
  const width = Math.max(0, ...heads.map((head, index) => (head.trim() === '' ? 0 : index + 1)));
  const isOptionPerRow = hasOptionPerRow(
    columns,
    body.map(({ values }) => values),
  );
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
    if (isOptionPerRow && (values[columns.numbered.option[0] ?? 0] ?? '').trim() !== '') {
      found.refuse(place, text, OPTION_PER_ROW);
      continue;
    }
    const losses = [...lost];
    const language = (values[columns.single.get('language') ?? -1] ?? '').trim();
    if (language !== '' && !found.language(language))
      losses.push(`Язык «${language.slice(0, 40)}» здесь не выбрать`);
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
