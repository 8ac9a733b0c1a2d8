import type { RoleNumber } from '#contract/auth.ts';

export type { RoleNumber };

const UNKNOWN = 'Неизвестная';

const DIFFICULTIES: ReadonlyMap<string, string> = new Map([
  ['easy', 'Легкая'],
  ['medium', 'Средняя'],
  ['hard', 'Сложная'],
]);

/** «Легкая», «Средняя», «Сложная»; any other key is «Неизвестная». */
export function difficultyLabel(key: string): string {
  return DIFFICULTIES.get(key) ?? UNKNOWN;
}

const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['english', 'Английский язык'],
  ['math', 'Математика'],
  ['physics', 'Физика'],
  ['russian', 'Русский язык'],
  ['chemistry', 'Химия'],
  ['biology', 'Биология'],
  ['geography', 'География'],
  ['informatics', 'Информатика'],
  ['history', 'История'],
  ['literature', 'Литература'],
  ['astronomy', 'Астрономия'],
  ['ecology', 'Экология'],
  ['social_studies', 'Обществознание'],
  ['programming', 'Программирование'],
  ['art', 'Изобразительное искусство'],
  ['music', 'Музыка'],
  ['physical_education', 'Физическая культура'],
  ['philosophy', 'Философия'],
]);

/** Subject keys (`theme` on the wire) in the order of the specification. */
export const SUBJECT_KEYS: readonly string[] = [...SUBJECTS.keys()];

/** The Russian name of a subject; any other key is «Неизвестная». */
export function subjectLabel(key: string): string {
  return SUBJECTS.get(key) ?? UNKNOWN;
}

const ROLES: Readonly<Record<RoleNumber, string>> = {
  0: 'Студент',
  1: 'Администратор',
  2: 'Преподаватель',
};

export function roleLabel(role: RoleNumber): string {
  return ROLES[role];
}
