import * as v from 'valibot';
import { Id, IsoTime } from './primitives.ts';
import { route } from './route.ts';

/** STUDENT=0, ADMIN=1, TEACHER=2 (specification, section 3). */
export const ROLE = { student: 0, admin: 1, teacher: 2 } as const;
export const RoleNumber = v.picklist([0, 1, 2]);
export type RoleNumber = v.InferOutput<typeof RoleNumber>;

export const Email = v.pipe(
  v.string('Пожалуйста, введите почту'),
  v.trim(),
  v.nonEmpty('Пожалуйста, введите почту'),
  v.maxLength(254, 'Почта слишком длинная'),
  v.email('Неверный формат электронной почты'),
);

/** Form and body of the login screen. */
export const LoginBody = v.strictObject({
  email: Email,
  password: v.pipe(
    v.string('Пожалуйста, введите пароль'),
    v.nonEmpty('Пожалуйста, введите пароль'),
    v.maxLength(200, 'Пароль слишком длинный'),
  ),
});

export const User = v.object({
  userId: Id,
  userName: v.string(),
  email: v.string(),
  role: RoleNumber,
  isAdmin: v.boolean(),
});
export type User = v.InferOutput<typeof User>;

/**
 * 256 bits in base64url: the key that encrypts this person's rows on a device while they are not signed in
 * there. Absent until a required second factor is set up.
 */
const DeviceKey = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
/** True: an administrator requires a second factor of the role, and the person has none yet. */
const mustSetUpFactor = v.optional(v.boolean());

export const SignedIn = v.object({
  token: v.string(),
  expiresAt: IsoTime,
  user: User,
  deviceKey: v.optional(DeviceKey),
  mustSetUpFactor,
});
export type SignedIn = v.InferOutput<typeof SignedIn>;

/** The owner sees a sign-in by its browser and system. */
export const SignInHeaders = v.object({ 'user-agent': v.optional(v.string()) });

export const login = route({
  name: 'login',
  summary: 'Sign in',
  method: 'POST',
  path: '/api/auth/login',
  access: 'anyone',
  ownership: 'none',
  headers: SignInHeaders,
  body: LoginBody,
  reply: SignedIn,
  errors: ['BAD_CREDENTIALS', 'ACCOUNT_BLOCKED', 'TOO_MANY_LOGINS', 'SECOND_FACTOR_REQUIRED'],
});

export const logout = route({
  name: 'logout',
  summary: 'Revoke the token of this session',
  method: 'POST',
  path: '/api/auth/logout',
  access: 'signedIn',
  ownership: 'none',
  beforeSetup: true,
  bodyType: 'none',
  reply: v.object({}),
});

export const currentUser = route({
  name: 'currentUser',
  summary: 'Whose token this is, and until when it holds',
  method: 'GET',
  path: '/api/user/me',
  access: 'signedIn',
  ownership: 'none',
  beforeSetup: true,
  reply: v.object({
    user: User,
    expiresAt: IsoTime,
    deviceKey: v.optional(DeviceKey),
    mustSetUpFactor,
  }),
});
