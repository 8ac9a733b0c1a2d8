import * as v from 'valibot';
import { Email } from '#contract/auth.ts';
import { NewPassword, UserName } from '#contract/registration.ts';
import type { ImportRow } from '#contract/admin.ts';
import type { CsvRow } from '#domain/csv.ts';
import { formatFullName, readField, type PeopleColumns } from '#domain/people-columns.ts';
import { roleOfWord } from '#domain/role-labels.ts';

/** A row of the file with its errors found on the client. */
export interface CheckedRow {
  readonly row: ImportRow;
  /** Russian messages; empty: none. */
  readonly problems: readonly string[];
}

/** Maximum cell lengths of the API; longer cells are errors and are not sent. */
const LONGEST = 500;
const LONGEST_WORD = 100;

/** Rows of people from the file; cells of absent columns are empty. */
export const importRows = (rows: readonly CsvRow[], columns: PeopleColumns): ImportRow[] =>
  rows.map(({ line, cells }) => ({
    line,
    userName: formatFullName(cells, columns),
    email: readField(cells, columns, 'email'),
    role: readField(cells, columns, 'role'),
    password: readField(cells, columns, 'password'),
    className: readField(cells, columns, 'className').replaceAll(/\s+/g, ' '),
  }));

const problemOf = (
  schema: v.GenericSchema<string, string>,
  value: string,
  absent: string,
): string | null => {
  if (value === '') return absent === '' ? null : absent;
  const parsed = v.safeParse(schema, value);
  return parsed.success ? null : parsed.issues[0].message;
};

function ownProblems({ userName, email, role, password, className = '' }: ImportRow): string[] {
  const isLong = [userName, email, password].some(({ length }) => length > LONGEST);
  if (isLong || role.length > LONGEST_WORD || className.length > LONGEST_WORD)
    return ['Слишком длинная ячейка'];
  return [
    problemOf(UserName, userName, 'Нет имени'),
    problemOf(Email, email, 'Нет почты'),
    roleOfWord(role) === null
      ? `Неизвестная роль «${role}». Бывает: студент, преподаватель, администратор`
      : null,
    problemOf(NewPassword, password, ''),
  ].filter((problem) => problem !== null);
}

/** Validates rows on the client: names, e-mails and duplicates, roles, passwords. */
export function judgeRows(rows: readonly ImportRow[]): CheckedRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const problems = ownProblems(row);
    const email = row.email.toLowerCase();
    const before = seen.get(email);
    if (email !== '' && before === undefined) seen.set(email, row.line);
    if (before !== undefined) problems.push(`Такая почта уже есть в строке ${before}`);
    return { row, problems };
  });
}
