import * as v from 'valibot';
import type { ImportResult, ImportRow } from '#contract/admin.ts';
import { Email, ROLE, type RoleNumber } from '#contract/auth.ts';
import { NewPassword, UserName } from '#contract/registration.ts';
import { GroupName } from '#contract/groups.ts';
import { withoutUnseen } from '#contract/primitives.ts';
import { COMMON_PASSWORD, isCommonPasswordOf } from '#server/auth/common-passwords.ts';
import { roleOfWord } from '#domain/role-labels.ts';

/** A row from which an account can be created. */
export interface GoodRow {
  readonly line: number;
  readonly userName: string;
  /** In lower case. */
  readonly email: string;
  readonly role: RoleNumber;
  /** Null: one is generated. */
  readonly password: string | null;
  /** The class that a student joins; null: none. */
  readonly className: string | null;
}

type Problems = ImportResult['problems'];

export interface JudgedRow {
  readonly line: number;
  readonly problems: Problems;
  /** Null: there are problems. */
  readonly good: GoodRow | null;
}

/** The value and its problem. */
function read<S extends v.GenericSchema>(
  field: string,
  schema: S,
  value: unknown,
): { value: v.InferOutput<S> | null; problems: Problems } {
  const result = v.safeParse(schema, value);
  if (result.success) return { value: result.output, problems: [] };
  return { value: null, problems: [{ field, message: result.issues[0].message }] };
}

const UNKNOWN_ROLE = 'Роль не распознана: студент, преподаватель или администратор';
const COMMON = { field: 'password', message: COMMON_PASSWORD };

/** Only students join classes: the class of anybody else is ignored. */
const readClass = (name: string, role: RoleNumber | null) =>
  withoutUnseen(name) === '' || role !== ROLE.student
    ? { value: null, problems: [] }
    : read('className', GroupName, name);

function judgeRow(row: ImportRow): JudgedRow {
  const name = read('userName', UserName, row.userName);
  const email = read('email', Email, withoutUnseen(row.email));
  const role = roleOfWord(row.role);
  const className = readClass(row.className ?? '', role);
  const password =
    row.password === ''
      ? { value: null, problems: [] }
      : read('password', NewPassword, row.password);
  const isCommon =
    password.value !== null && isCommonPasswordOf([row.userName, row.email], password.value);
  const problems = [
    ...name.problems,
    ...email.problems,
    ...(role === null ? [{ field: 'role', message: UNKNOWN_ROLE }] : []),
    ...password.problems,
    ...className.problems,
    ...(isCommon ? [COMMON] : []),
  ];
  if (problems.length > 0 || name.value === null || email.value === null || role === null)
    return { line: row.line, problems, good: null };
  const good = {
    line: row.line,
    userName: name.value,
    email: email.value.toLowerCase(),
    role,
    password: password.value,
    className: className.value,
  };
  return { line: row.line, problems, good };
}

/** Validates each row of a batch, and detects duplicate e-mails. */
export function judgeRows(rows: readonly ImportRow[]): JudgedRow[] {
  const lines = new Map<string, number>();
  return rows.map((row) => {
    const judged = judgeRow(row);
    if (!judged.good) return judged;
    const first = lines.get(judged.good.email);
    if (first === undefined) {
      lines.set(judged.good.email, row.line);
      return judged;
    }
    const message = `Эта почта уже есть в строке ${first}`;
    return { line: row.line, problems: [{ field: 'email', message }], good: null };
  });
}
