import type { Question } from '#contract/questions.ts';
import { unescapeFormula } from '#domain/csv.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { normaliseText, parseNumber } from '#domain/normalise.ts';
import { importedText, textToMarkdown } from '#interchange/imported-text.ts';
import { maxFilesIn } from '#interchange/items/max-files.ts';
import { placeOfLetter } from '#interchange/letters.ts';
import type { Tools } from '#interchange/model.ts';
import { listOf, numberOf } from './cells.ts';
import type { TableColumns, NumberedColumn, SingleColumn } from './columns.ts';
import { KIND_LABELS, kindOf, type TableKind } from './kinds.ts';

/** Why a row is not a question, in Russian. */
export class RowProblem extends Error {
  override readonly name = 'RowProblem';
}

/** Access to a row's cells by the names of their columns. */
interface Row {
  readonly cell: (column: SingleColumn) => string;
  /** One entry for each such column of the table; empty ones are ''. */
  readonly cells: (column: NumberedColumn) => readonly string[];
  /** How the right options are named: by number, letter or text; by text alone; or by coming first. */
  readonly rightBy: 'any' | 'text' | 'place';
  /** The number of right options that come first. */
  readonly rightCount: number;
}

const isSome = (text: string) => text !== '';

function rowOf(columns: TableColumns, values: readonly string[]): Row {
  const at = (place: number | undefined) =>
    place === undefined ? '' : unescapeFormula(values[place] ?? '');
  const right = [columns.single.get('right'), ...columns.moreRight].map(at).filter(isSome);
  const list = at(columns.single.get('list'));
  const listed = list
    .split(/[|\n]/.test(list) ? /[|\n]/ : ';')
    .map((text) => text.trim())
    .filter(isSome);
  const own = columns.numbered.option.map(at);
  const wrong = columns.numbered.wrong.map(at).filter(isSome);
  const isListed = !own.some(isSome) && listed.length > 1;
  const isApart = !own.some(isSome) && !isListed && right.length > 0 && wrong.length > 0;
  const options = isListed ? listed : isApart ? [...right, ...wrong] : own;
  return {
    cell: (column) => (column === 'right' ? right.join('; ') : at(columns.single.get(column))),
    cells: (column) => (column === 'option' ? options : columns.numbered[column].map(at)),
    rightBy: isApart ? 'place' : isListed ? 'text' : 'any',
    rightCount: right.length,
  };
}

function deducedKind(row: Row): TableKind {
  const options = row.cells('option').filter((text) => text !== '').length;
  if (row.cells('pair').some((text) => text !== '')) return 'matching';
  if (options > 1) {
    const right = row.cell('right');
    if (row.rightBy === 'place') return row.rightCount > 1 ? 'multiple' : 'single';
    const isOne = placeOfText(right, row.cells('option')) >= 0;
    return !isOne && rightTokens(right).length > 1 ? 'multiple' : 'single';
  }
  const answer = row.cell('right') || row.cells('option').find((text) => text !== '');
  if (answer === undefined || answer === '') return 'text';
  return parseNumber(answer) === null ? 'line' : 'number';
}

/** Two options may differ only in case, so an exact match comes first. */
const placeOfText = (text: string, options: readonly string[]) =>
  text !== '' && options.includes(text)
    ? options.indexOf(text)
    : options.findIndex((option) => option !== '' && normaliseText(option) === normaliseText(text));

const rightTokens = (cell: string) => cell.split(/[\s,;.]+/).filter((token) => token !== '');

const alphabetOf = (letter: string) =>
  Array.from(/[a-z]/i.test(letter) ? 'abcdefghijklmnopqrstuvwxyz' : 'абвгдежзиклмнопрстуфхцчшщэюя');

const NUMBER = /^(?:(?:choice|option|answer|вариант)[ _]?)?(\d{1,3})$/i;

/** Positions of right options: by numbers, by letters, or by the option's own text. */
function rightPlaces(
  cell: string,
  options: readonly string[],
  { first, losses, letters, hasOwnRight }: Context,
): number[] {
  const tokens = rightTokens(cell);
  // Our own tables also hold questions that are not finished.
  if (tokens.length === 0 && !hasOwnRight) {
    losses.push('Верный вариант не назван: отметьте его в редакторе');
  }
  const places = tokens.map((token) => {
    const number = NUMBER.exec(token)?.[1];
    if (number !== undefined) return Number(number) - first;
    return token.length === 1 ? placeOfLetter(token, letters ?? alphabetOf(token)) : -1;
  });
  if (places.every((place) => (options[place] ?? '') !== '')) {
    const named = tokens.find((token, at) => {
      if (hasOwnRight) return false;
      const same = options.findIndex((option) => normaliseText(option) === normaliseText(token));
      return same >= 0 && same !== places[at];
    });
    const areNumbers = options.every((option) => option === '' || parseNumber(option) !== null);
    const isNumber = tokens.some((token) => NUMBER.test(token) && placeOfText(token, options) < 0);
    if (!hasOwnRight && areNumbers && isNumber)
      losses.push(
        `«${cell}» в столбце верных понято как номер варианта, а варианты сами – числа: проверьте`,
      );
    if (named !== undefined) {
      losses.push(
        `«${named}» в столбце верных понято как номер варианта, но такой текст есть и у другого: проверьте`,
      );
    }
    return places;
  }
  const byText = (text: string) => placeOfText(text, options);
  const named = byText(cell) >= 0 ? [byText(cell)] : listOf(cell).map(byText);
  if (named.some((place) => place < 0)) {
    throw new RowProblem(
      `В столбце «Верные» стоит «${cell.slice(0, 60)}», а такого варианта нет. Напишите номера верных вариантов: 1; 3`,
    );
  }
  return named;
}

function yesNo(cell: string, otherwise: boolean): boolean {
  if (/^(?:да|yes|true|1|\+)$/i.test(cell)) return true;
  return /^(?:нет|no|false|0|-)$/i.test(cell) ? false : otherwise;
}

function pointsOf(cell: string): number {
  if (cell === '') return 1;
  const points = numberOf(cell);
  if (points === null || points < 0 || points > 10_000) {
    throw new RowProblem(`Баллы — «${cell.slice(0, 40)}», а нужно число от 0 до 10 000`);
  }
  return points;
}

function toleranceOf(cell: string): number {
  if (cell === '') return 0;
  const tolerance = numberOf(cell);
  if (tolerance === null || tolerance < 0) {
    throw new RowProblem(`Допуск — «${cell.slice(0, 40)}», а нужно число не меньше нуля`);
  }
  return tolerance;
}

const feedbackOf = (text: string | undefined) =>
  text === undefined || text === '' ? {} : { feedback: text };

type Base = Pick<Question, 'questionId' | 'text' | 'points'>;

export interface RowContext {
  readonly tools: Tools;
  /** The number of the first option in this table. */
  readonly first: 0 | 1;
  readonly losses: string[];
}

interface Context extends RowContext, Pick<TableColumns, 'letters' | 'hasOwnRight'> {}

type ReadRow = (row: Row, base: Base, context: Context) => Question;

function variant(row: Row, base: Base, isMultiple: boolean, context: Context): Question {
  const { tools } = context;
  const options = row.cells('option');
  const feedback = row.cells('feedback');
  const named = row.rightBy === 'text' ? placeOfText(row.cell('right'), options) : -1;
  const right =
    row.rightBy === 'place'
      ? Array.from({ length: row.rightCount }, (_, place) => place)
      : named >= 0
        ? [named]
        : rightPlaces(row.cell('right'), options, context);
  return {
    ...base,
    kind: 'variant',
    // «Multiple choice» of other systems may have several right ones.
    multiple: isMultiple || (!context.hasOwnRight && right.length > 1),
    // There the first option is always right.
    shuffle: yesNo(row.cell('shuffle'), row.rightBy === 'place'),
    scoring: /ничего|nothing/i.test(row.cell('scoring')) ? 'allOrNothing' : 'partial',
    options: options.flatMap((text, place) =>
      text === ''
        ? []
        : {
            optionId: tools.newId(),
            text,
            isRight: right.includes(place),
            ...feedbackOf(feedback[place]),
          },
    ),
  };
}

function shareOf(cell: string | undefined): number {
  if (cell === undefined || cell === '') return 1;
  const percent = numberOf(cell.replace('%', ''));
  if (percent === null || percent < 0 || percent > 100) {
    throw new RowProblem(`Доля ответа — «${cell.slice(0, 40)}», а нужно число от 0 до 100`);
  }
  return Math.round(percent * 1e6) / 1e8;
}

function open(
  row: Row,
  base: Base,
  input: 'line' | 'number' | 'text',
  { losses, hasOwnRight }: Context,
): Question {
  // The letter of an option that the row does not have.
  const right = row.cell('right');
  const isLetter = /^[a-fа-е]$/i.test(right);
  if (
    !hasOwnRight &&
    isLetter &&
    alphabetOf(right).indexOf(right.toLowerCase()) < row.cells('option').length
  )
    losses.push(`Ответ «${right}» похож на букву варианта, а вариантов в строке нет: проверьте`);
  const inOptions = row
    .cells('option')
    .flatMap((text, place) => (text === '' ? [] : { text, place }));
  const inRight = row
    .cell('right')
    .split('|')
    .flatMap((part, place) => {
      const text = part.trim();
      return text === '' ? [] : { text, place };
    });
  const feedback = row.cells('feedback');
  const shares = listOf(row.cell('shares'));
  const tolerances = listOf(row.cell('tolerances'));
  return {
    ...base,
    kind: 'open',
    input,
    accepted: (inOptions.length > 0 ? inOptions : inRight).map(({ text, place }, index) => ({
      text,
      share: shareOf(shares[index]),
      ...((tolerances[index] ?? '') === ''
        ? {}
        : { tolerance: toleranceOf(tolerances[index] ?? '') }),
      ...feedbackOf(feedback[place]),
    })),
    tolerance: toleranceOf(row.cell('tolerance')),
  };
}

function compliance(row: Row, base: Base, { tools }: Context): Question {
  const leftTexts = row.cells('option');
  const sides = row.cells('pair').map((right, place) => ({ left: leftTexts[place] ?? '', right }));
  const rightIds = new Map<string, string>();
  for (const { right } of sides) {
    if (right !== '' && !rightIds.has(right)) rightIds.set(right, tools.newId());
  }
  const right = [...rightIds].map(([text, rightId]) => ({ rightId, text }));
  const left = leftTexts.flatMap((text, place) =>
    text === '' ? [] : { leftId: tools.newId(), text, right: sides[place]?.right ?? '' },
  );
  const order = listOf(row.cell('order'), ';,').map((place) => Number(place) - 1);
  const ordered = order.flatMap((place) => right[place] ?? []);
  const isWhole = ordered.length === right.length && new Set(order).size === right.length;
  if (left.length === 0) throw new RowProblem('Для соответствия нужны столбцы «Вариант» и «Пара»');
  return {
    ...base,
    kind: 'compliance',
    shuffle: yesNo(row.cell('shuffle'), true),
    left: left.map(({ leftId, text }) => ({ leftId, text })),
    right: isWhole ? ordered : right,
    pairs: left.flatMap(({ leftId, right: text }) => {
      const rightId = rightIds.get(text);
      return rightId === undefined ? [] : { leftId, rightId };
    }),
  };
}

/** The options in the order of their columns. */
function ordering(row: Row, base: Base, { tools, losses }: Context): Question {
  if (row.cell('right') !== '')
    losses.push('Верный порядок – порядок столбцов «Вариант»; столбец верных не прочитан');
  const texts = row.cells('option').filter((text) => text !== '');
  return {
    ...base,
    kind: 'ordering',
    items: texts.map((text) => ({ itemId: tools.newId(), text })),
  };
}

const UNITS: Readonly<Record<string, number>> = { Б: 1, КБ: 1024, МБ: 1024 * 1024 };
const MAX_BYTES = 10 * 1024 * 1024;

function file(row: Row, base: Base, { losses }: Context): Question {
  const size = row.cell('fileSize');
  const [, number = '10', unit = 'МБ'] = /^([\d.,]{1,20})\s*(Б|КБ|МБ)?$/i.exec(size) ?? [];
  const bytes = Math.round((numberOf(number) ?? 10) * (UNITS[unit.toUpperCase()] ?? 1));
  return {
    ...base,
    kind: 'file',
    maxBytes: Math.min(MAX_BYTES, Math.max(1, bytes)),
    accept: listOf(row.cell('fileTypes'), ';,'),
    ...maxFilesIn(row.cell('maxFiles'), losses),
  };
}

function difficultyOf(cell: string): Pick<Question, 'difficulty'> {
  const word = cell.toLowerCase().replaceAll('ё', 'е');
  if (/^(?:легк|прост|easy)/.test(word)) return { difficulty: 'easy' };
  if (/^(?:средн|medium)/.test(word)) return { difficulty: 'medium' };
  return /^(?:сложн|трудн|hard)/.test(word) ? { difficulty: 'hard' } : {};
}

const READERS: Readonly<Record<TableKind, ReadRow>> = {
  single: (row, base, context) => variant(row, base, false, context),
  multiple: (row, base, context) => variant(row, base, true, context),
  line: (row, base, context) => open(row, base, 'line', context),
  number: (row, base, context) => open(row, base, 'number', context),
  text: (row, base, context) => open(row, base, 'text', context),
  matching: compliance,
  ordering,
  file,
};

/** Whether the numbers of right options begin with 0: one of them is 0, and none equals the number of options. */
export function countsFromZero(
  columns: TableColumns,
  rows: readonly (readonly string[])[],
): boolean {
  let hasZero = false;
  for (const values of rows) {
    const row = rowOf(columns, values);
    const options = row.cells('option').filter((text) => text !== '');
    if (options.length < 2) continue;
    const tokens = rightTokens(row.cell('right'));
    // A number may be an option's text.
    if (tokens.some((token) => options.includes(token))) continue;
    const numbers = tokens.flatMap((token) => NUMBER.exec(token)?.[1] ?? []).map(Number);
    if (numbers.some((number) => number >= options.length)) return false;
    hasZero ||= numbers.includes(0);
  }
  return hasZero;
}

/** Tables of other systems contain plain texts without markup. Typed answers stay unchanged. */
function withPlainTexts(question: Question): Question {
  const text = textToMarkdown(question.text, false);
  const inline: Inline = (part) => ({
    ...part,
    text: textToMarkdown(part.text, true),
    ...(part.feedback === undefined ? {} : { feedback: textToMarkdown(part.feedback, false) }),
  });
  const plain = { ...question, text };
  return entryOf(PLAIN_PARTS, plain)?.(plain, inline) ?? plain;
}

type Inline = <P extends { text: string; feedback?: string | undefined }>(part: P) => P;

/** The kinds with parts in Markdown. */
const PLAIN_PARTS: KindTable<Question, [inline: Inline]> = {
  variant: (question, inline) => ({ ...question, options: question.options.map(inline) }),
  compliance: (question, inline) => ({
    ...question,
    left: question.left.map(inline),
    right: question.right.map(inline),
  }),
  ordering: (question, inline) => ({ ...question, items: question.items.map(inline) }),
};

/**
 * Reads a row as a question. Parts that it cannot express are added to `losses`.
 * @throws {RowProblem} it is not one
 */
export function questionOfRow(
  columns: TableColumns,
  values: readonly string[],
  given: RowContext,
): Question {
  const { tools, losses } = given;
  const context = { ...given, letters: columns.letters, hasOwnRight: columns.hasOwnRight };
  const row = rowOf(
    columns,
    values.map((value) => (columns.hasOwnRight ? importedText(value, losses) : value)),
  );
  const word = row.cell('kind');
  const named = word === '' ? null : kindOf(word);
  if (word !== '' && named === null) {
    if (columns.hasOwnRight)
      throw new RowProblem(`Вид «${word.slice(0, 40)}» неизвестен. Бывает: ${KIND_LABELS}`);
    losses.push(`Вид «${word.slice(0, 40)}» здесь неизвестен: он определён по ответам`);
  }
  const kind = named ?? deducedKind(row);
  const base = {
    questionId: tools.newId(),
    text: row.cell('text'),
    points: pointsOf(row.cell('points')),
  };
  if (base.text === '') throw new RowProblem('Нет текста вопроса');
  const difficulty = difficultyOf(row.cell('difficulty'));
  if (row.cell('difficulty') !== '' && difficulty.difficulty === undefined) {
    losses.push(
      `Сложность «${row.cell('difficulty').slice(0, 40)}» неизвестна: бывает легкая, средняя, сложная`,
    );
  }
  const question = READERS[kind](row, base, context);
  return {
    ...(columns.hasOwnRight ? question : withPlainTexts(question)),
    ...difficulty,
    explanation: columns.hasOwnRight
      ? row.cell('explanation')
      : textToMarkdown(row.cell('explanation'), false),
    transcript: columns.hasOwnRight
      ? row.cell('transcript')
      : textToMarkdown(row.cell('transcript'), false),
    ...(yesNo(row.cell('transcriptShown'), false) ? { transcriptShown: true } : {}),
    title: row.cell('title'),
    topic: row.cell('topic'),
    tags: listOf(row.cell('tags'), ';,'),
  };
}
