import * as v from 'valibot';
import { Email, SignedIn, SignInHeaders } from './auth.ts';
import { nameOf } from './primitives.ts';
import { route } from './route.ts';

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
