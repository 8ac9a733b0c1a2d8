import type { ImportResult } from '#contract/admin.ts';
import { formatNumber } from '#domain/format.ts';
import { roleLabel } from '#domain/labels.ts';
import { roleOfWord } from '#domain/role-words.ts';
import { FIELD_WORDS, IMPORT_FIELDS } from './columns.ts';
import type { JudgedRow } from './judge.ts';

/** `unknown`: not looked at by the server yet. */
export type RowState = 'unknown' | 'good' | 'made' | 'exists' | 'wrong';

/** What is known of a row: by this page, by the server's look at it, and by its making. */
export interface KnownRow extends JudgedRow {
  readonly state: RowState;
  /** Made by the server; null: the file named one, or nobody was made. */
  readonly password: string | null;
}

/** Results by the line of the file. */
export type Results = ReadonlyMap<number, ImportResult>;

const EXISTS = 'Учётная запись с такой почтой уже есть, она не изменится';

const stateOf = (problems: readonly string[], result: ImportResult | undefined): RowState => {
  if (problems.length > 0) return 'wrong';
  if (result === undefined) return 'unknown';
  return result.outcome;
};

/** The row with what the server has said of it. */
export function knownRow({ row, problems }: JudgedRow, checked: Results, made: Results): KnownRow {
  const result = made.get(row.line) ?? checked.get(row.line);
  const state = stateOf(problems, result);
  const isMade = state === 'good' && made.has(row.line);
  const told =
    state === 'exists' ? [EXISTS] : (result?.problems.map(({ message }) => message) ?? []);
  return {
    row,
    problems: problems.length > 0 ? problems : told,
    state: isMade ? 'made' : state,
    password: made.get(row.line)?.password ?? null,
  };
}

export interface Counts {
  readonly good: number;
  readonly made: number;
  readonly exists: number;
  readonly wrong: number;
}

export function countRows(rows: readonly KnownRow[]): Counts {
  const of = (state: RowState) => rows.filter((row) => row.state === state).length;
  return { good: of('good'), made: of('made'), exists: of('exists'), wrong: of('wrong') };
}

/** «4 987 создано, 13 с ошибками» */
export function countWords({ made, exists, wrong }: Counts): string {
  return [
    `${formatNumber(made)} создано`,
    ...(exists > 0 ? [`${formatNumber(exists)} уже было`] : []),
    ...(wrong > 0 ? [`${formatNumber(wrong)} с ошибками`] : []),
  ].join(', ');
}

const roleWord = (text: string): string => {
  const role = roleOfWord(text);
  return role === null ? text : roleLabel(role);
};

/** Those who were made, with what they sign in with: the rows of a table with its head. */
export const madeTable = (rows: readonly KnownRow[]): string[][] => [
  [FIELD_WORDS.userName, FIELD_WORDS.email, FIELD_WORDS.role, FIELD_WORDS.password],
  ...rows
    .filter(({ state }) => state === 'made')
    .map(({ row, password }) => [
      row.userName,
      row.email,
      roleWord(row.role),
      password ?? 'из вашего файла',
    ]),
];

/** Those who were not made, as they stood in the file, with the reason: to be mended and imported again. */
export const failedTable = (rows: readonly KnownRow[]): string[][] => [
  [...IMPORT_FIELDS.map((field) => FIELD_WORDS[field]), 'Что исправить'],
  ...rows
    .filter(({ state }) => state === 'wrong' || state === 'exists')
    .map(({ row, problems }) => [...IMPORT_FIELDS.map((field) => row[field]), problems.join('. ')]),
];

/** What a file should look like. */
export const TEMPLATE: readonly (readonly string[])[] = [
  [FIELD_WORDS.userName, FIELD_WORDS.email, FIELD_WORDS.role, FIELD_WORDS.password],
  ['Иванова Мария', 'maria.ivanova@example.ru', 'студент', ''],
  ['Петров Пётр Ильич', 'petr.petrov@example.ru', 'преподаватель', ''],
];
