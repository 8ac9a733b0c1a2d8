import * as v from 'valibot';
import { Id, IsoTime, listOf, nameOf } from './primitives.ts';
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

export const NewPassword = v.pipe(
  v.string('Пожалуйста, введите пароль'),
  v.nonEmpty('Пожалуйста, введите пароль'),
  v.maxLength(200, 'Пароль слишком длинный'),
  v.minLength(6, 'Пароль должен быть не менее 6 символов'),
  v.regex(/[A-Z]/, 'Пароль должен содержать хотя бы одну заглавную букву'),
  v.regex(/\d/, 'Пароль должен содержать хотя бы одну цифру'),
);

export const UserName = nameOf({
  missing: 'Пожалуйста, введите логин',
  most: 100,
  tooLong: 'Логин слишком длинный',
});

/** Form of the registration screen. */
export const RegisterForm = v.strictObject({
  userName: UserName,
  email: Email,
  password: NewPassword,
});

const RegisterBody = v.strictObject({
  ...RegisterForm.entries,
  /** Code of a class; required if registration is by code. */
  joinCode: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(20, 'Код слишком длинный'))),
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
 * there.
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

export const register = route({
  name: 'register',
  summary: 'Make an account and sign in',
  method: 'POST',
  path: '/api/auth/register',
  access: 'anyone',
  ownership: 'none',
  headers: SignInHeaders,
  body: RegisterBody,
  reply: SignedIn,
  errors: [
    'EMAIL_TAKEN',
    'REGISTRATION_CLOSED',
    'TOO_MANY_LOGINS',
    'WRONG_JOIN_CODE',
    'GROUP_FULL',
  ],
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

export const listUsers = route({
  name: 'listUsers',
  summary: 'Ids and names of users',
  method: 'GET',
  path: '/api/user/users',
  access: 'teacher',
  ownership: 'none',
  reply: listOf(
    v.object({
      userId: Id,
      userName: v.string(),
      role: RoleNumber,
      /** Only for namesakes: the names of their classes, and the sign-in name, to distinguish them. */
      classes: v.optional(v.array(v.string())),
      email: v.optional(v.string()),
    }),
  ),
});
