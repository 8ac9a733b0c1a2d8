import { unescapeFormula, type CsvRow } from '#domain/csv.ts';

export const IMPORT_FIELDS = ['userName', 'email', 'role', 'password'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** Labels of the fields. */
export const FIELD_LABELS: Readonly<Record<ImportField, string>> = {
  userName: 'Имя',
  email: 'Почта',
  role: 'Роль',
  password: 'Пароль',
};

/** Column index of each field, from 0; null: none. */
export type ColumnMapping = Readonly<Record<ImportField, number | null>>;

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

/** Normalises names: «E-mail» equals «email», «эл. почта» equals «эл почта». */
const plain = (head: string) =>
  unescapeFormula(head)
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[-_.]/g, (sign) => (sign === '.' ? ' ' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();

const NONE: ColumnMapping = { userName: null, email: null, role: null, password: null };

/** Maps columns by the first row; of duplicate names the first is used. */
export function namedColumns(head: CsvRow | undefined): ColumnMapping {
  const heads = head?.cells.map(plain) ?? [];
  const found = IMPORT_FIELDS.map((field) => {
    const at = heads.findIndex((one) => NAMES[field].includes(one));
    return [field, at < 0 ? null : at] as const;
  });
  return { ...NONE, ...Object.fromEntries(found) };
}

/** Name and e-mail are required; the others are optional. */
export const areEnough = ({ userName, email }: ColumnMapping): boolean =>
  userName !== null && email !== null;

/** Whether the first row is a header rather than a person. */
export const isHead = (columns: ColumnMapping): boolean =>
  IMPORT_FIELDS.some((field) => columns[field] !== null);

/** Message about missing columns; null: none missing. */
export function missingColumnsMessage(columns: ColumnMapping): string | null {
  const missing = (['userName', 'email'] as const).filter((field) => columns[field] === null);
  if (missing.length === 0) return null;
  const words = missing.map((field) => `«${FIELD_LABELS[field]}»`).join(' и ');
  return missing.length === 1 ? `Не найден столбец ${words}` : `Не найдены столбцы ${words}`;
}
