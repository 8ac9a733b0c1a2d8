import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Email, RoleNumber } from './auth.ts';
import { NewPassword, UserName } from './registration.ts';
import { IMPORT_BATCH_ROWS } from './limits.ts';
import { Id, IsoTime, listOf } from './primitives.ts';
import { route } from './route.ts';
import { paging, SearchQuery } from './paging.ts';

/** An account as administrators see it. */
export const AdminUser = v.object({
  userId: Id,
  userName: v.string(),
  email: v.string(),
  role: RoleNumber,
  isBlocked: v.boolean(),
  createdAt: IsoTime,
  /** The last use of any of its sign-ins; null: never, or long ago. */
  lastSeenAt: v.nullable(IsoTime),
  /** The only administrator who is not blocked: cannot be demoted, blocked or erased. */
  isLastAdmin: v.boolean(),
  /** A passkey or an authenticator app is set up besides the password. */
  hasSecondFactor: v.boolean(),
  /** After too many wrong codes: codes of an app are refused until the stop is lifted. */
  areCodesStopped: v.optional(v.boolean()),
  /** Owns tests, classes, questions of a bank or templates, which can pass to a successor. */
  ownsTeaching: v.optional(v.boolean()),
  /** When the account was erased, if its tests and classes are still without a teacher. */
  erasedAt: v.optional(IsoTime),
});
export type AdminUser = v.InferOutput<typeof AdminUser>;

export const ADMIN_USER_ORDERS = ['name', 'new', 'seen'] as const;
export const AdminUserOrder = v.picklist(ADMIN_USER_ORDERS);
/** `erased`: erased accounts that still own tests, classes, a bank or templates; `all`: every other account. */
export const AdminUserState = v.picklist(['all', 'active', 'blocked', 'erased']);

const ofAdmin = { access: 'admin', ownership: 'none' } as const;
const byUser = v.object({ userId: Id });

/** `role` as a query word or number. */
const RoleFilter = v.pipe(v.picklist(['0', '1', '2']), v.transform(Number), RoleNumber);

export const listAdminUsers = route({
  name: 'listAdminUsers',
  summary: 'Accounts: search in names and e-mails, by role and state',
  method: 'GET',
  path: '/api/admin/users',
  ...ofAdmin,
  query: v.object({
    searchQuery: v.optional(SearchQuery, ''),
    role: v.optional(RoleFilter),
    state: v.optional(AdminUserState, 'all'),
    sortOrder: v.optional(AdminUserOrder, 'name'),
    ...paging,
  }),
  reply: listOf(AdminUser),
});

/** Form of the dialog «Новый пользователь». */
export const NewUserBody = v.strictObject({
  userName: UserName,
  email: Email,
  role: RoleNumber,
  /** Absent: one is generated and shown once. */
  password: v.optional(NewPassword),
});

/** `password` only where the server generated it: shown this once. */
const MadeUser = v.object({ user: AdminUser, password: v.nullable(v.string()) });

export const createUser = route({
  name: 'createUser',
  summary: 'Make an account',
  method: 'POST',
  path: '/api/admin/users',
  ...ofAdmin,
  body: NewUserBody,
  reply: MadeUser,
  errors: ['EMAIL_TAKEN', 'CONFIRMATION_REQUIRED'],
});

export const UserChanges = v.strictObject({
  userName: v.optional(UserName),
  email: v.optional(Email),
  role: v.optional(RoleNumber),
});

/** A new role applies from the next request on. */
export const updateUser = route({
  name: 'updateUser',
  summary: 'Change name, e-mail or role of an account',
  method: 'PUT',
  path: '/api/admin/users/{userId}',
  ...ofAdmin,
  params: byUser,
  body: UserChanges,
  reply: AdminUser,
  errors: ['NOT_FOUND', 'EMAIL_TAKEN', 'LAST_ADMIN', 'OWN_ACCOUNT', 'CONFIRMATION_REQUIRED'],
});

/** Applies from the next request on: 401 `ACCOUNT_BLOCKED`. Answers on devices are not deleted. */
export const setUserBlocked = route({
  name: 'setUserBlocked',
  summary: 'Block an account, or open it again',
  method: 'PUT',
  path: '/api/admin/users/{userId}/blocked',
  ...ofAdmin,
  confirmation: 'admin',
  params: byUser,
  body: v.strictObject({ isBlocked: v.boolean() }),
  reply: AdminUser,
  errors: ['NOT_FOUND', 'LAST_ADMIN', 'OWN_ACCOUNT', 'CONFIRMATION_REQUIRED'],
});

/** Ends every sign-in of the account. */
export const resetUserPassword = route({
  name: 'resetUserPassword',
  summary: 'Give an account a new password, shown once',
  method: 'POST',
  path: '/api/admin/users/{userId}/password',
  ...ofAdmin,
  confirmation: 'admin',
  params: byUser,
  bodyType: 'none',
  reply: v.object({ password: v.string() }),
  errors: ['NOT_FOUND', 'OWN_ACCOUNT', 'CONFIRMATION_REQUIRED'],
});

/** One line of an import, as read from the file; validated by the server row by row. */
export const ImportRow = v.strictObject({
  /** Number of the line in the file, from 1; identifies the row in the reply. */
  line: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
  userName: v.pipe(v.string(), v.maxLength(500)),
  email: v.pipe(v.string(), v.maxLength(500)),
  /** As written: a word or a number; empty: student. */
  role: v.pipe(v.string(), v.maxLength(100)),
  /** Empty: one is generated. */
  password: v.pipe(v.string(), v.maxLength(500)),
  /** The class that a student joins; created if missing. Empty or absent: none. */
  className: v.optional(v.pipe(v.string(), v.maxLength(100))),
});
export type ImportRow = v.InferOutput<typeof ImportRow>;

const ImportRows = v.pipe(
  boundedList(ImportRow, IMPORT_BATCH_ROWS, 'Слишком много строк за один раз'),
  v.minLength(1, 'Строк нет'),
);

/**
 * `good`: it can be, or was, created; `exists`: the e-mail is in use and nothing changes; `wrong`: `problems`
 * say why, by field.
 */
export const ImportResult = v.object({
  line: v.number(),
  outcome: v.picklist(['good', 'exists', 'wrong']),
  problems: v.array(v.object({ field: v.string(), message: v.string() })),
  userId: v.nullable(Id),
  /** A generated one, shown this once. */
  password: v.nullable(v.string()),
});
export type ImportResult = v.InferOutput<typeof ImportResult>;

/** Creates nothing. */
export const checkImport = route({
  name: 'checkImport',
  summary: 'Judge rows of an import without making anything',
  method: 'POST',
  path: '/api/admin/users/import/check',
  ...ofAdmin,
  body: v.strictObject({ rows: ImportRows }),
  reply: v.object({ results: v.array(ImportResult) }),
});

/** A repeat under the same key creates no duplicates and gets the same reply, passwords included for an hour. */
export const importUsers = route({
  name: 'importUsers',
  summary: 'Make accounts of the good rows of one batch',
  method: 'POST',
  path: '/api/admin/users/import',
  ...ofAdmin,
  body: v.strictObject({ key: Id, rows: ImportRows }),
  reply: v.object({ results: v.array(ImportResult) }),
  errors: ['OPERATION_REUSED', 'STORAGE_FULL', 'CONFIRMATION_REQUIRED'],
});

/** Everything stored about a person, as a ZIP; for the law on personal data. */
export const exportUserData = route({
  name: 'exportUserData',
  summary: 'Everything kept of an account: a ZIP with JSON and files',
  method: 'GET',
  path: '/api/admin/users/{userId}/data',
  ...ofAdmin,
  confirmation: 'admin',
  params: byUser,
  replyType: 'bytes',
  reply: v.object({}),
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
});

/** What a teacher owns for teaching. */
const teachingCounts = {
  tests: v.number(),
  groups: v.number(),
  bankEntries: v.number(),
  templates: v.number(),
} as const;
export const TeachingCounts = v.object(teachingCounts);
export type TeachingCounts = v.InferOutput<typeof TeachingCounts>;

export const Successor = v.object({
  userId: Id,
  userName: v.string(),
  email: v.string(),
  role: RoleNumber,
});
export type Successor = v.InferOutput<typeof Successor>;

export const getTeaching = route({
  name: 'getTeaching',
  summary: 'What an account owns for teaching, and who may take it over',
  method: 'GET',
  path: '/api/admin/users/{userId}/teaching',
  ...ofAdmin,
  params: byUser,
  reply: v.object({
    ...teachingCounts,
    /** Attempts in progress on the tests. */
    runningAttempts: v.number(),
    /** Teachers and administrators who are not blocked, by name. */
    successors: v.array(Successor),
  }),
  errors: ['NOT_FOUND'],
});

/**
 * Passes tests with their attempts and grading, classes, bank and templates to a successor, or archives them. Works for
 * an erased account, too. A repeat passes the rest, which is nothing.
 */
export const handOverTeaching = route({
  name: 'handOverTeaching',
  summary:
    'Pass the tests, classes, bank and templates of an account to a successor, or archive them',
  method: 'POST',
  path: '/api/admin/users/{userId}/teaching',
  ...ofAdmin,
  confirmation: 'admin',
  params: byUser,
  body: v.strictObject({
    /** Null: tests are archived, classes closed for joining. */
    successorId: v.nullable(Id),
  }),
  /** What passed, or was archived, now. */
  reply: TeachingCounts,
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
});

/**
 * Erases a person: account, sign-ins, attempts, answers, files and projects. Data that others depend on (a teacher's
 * tests with the results of students) stay without a name, unless all of the teacher's property passes to a successor
 * or is archived whole.
 */
export const eraseUser = route({
  name: 'eraseUser',
  summary: 'Erase an account with its data',
  method: 'DELETE',
  path: '/api/admin/users/{userId}',
  ...ofAdmin,
  confirmation: 'admin',
  params: byUser,
  query: v.object({
    successorId: v.optional(Id),
    /** Without a successor: tests are archived, and the person's teaching property stays without a name. */
    archive: v.optional(v.literal('1')),
  }),
  bodyType: 'none',
  reply: v.object({}),
  errors: ['NOT_FOUND', 'LAST_ADMIN', 'OWN_ACCOUNT', 'CONFIRMATION_REQUIRED'],
});

export const AUDIT_ACTS = [
  'userCreated',
  'userChanged',
  'roleChanged',
  'userBlocked',
  'userUnblocked',
  'passwordReset',
  'usersImported',
  'userExported',
  'userErased',
  'teachingPassed',
  'teachingReceived',
  'teachingArchived',
  'factorAdded',
  'factorRemoved',
  'factorsRemoved',
  'factorStopLifted',
  'factorRequired',
  'factorOptional',
  'projectHidden',
  'projectShown',
  'projectChanged',
  'projectDeleted',
  'signedIn',
  'signInFailed',
  'signInLocked',
  'userRegistered',
  'passwordChanged',
  'testDeleted',
  'testArchived',
  'testRestored',
  'keyChanged',
  'keyCorrected',
  'attemptDeleted',
  'attemptRestored',
  'gradeChanged',
  'heldDecided',
  'startCodeShown',
  'startCodeRenewed',
  'startCodeMade',
  'startCodeRemoved',
  'beginDecided',
  'receiptKeyRotated',
  'timeAdded',
  'statisticsExported',
  'accessGiven',
  'accessTaken',
  'auditExported',
] as const;
export const AuditAct = v.picklist(AUDIT_ACTS);
export type AuditAct = v.InferOutput<typeof AuditAct>;

export const AuditSubjectKind = v.picklist(['user', 'project', 'test', 'attempt', 'group']);
export type AuditSubjectKind = v.InferOutput<typeof AuditSubjectKind>;

/** An act: its author, its kind, the person concerned and the time. */
export const AuditEntry = v.object({
  id: Id,
  at: IsoTime,
  /** Identical acts of an hour are one entry: their number, and the time of the last one. */
  times: v.number(),
  lastAt: IsoTime,
  /**
   * Null: the account was erased since, or `details.by` is `operator`, that is, a command on the server. A refused
   * sign-in has no known author.
   */
  actor: v.nullable(v.object({ userId: Id, userName: v.string() })),
  act: AuditAct,
  /**
   * Null: an act without one subject, such as an import. `name` is null for erased subjects; for an attempt it
   * is its test's.
   */
  subject: v.nullable(v.object({ kind: AuditSubjectKind, id: Id, name: v.nullable(v.string()) })),
  /** The person concerned: the subject itself, or the student of the attempt. */
  person: v.nullable(v.object({ userId: Id, userName: v.nullable(v.string()) })),
  /** The address of a sign-in; of IPv6 only the network. */
  address: v.nullable(v.string()),
  /** Details of the act: the old and the new role, rows of an import; no passwords, no names. */
  details: v.record(v.string(), v.union([v.string(), v.number()])),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

/** Filters acts. */
const auditFilter = {
  act: v.optional(AuditAct),
  actorId: v.optional(Id),
  /** By this person, or about this person. */
  personId: v.optional(Id),
  from: v.optional(IsoTime),
  /** Before this moment. */
  to: v.optional(IsoTime),
  searchQuery: v.optional(SearchQuery, ''),
};

export const listAudit = route({
  name: 'listAudit',
  summary: 'The log of acts, the newest first',
  method: 'GET',
  path: '/api/admin/audit',
  ...ofAdmin,
  query: v.object({ ...auditFilter, ...paging }),
  reply: listOf(AuditEntry),
});

/** The export is logged as an act itself. It ends after `AUDIT_EXPORT_ROWS` rows with a line that says so. */
export const exportAudit = route({
  name: 'exportAudit',
  summary: 'The log of acts as a CSV file',
  method: 'GET',
  path: '/api/admin/audit/export',
  ...ofAdmin,
  confirmation: 'admin',
  query: v.object(auditFilter),
  replyType: 'bytes',
  reply: v.object({}),
  errors: ['CONFIRMATION_REQUIRED'],
});
