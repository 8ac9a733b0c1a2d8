import {
  hasName,
  nameFields,
  type PeopleColumns,
  type PersonField,
} from '#domain/people-columns.ts';

/** Columns of the tables that the app itself writes. */
export const IMPORT_FIELDS = ['userName', 'email', 'role', 'className', 'password'] as const;

/** Fields that a file may have a column for, in the order offered. */
export const MAPPED_FIELDS = [
  'userName',
  'surname',
  'givenName',
  'patronymic',
  'email',
  'role',
  'className',
  'password',
] as const satisfies readonly PersonField[];
export type MappedField = (typeof MAPPED_FIELDS)[number];

/** Labels of the fields. */
export const FIELD_LABELS: Readonly<Record<MappedField, string>> = {
  userName: 'Имя',
  surname: 'Фамилия',
  givenName: 'Имя без фамилии',
  patronymic: 'Отчество',
  email: 'Почта',
  role: 'Роль',
  className: 'Класс',
  password: 'Пароль',
};

/** The columns that are read. */
export const readFields = (columns: PeopleColumns): readonly PersonField[] => [
  ...nameFields(columns),
  'email',
  'role',
  'className',
  'password',
];

/** Name and e-mail are required; the others are optional. */
export const areEnough = (columns: PeopleColumns): boolean =>
  hasName(columns) && columns.email !== null;

/** Message about missing columns; null: none missing. */
export function missingColumnsMessage(columns: PeopleColumns): string | null {
  const missing = [
    ...(hasName(columns) ? [] : [FIELD_LABELS.userName]),
    ...(columns.email === null ? [FIELD_LABELS.email] : []),
  ];
  if (missing.length === 0) return null;
  const words = missing.map((label) => `«${label}»`).join(' и ');
  return missing.length === 1 ? `Не найден столбец ${words}` : `Не найдены столбцы ${words}`;
}
