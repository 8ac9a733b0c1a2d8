import { ROLE, type RoleNumber } from '#contract/auth.ts';

const WORDS: ReadonlyMap<string, RoleNumber> = new Map([
  ...['', 'студент', 'студентка', 'ученик', 'ученица', 'учащийся', 'student', 'pupil', '0'].map(
    (word) => [word, ROLE.student] as const,
  ),
  ...['преподаватель', 'учитель', 'учительница', 'педагог', 'teacher', '2'].map(
    (word) => [word, ROLE.teacher] as const,
  ),
  ...['администратор', 'админ', 'administrator', 'admin', '1'].map(
    (word) => [word, ROLE.admin] as const,
  ),
]);

/** The role that a table's cell names, in Russian, English or as its number; empty: student; null: invalid. */
export function roleOfWord(text: string): RoleNumber | null {
  return WORDS.get(text.trim().toLowerCase()) ?? null;
}
