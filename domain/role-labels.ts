import { ROLE, type RoleNumber } from '#contract/auth.ts';
import { withoutUnseen } from '#contract/primitives.ts';

/** The one source of words for roles in lists of people, besides the empty cell and the number on the wire. */
const ROLE_WORDS: readonly (readonly [RoleNumber, readonly string[]])[] = [
  [
    ROLE.student,
    [
      'студент',
      'студентка',
      'ученик',
      'ученица',
      'учащийся',
      'учащаяся',
      'обучающийся',
      'обучающаяся',
      'школьник',
      'школьница',
      'student',
      'pupil',
      'learner',
    ],
  ],
  [
    ROLE.teacher,
    [
      'преподаватель',
      'преподавательница',
      'учитель',
      'учительница',
      'педагог',
      'классный руководитель',
      'teacher',
      'instructor',
      'lecturer',
    ],
  ],
  [ROLE.admin, ['администратор', 'админ', 'administrator', 'admin']],
];

const ROLES: ReadonlyMap<string, RoleNumber> = new Map([
  ['', ROLE.student],
  ...ROLE_WORDS.flatMap(([role, words]) =>
    [String(role), ...words].map((word) => [word, role] as const),
  ),
]);

/** The role that a table's cell names, in Russian, English or as its number; empty: student; null: invalid. */
export function roleOfWord(text: string): RoleNumber | null {
  return ROLES.get(withoutUnseen(text).toLowerCase()) ?? null;
}
