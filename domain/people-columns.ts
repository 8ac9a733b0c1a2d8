import { unescapeFormula } from './csv.ts';

/** The fields of each person in a list of people. */
export const PERSON_FIELDS = [
  'userName',
  'surname',
  'givenName',
  'patronymic',
  'email',
  'role',
  'className',
  'password',
  'number',
] as const;
export type PersonField = (typeof PERSON_FIELDS)[number];

/** Column index of each field, from 0; null: none. */
export type PeopleColumns = Readonly<Record<PersonField, number | null>>;

export const NO_COLUMNS: PeopleColumns = {
  userName: null,
  surname: null,
  givenName: null,
  patronymic: null,
  email: null,
  role: null,
  className: null,
  password: null,
  number: null,
};

export interface PeopleHeads {
  /** Index of the row with the heads. */
  readonly row: number;
  readonly columns: PeopleColumns;
}

/** Heads are among the first rows; rows above them are titles. */
const HEAD_ROWS = 10;

/** «E-mail» equals «email»; text in brackets is a remark. */
const simplify = (head: string) =>
  unescapeFormula(head)
    .replaceAll(/\([^()]*\)/g, ' ')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/\be-mail\b/g, 'email')
    .replaceAll(/[^\p{L}\p{N}#№]+/gu, ' ')
    .trim();

const NUMBER = /^(?:[#№n] ?(?:п п|пп)?|п п|номер(?: п п)?|no)$/;
const ANOTHER_PERSON = /родител|матер|отца|мамы|папы|законн|представител|опекун|руководител/;

const EXACT: ReadonlyMap<string, PersonField> = new Map([
  ...[
    'логин',
    'name',
    'user name',
    'username',
    'full name',
    'fullname',
    'student',
    'student name',
  ].map((head) => [head, 'userName'] as const),
  ...['last name', 'lastname', 'surname', 'family name'].map((head) => [head, 'surname'] as const),
  ...['first name', 'firstname', 'given name'].map((head) => [head, 'givenName'] as const),
  ...['middle name', 'middlename', 'patronymic'].map((head) => [head, 'patronymic'] as const),
  ...['email', 'mail', 'e mail', 'email address', 'электронный адрес'].map(
    (head) => [head, 'email'] as const,
  ),
  ...['роль', 'роль на сайте', 'должность', 'role'].map((head) => [head, 'role'] as const),
  ...['класс', 'группа', 'класс группа', 'учебный класс', 'учебная группа', 'название класса'].map(
    (head) => [head, 'className'] as const,
  ),
  ...['class', 'group', 'класс обучения'].map((head) => [head, 'className'] as const),
  ...['пароль', 'password', 'начальный пароль'].map((head) => [head, 'password'] as const),
]);

/** «Эл. почта», «Адрес электронной почты», «Email ученика»; not «Почтовый индекс». */
const EMAIL = /(?:^| )(?:почта|почты|email)(?: |$)/;
/** Words that only say that the column is about the person of the row. */
const PERSON =
  /^(?:учени(?:к|ка|ца|цы)|уча?щ(?:ийся|аяся|егося|ейся)|обучающ(?:ийся|аяся|егося|ейся)|студент(?:а|ка|ки)?|сотрудник(?:а)?|пользовател[ья]|педагог(?:а)?|учител[ья]|преподавател[ья]|ребенк?[ао]?к?|человек|полностью|и)$/;

/** The parts of a name in a head that names nothing else. */
function readNameHead(words: readonly string[]): PersonField | null {
  const text = words.join(' ');
  const isName = words.every(
    (word) => PERSON.test(word) || /^(?:фамили[яи]|имя|имени|отчеств[оа]|фио|ф|о)$/.test(word),
  );
  if (!isName || text === '' || text === 'и') return null;
  const hasSurname = /фамили/.test(text);
  const hasGiven = /(?:^| )им(?:я|ени)/.test(text);
  if (/(?:^| )ф(?:ио| и о)/.test(text) || (hasSurname && hasGiven)) return 'userName';
  if (hasSurname) return 'surname';
  if (hasGiven) return 'givenName';
  return /отчеств/.test(text) ? 'patronymic' : 'userName';
}

function fieldOf(head: string): PersonField | null {
  const name = simplify(head.slice(0, 100));
  if (name === '') return null;
  if (NUMBER.test(name)) return 'number';
  if (ANOTHER_PERSON.test(name)) return null;
  if (EMAIL.test(name)) return 'email';
  return EXACT.get(name) ?? readNameHead(name.split(' '));
}

/** Whether a cell contains a person's data: an address. */
const isOfPerson = (cell: string) => cell.includes('@');
const isAmbiguous = (cell: string) =>
  simplify(cell)
    .split(' ')
    .every((word) => PERSON.test(word));

/** The columns that a row names; the first of duplicate heads is used. Null: it is not a row of heads. */
function readHeads(cells: readonly string[]): PeopleColumns | null {
  if (cells.some(isOfPerson)) return null;
  const columns: Record<PersonField, number | null> = { ...NO_COLUMNS };
  let sure = 0;
  for (const [at, cell] of cells.entries()) {
    const field = fieldOf(cell);
    if (field === null || columns[field] !== null) continue;
    columns[field] = at;
    if (!isAmbiguous(cell)) sure += 1;
  }
  if (sure === 0) return null;
  // «Имя» is the whole name if no other column names a part.
  if (columns.givenName !== null && columns.surname === null && columns.userName === null) {
    columns.userName = columns.givenName;
    columns.givenName = null;
  }
  return columns;
}

const countFields = (columns: PeopleColumns) =>
  PERSON_FIELDS.filter((field) => columns[field] !== null).length;

/** Finds the heads among the first ten rows: the row that names most columns. Null: there are none. */
export function findPeopleHeads(rows: readonly (readonly string[])[]): PeopleHeads | null {
  let best: PeopleHeads | null = null;
  for (const [row, cells] of rows.slice(0, HEAD_ROWS).entries()) {
    const columns = readHeads(cells);
    if (columns && (!best || countFields(columns) > countFields(best.columns)))
      best = { row, columns };
  }
  return best;
}

const NAME_PARTS = ['surname', 'givenName', 'patronymic'] as const;

/** Whether some column has a name. */
export const hasName = (columns: PeopleColumns): boolean =>
  columns.userName !== null || columns.surname !== null || columns.givenName !== null;

/** The columns that contain the name. */
export const nameFields = ({ userName, surname }: PeopleColumns): readonly PersonField[] =>
  surname === null && userName !== null ? ['userName'] : NAME_PARTS;

/** Text of a cell of this field; empty: there is none. */
export const readField = (
  cells: readonly string[],
  columns: PeopleColumns,
  field: PersonField,
): string => {
  const at = columns[field];
  return at === null ? '' : unescapeFormula(cells[at] ?? '');
};

/** The whole name: surname, name, patronymic. */
export const formatFullName = (cells: readonly string[], columns: PeopleColumns): string =>
  nameFields(columns)
    .map((field) => readField(cells, columns, field))
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ');

/** Every unread column that is not empty, by its name for people. */
export function listUnread(
  rows: readonly (readonly string[])[],
  { row, columns }: PeopleHeads,
  fields: readonly PersonField[],
): string[] {
  const used = new Set(fields.map((field) => columns[field]));
  const heads = rows[row] ?? [];
  const width = Math.max(0, ...rows.slice(Math.max(0, row)).map((cells) => cells.length));
  return Array.from({ length: width }, (_, at) => at)
    .filter((at) => !used.has(at))
    .filter((at) => rows.slice(Math.max(0, row)).some((cells) => (cells[at] ?? '').trim() !== ''))
    .map((at) => {
      const head = (heads[at] ?? '').trim().slice(0, 40);
      if (head === '') return `столбец ${at + 1} без названия`;
      const isRepeated = heads.some((other, index) => index < at && other.trim() === head);
      return isRepeated ? `«${head}» (столбец ${at + 1})` : `«${head}»`;
    });
}

const HEAD_WORD =
  /^(?:дата|год|рождени[ея]|пол|телефон|адрес|снилс|номер|п|пп|№|#|класс|группа|почта|электронная|email|имя|фамилия|отчество|фио|ф|и|о|роль|пароль|логин)$/;

/** Whether a line consists of the heads of a table that lost its columns: «№ Фамилия, имя Дата рождения». */
export function isHeadText(line: string): boolean {
  const words = simplify(line).split(/ +/).filter(Boolean);
  return (
    words.length > 0 &&
    words.every((word) => HEAD_WORD.test(word) || PERSON.test(word)) &&
    words.some((word) => /^(?:имя|фамилия|фио|ученик|учащийся|обучающийся)$/.test(word))
  );
}
