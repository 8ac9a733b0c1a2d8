import { typedText, type CsvRow } from '#domain/csv.ts';

export const IMPORT_FIELDS = ['userName', 'email', 'role', 'password'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** How people read the fields. */
export const FIELD_WORDS: Readonly<Record<ImportField, string>> = {
  userName: 'Имя',
  email: 'Почта',
  role: 'Роль',
  password: 'Пароль',
};

/** In which column of the file a field stands, from 0; null: in none. */
export type Columns = Readonly<Record<ImportField, number | null>>;

const NAMES: Readonly<Record<ImportField, readonly string[]>> = {
  userName: [
    'имя',
    'фио',
    'фамилия и имя',
    'фамилия имя',
    'фамилия имя отчество',
    'ученик',
    'логин',
    'name',
    'username',
    'fullname',
  ],
  email: ['почта', 'электронная почта', 'эл почта', 'адрес почты', 'email', 'mail'],
  role: ['роль', 'должность', 'role'],
  password: ['пароль', 'password'],
};

/** «E-mail» and «эл. почта» lose what tells them apart from «email» and «эл почта». */
const plain = (head: string) =>
  typedText(head)
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[-_.]/g, (sign) => (sign === '.' ? ' ' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();

const NONE: Columns = { userName: null, email: null, role: null, password: null };

/** Which columns the first row names; of two with one name the first counts. */
export function namedColumns(head: CsvRow | undefined): Columns {
  const heads = head?.cells.map(plain) ?? [];
  const found = IMPORT_FIELDS.map((field) => {
    const at = heads.findIndex((one) => NAMES[field].includes(one));
    return [field, at < 0 ? null : at] as const;
  });
  return { ...NONE, ...Object.fromEntries(found) };
}

/** Name and e-mail are needed; the others may be absent. */
export const areEnough = ({ userName, email }: Columns): boolean =>
  userName !== null && email !== null;

/** Whether the first row names columns, rather than being the first person. */
export const isHead = (columns: Columns): boolean =>
  IMPORT_FIELDS.some((field) => columns[field] !== null);

/** What is missing among the named columns, for a person; null: nothing. */
export function missingWords(columns: Columns): string | null {
  const missing = (['userName', 'email'] as const).filter((field) => columns[field] === null);
  if (missing.length === 0) return null;
  const words = missing.map((field) => `«${FIELD_WORDS[field]}»`).join(' и ');
  return missing.length === 1 ? `Не найден столбец ${words}` : `Не найдены столбцы ${words}`;
}
