import { joinedPieces, plainOf, textLine, type Line } from '#interchange/marked/line.ts';
import { itemNumber, numbered, optionMark } from '#interchange/marked/patterns.ts';

/** Tables of Word with a question in each row: under column names, or after a column of numbers. */

type Row = readonly (readonly Line[])[];
type Column = 'number' | 'text' | 'option' | 'list' | 'right' | 'other';

const HEADS: readonly (readonly [Column, RegExp])[] = [
  ['number', /^(?:(?:№|n|номер)\s{0,3}(?:п\/п|вопрос\S{0,3})?|п\/п)\.?$/i],
  [
    'right',
    /^(?:(?:верн|правильн)\S{1,4}(?:\s{1,3}(?:ответ|вариант)\S{0,3})?|ключи?|эталоны?(?:\s{1,3}ответов)?|ответ|answer|correct(?:\s{1,3}answer)?)$/i,
  ],
  ['list', /^(?:варианты?(?:\s{1,3}ответ\S{0,3})?|ответы|options|answers)$/i],
  [
    'option',
    /^(?:(?:вариант|ответ)\S{0,3}\s{0,3}(?:ответа\s{0,3})?№?\s{0,3}(?:\d{1,2}|[a-zа-я])|[a-fа-е]\)?|\d{1,2}\)?)$/i,
  ],
  [
    'text',
    /^(?:вопросы?|задани[ея]|(?:текст|содержание|формулировка)(?:\s{1,3}(?:вопрос|тестового\s{1,3}задани|задани)\S{0,3})?|question|сұрақ\S{0,3}|питання|запитання)$/i,
  ],
];
const LETTERS = 'абвгдежзиклмн';
/** «б», «2, 4», «АВ»: keys that name options. */
const SHORT_KEY = /^(?:[a-zа-яё]{1,6}|\d{1,2})(?:[\s,;]{1,3}(?:[a-zа-яё]|\d{1,2}))*[).]?$/i;
const NUMBER = /^\d{1,4}\s{0,2}[.)]?$/;
/** A column of shorter texts does not contain the questions. */
const STEM_CHARACTERS = 10;

const textOf = (cell: readonly Line[] = []): string => cell.map(plainOf).join(' ').trim();

const prefixed = (prefix: string, line: Line): Line => ({
  ...line,
  pieces: [...textLine(line.place, prefix).pieces, ...line.pieces],
  numbering: null,
});

/** Joins the lines of a cell. */
const asOne = (cell: readonly Line[]): Line | null => {
  const [first] = cell;
  return first
    ? {
        ...first,
        pieces: joinedPieces(cell),
        losses: cell.flatMap(({ losses }) => losses),
      }
    : null;
};

const isAnswersName = (name: string): boolean =>
  HEADS.some(([kind, names]) => (kind === 'right' || kind === 'list') && names.test(name));

function namedColumns(head: Row, body: readonly Row[]): readonly Column[] | null {
  const columns = head.map((cell): Column => {
    const name = textOf(cell).replace(/[:.]$/, '');
    return HEADS.find(([, names]) => name !== '' && names.test(name))?.[0] ?? 'other';
  });
  const options = columns.filter((column) => column === 'option').length;
  // Numbers of questions above their keys.
  const isKeyRow = body.some((row) =>
    row.some((cell, place) => columns[place] === 'text' && isAnswersName(textOf(cell))),
  );
  if (isKeyRow) return null;
  const hasAnswers = options > 1 || columns.includes('list') || columns.includes('right');
  return columns.includes('text') && hasAnswers && options !== 1 ? columns : null;
}

/** Finds columns by their contents: numbers, questions, then options or one cell with all of them, and a key. */
function numberedColumns(rows: readonly Row[]): readonly Column[] | null {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const cells = (column: number) => rows.map((row) => row[column] ?? []);
  const areNumbers = cells(0).every(
    (cell, at) =>
      NUMBER.test(textOf(cell)) &&
      Number.parseInt(textOf(cell), 10) === Number.parseInt(textOf(rows[0]?.[0]), 10) + at,
  );
  const stems = cells(1).map((cell) => textOf(cell).length);
  const areStems = stems.every((length) => length > 0) && Math.max(0, ...stems) > STEM_CHARACTERS;
  if (rows.length < 2 || !areNumbers || !areStems) return null;
  const isShort = (column: number) => cells(column).every((cell) => SHORT_KEY.test(textOf(cell)));
  const isList = (column: number) => cells(column).some((cell) => cell.length > 1);
  const rest = Array.from({ length: width - 2 }, (_, at) => at + 2);
  const hasKey = rest.length > 1 && isShort(width - 1);
  const options = hasKey ? rest.slice(0, -1) : rest;
  const [only] = options;
  if (only === undefined) {
    const isWhole = cells(1).every((cell) => cell.some((line) => optionMark(plainOf(line), 0)));
    return isWhole ? ['number', 'text'] : null;
  }
  if (options.length === 1)
    return isList(only) ? withKey(['number', 'text', 'list'], hasKey) : null;
  // Otherwise it is a table to match, or one of figures.
  const isTest = hasKey || cells(1).some((cell) => /[?:…_]\s*$/.test(textOf(cell)));
  if (!isTest || options.some(isShort)) return null;
  return withKey(['number', 'text', ...options.map((): Column => 'option')], hasKey);
}

const withKey = (columns: readonly Column[], hasKey: boolean): readonly Column[] =>
  hasKey ? [...columns, 'right'] : columns;

function optionLines(cell: readonly Line[]): Line[] {
  return cell.map((line, place) => {
    const text = plainOf(line);
    const isMarked = optionMark(text, place) !== null || itemNumber(text) !== null;
    // Several options in one line are split later.
    return isMarked || cell.length === 1
      ? { ...line, numbering: null }
      : prefixed(`${LETTERS[place] ?? place + 1}) `, line);
  });
}

function questionLines(
  row: Row,
  columns: readonly Column[],
  heads: Row | null,
  at: number,
): Line[] {
  const cellsOf = (kind: Column) => row.filter((_, place) => columns[place] === kind);
  const [stem = []] = cellsOf('text');
  const [first, ...rest] = stem;
  // A heading between the questions.
  if (!first) return row.flat();
  const number = Number.parseInt(textOf(cellsOf('number')[0]), 10) || at + 1;
  const hasNumber = numbered(plainOf(first)) !== null;
  const places = columns.flatMap((column, place) => (column === 'option' ? [place] : []));
  const options = places.flatMap((place, option) => {
    const line = asOne(row[place] ?? []);
    const own = /^[a-zа-я]\)?$/i.exec(textOf(heads?.[place]))?.[0].replace(')', '');
    const letter = own ?? LETTERS[option] ?? String(option + 1);
    if (!line || plainOf(line).trim() === '') return [];
    return [optionMark(plainOf(line), option)?.letter ? line : prefixed(`${letter}) `, line)];
  });
  const keys = cellsOf('right').flatMap((cell) => asOne(cell) ?? []);
  return [
    hasNumber ? { ...first, numbering: null } : prefixed(`${number}. `, first),
    ...rest.map((line) => ({ ...line, numbering: null })),
    ...cellsOf('list').flatMap(optionLines),
    ...options,
    ...keys.map((line) => prefixed('Ответ: ', line)),
  ];
}

/** The rows of a table as lines of a numbered test; null: they are no questions. */
export function testLines(given: readonly Row[]): Line[] | null {
  const rows = given.filter((row) => row.some((cell) => textOf(cell) !== ''));
  const [head, ...body] = rows;
  const named = head && body.length > 0 ? namedColumns(head, body) : null;
  const columns = named ?? numberedColumns(rows);
  if (!columns) return null;
  const heads = named ? (head ?? null) : null;
  return (named ? body : rows).flatMap((row, at) => questionLines(row, columns, heads, at));
}
