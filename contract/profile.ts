import * as v from 'valibot';
import { User } from './auth.ts';
import { NewPassword, UserName } from './registration.ts';
import { Id, IsoTime, listOf } from './primitives.ts';
import { route } from './route.ts';

const ofOneself = { access: 'signedIn', ownership: 'none' } as const;

const CurrentPassword = v.pipe(
  v.string('Введите нынешний пароль'),
  v.nonEmpty('Введите нынешний пароль'),
  v.maxLength(200, 'Пароль слишком длинный'),
);

/** Form and body of «Имя». */
export const ProfileBody = v.strictObject({ userName: UserName });

/** Not while an attempt of the caller runs: the supervisor identifies students by name. */
export const updateProfile = route({
  name: 'updateProfile',
  summary: 'Change the own name',
  method: 'PUT',
  path: '/api/user/me',
  ...ofOneself,
  body: ProfileBody,
  reply: User,
  errors: ['ATTEMPT_RUNNING'],
});

/** Form and body of «Пароль». */
export const PasswordBody = v.strictObject({
  currentPassword: CurrentPassword,
  newPassword: NewPassword,
});

/** Ends every other sign-in of the account; the caller's own stays valid. */
export const changePassword = route({
  name: 'changePassword',
  summary: 'Change the own password',
  method: 'PUT',
  path: '/api/user/me/password',
  ...ofOneself,
  body: PasswordBody,
  reply: v.object({ endedSessions: v.number() }),
  errors: ['WRONG_PASSWORD', 'TOO_MANY_LOGINS'],
});

/** A sign-in on one device. */
export const OwnSession = v.object({
  id: Id,
  createdAt: IsoTime,
  lastUsedAt: IsoTime,
  expiresAt: IsoTime,
  isCurrent: v.boolean(),
  /** «Chrome, Android»; null: unknown. */
  device: v.nullable(v.string()),
});
export type OwnSession = v.InferOutput<typeof OwnSession>;

export const listSessions = route({
  name: 'listSessions',
  summary: 'Own sign-ins that hold, the current one first',
  method: 'GET',
  path: '/api/user/me/sessions',
  ...ofOneself,
  reply: listOf(OwnSession),
});

export const endSession = route({
  name: 'endSession',
  summary: 'End one own sign-in',
  method: 'DELETE',
  path: '/api/user/me/sessions/{sessionId}',
  access: 'signedIn',
  ownership: 'ownSession',
  params: v.object({ sessionId: Id }),
  bodyType: 'none',
  reply: v.object({}),
  errors: ['NOT_FOUND'],
});

export const endOtherSessions = route({
  name: 'endOtherSessions',
  summary: 'End all own sign-ins but this one',
  method: 'DELETE',
  path: '/api/user/me/sessions',
  ...ofOneself,
  bodyType: 'none',
  reply: v.object({ endedSessions: v.number() }),
});

/** Everything stored about the caller, as a ZIP; for the law on personal data. */
export const exportOwnData = route({
  name: 'exportOwnData',
  summary: 'Everything kept of the caller: a ZIP with JSON and files',
  method: 'GET',
  path: '/api/user/me/data',
  ...ofOneself,
  replyType: 'bytes',
  reply: v.object({}),
});

/** The caller's own erasure, confirmed by the password; its extent is documented at `eraseUser`. */
export const eraseOwnAccount = route({
  name: 'eraseOwnAccount',
  summary: 'Erase the own account with its data',
  method: 'POST',
  path: '/api/user/me/erase',
  ...ofOneself,
  body: v.strictObject({ password: CurrentPassword }),
  reply: v.object({}),
  errors: ['WRONG_PASSWORD', 'TOO_MANY_LOGINS', 'LAST_ADMIN', 'CONFIRMATION_REQUIRED'],
});
