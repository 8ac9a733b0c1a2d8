import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { SignedIn, SignInHeaders } from './auth.ts';
import { Id, IsoTime, nameOf } from './primitives.ts';
import { route } from './route.ts';

/** Codes of an authenticator app: digits of one code. */
export const TOTP_DIGITS = 6;
export const PASSKEYS_PER_PERSON = 10;
const PASSKEY_NAME_CHARACTERS = 60;

/** How a person can prove their identity; `password` only without a second factor. */
export const FactorMethod = v.picklist(['passkey', 'totp', 'recovery', 'password']);
export type FactorMethod = v.InferOutput<typeof FactorMethod>;

const SECRET_CHARACTERS = 100;
const Challenge = v.pipe(v.string(), v.nonEmpty(), v.maxLength(SECRET_CHARACTERS));

const MAX_BYTES = 8_192;
const Base64Url = v.pipe(
  v.string(),
  v.maxLength(MAX_BYTES),
  v.regex(/^[\w-]*$/, 'Это не ответ ключа входа'),
);

const Transports = boundedList(v.pipe(v.string(), v.maxLength(30)), 10);

/** Common to all replies of an authenticator; additions of browsers are ignored. */
const ofCredential = {
  id: Base64Url,
  rawId: Base64Url,
  type: v.literal('public-key'),
};

/** `AuthenticationResponseJSON` of WebAuthn. */
export const PasskeyAssertion = v.object({
  ...ofCredential,
  response: v.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: v.optional(Base64Url),
  }),
});

/** `RegistrationResponseJSON` of WebAuthn. */
const PasskeyAttestation = v.object({
  ...ofCredential,
  response: v.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: v.optional(Transports),
  }),
});

/** Options for `navigator.credentials.get()`, as JSON. */
export const PasskeyRequest = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.picklist(['preferred']),
  allowCredentials: v.array(
    v.object({ id: v.string(), type: v.literal('public-key'), transports: v.array(v.string()) }),
  ),
});
export type PasskeyRequest = v.InferOutput<typeof PasskeyRequest>;

/** Options for `navigator.credentials.create()`, as JSON. */
const PasskeyCreation = v.object({
  challenge: v.string(),
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.number() })),
  timeout: v.number(),
  excludeCredentials: v.array(
    v.object({ id: v.string(), type: v.literal('public-key'), transports: v.array(v.string()) }),
  ),
  authenticatorSelection: v.object({
    residentKey: v.picklist(['preferred']),
    requireResidentKey: v.boolean(),
    userVerification: v.picklist(['preferred']),
  }),
  attestation: v.literal('none'),
});

/** The code of an app as typed, with spaces or without. */
export const TotpCode = v.pipe(
  v.string('Введите код из приложения'),
  v.maxLength(20, 'В коде шесть цифр'),
  v.transform((code) => code.replaceAll(/\s/g, '')),
  v.nonEmpty('Введите код из приложения'),
  v.regex(/^\d{6}$/, 'В коде шесть цифр'),
);

/** Characters of a recovery code: none can be confused with another. */
export const RECOVERY_SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** 120 bits: a code cannot be found from its plain hash. */
export const RECOVERY_CODE_LENGTH = 24;

/** A recovery code without separators. */
export const RecoveryCode = v.pipe(
  v.string('Введите код восстановления'),
  v.maxLength(40, 'Код восстановления короче'),
  v.transform((code) => code.replaceAll(/[^\p{L}\d]/gu, '').toUpperCase()),
  v.nonEmpty('Введите код восстановления'),
  v.length(RECOVERY_CODE_LENGTH, 'В коде восстановления двадцать четыре знака'),
);

/** A proof of identity by one of the methods. */
export const FactorProof = v.variant('method', [
  v.strictObject({ method: v.literal('totp'), code: TotpCode }),
  v.strictObject({ method: v.literal('recovery'), code: RecoveryCode }),
  v.strictObject({ method: v.literal('passkey'), assertion: PasskeyAssertion }),
]);
export type FactorProof = v.InferOutput<typeof FactorProof>;

/** Parameters of a second step: `details` of SECOND_FACTOR_REQUIRED too. `challenge` is the device's secret. */
export const FactorStep = v.object({
  challenge: Challenge,
  methods: v.array(FactorMethod),
  /** Null: the person has no passkey. */
  passkey: v.nullable(PasskeyRequest),
  expiresAt: IsoTime,
});
export type FactorStep = v.InferOutput<typeof FactorStep>;

const STEP_ERRORS = [
  'FACTOR_CODES_STOPPED',
  'WRONG_FACTOR',
  'FACTOR_STEP_OVER',
  'TOO_MANY_LOGINS',
] as const;

export const loginSecondFactor = route({
  name: 'loginSecondFactor',
  summary: 'The second step of a sign-in',
  method: 'POST',
  path: '/api/auth/login/second-factor',
  access: 'anyone',
  ownership: 'none',
  headers: SignInHeaders,
  body: v.strictObject({ challenge: Challenge, proof: FactorProof }),
  reply: SignedIn,
  errors: [...STEP_ERRORS, 'ACCOUNT_BLOCKED'],
});

/** Teachers and administrators have second factors. */
const ofOneself = { access: 'teacher', ownership: 'none' } as const;
/** Confirmed, so that an unlocked device cannot be used to add a factor. */
const confirmed = { ...ofOneself, confirmation: 'everyone' } as const;
/** Open while a factor is required and missing: only the calls needed to set one up. */
const setUp = { beforeSetup: true } as const;

export const startConfirmation = route({
  name: 'startConfirmation',
  summary: 'Begin to prove who one is before an act that cannot be taken back',
  method: 'POST',
  path: '/api/user/me/confirmation/start',
  ...ofOneself,
  ...setUp,
  bodyType: 'none',
  reply: FactorStep,
  errors: ['TOO_MANY_LOGINS'],
});

export const confirmIdentity = route({
  name: 'confirmIdentity',
  summary: 'Prove who one is; holds for a few minutes of this sign-in',
  method: 'POST',
  path: '/api/user/me/confirmation',
  ...ofOneself,
  ...setUp,
  body: v.strictObject({
    challenge: Challenge,
    proof: v.variant('method', [
      ...FactorProof.options,
      v.strictObject({
        method: v.literal('password'),
        password: v.pipe(
          v.string('Введите пароль'),
          v.nonEmpty('Введите пароль'),
          v.maxLength(200, 'Пароль слишком длинный'),
        ),
      }),
    ]),
  }),
  reply: v.object({ confirmedUntil: IsoTime }),
  errors: [...STEP_ERRORS, 'WRONG_PASSWORD'],
});

const Passkey = v.object({
  id: Id,
  name: v.string(),
  createdAt: IsoTime,
  lastUsedAt: v.nullable(IsoTime),
});

export const SecondFactor = v.object({
  /** For the person's role, set by an administrator. */
  isRequired: v.boolean(),
  totp: v.nullable(v.object({ createdAt: IsoTime, lastUsedAt: v.nullable(IsoTime) })),
  passkeys: v.array(Passkey),
  recoveryCodesLeft: v.number(),
});
export type SecondFactor = v.InferOutput<typeof SecondFactor>;

export const getSecondFactor = route({
  name: 'getSecondFactor',
  summary: 'Own second factors',
  method: 'GET',
  path: '/api/user/me/second-factor',
  ...ofOneself,
  ...setUp,
  reply: SecondFactor,
});

/** Recovery codes are issued with the first factor and shown only this once; null: they exist already. */
const Enrolled = v.object({
  state: SecondFactor,
  recoveryCodes: v.nullable(v.array(v.string())),
});
export type Enrolled = v.InferOutput<typeof Enrolled>;

export const startTotp = route({
  name: 'startTotp',
  summary: 'A secret for an authenticator app, not in force yet',
  method: 'POST',
  path: '/api/user/me/second-factor/totp/start',
  ...confirmed,
  ...setUp,
  bodyType: 'none',
  reply: v.object({ challenge: Challenge, secret: v.string(), uri: v.string() }),
  errors: ['CONFIRMATION_REQUIRED'],
});

const TotpBody = v.strictObject({ challenge: Challenge, code: TotpCode });

/** Replaces the previous app. */
export const confirmTotp = route({
  name: 'confirmTotp',
  summary: 'Put an authenticator app in force with its first code',
  method: 'POST',
  path: '/api/user/me/second-factor/totp',
  ...confirmed,
  ...setUp,
  body: TotpBody,
  reply: Enrolled,
  errors: ['CONFIRMATION_REQUIRED', 'WRONG_FACTOR', 'FACTOR_STEP_OVER'],
});

export const removeTotp = route({
  name: 'removeTotp',
  summary: 'Take the own authenticator app out of force',
  method: 'DELETE',
  path: '/api/user/me/second-factor/totp',
  ...confirmed,
  bodyType: 'none',
  reply: SecondFactor,
  errors: ['CONFIRMATION_REQUIRED', 'LAST_FACTOR'],
});

export const startPasskey = route({
  name: 'startPasskey',
  summary: 'Options for a new passkey',
  method: 'POST',
  path: '/api/user/me/second-factor/passkeys/start',
  ...confirmed,
  ...setUp,
  bodyType: 'none',
  reply: v.object({ challenge: Challenge, options: PasskeyCreation }),
  errors: ['CONFIRMATION_REQUIRED', 'TOO_MANY_PASSKEYS'],
});

export const PasskeyName = nameOf({
  missing: 'Назовите ключ',
  most: PASSKEY_NAME_CHARACTERS,
  tooLong: 'Название слишком длинное',
});

export const addPasskey = route({
  name: 'addPasskey',
  summary: 'Put a new passkey in force',
  method: 'POST',
  path: '/api/user/me/second-factor/passkeys',
  ...confirmed,
  ...setUp,
  body: v.strictObject({
    challenge: Challenge,
    name: PasskeyName,
    attestation: PasskeyAttestation,
  }),
  reply: Enrolled,
  errors: ['CONFIRMATION_REQUIRED', 'WRONG_FACTOR', 'FACTOR_STEP_OVER', 'TOO_MANY_PASSKEYS'],
});

export const removePasskey = route({
  name: 'removePasskey',
  summary: 'Take an own passkey out of force',
  method: 'DELETE',
  path: '/api/user/me/second-factor/passkeys/{passkeyId}',
  ...confirmed,
  ownership: 'ownPasskey',
  params: v.object({ passkeyId: Id }),
  bodyType: 'none',
  reply: SecondFactor,
  errors: ['CONFIRMATION_REQUIRED', 'NOT_FOUND', 'LAST_FACTOR'],
});

/** The previous codes become invalid. */
export const makeRecoveryCodes = route({
  name: 'makeRecoveryCodes',
  summary: 'New recovery codes, shown once',
  method: 'POST',
  path: '/api/user/me/second-factor/recovery-codes',
  ...confirmed,
  bodyType: 'none',
  reply: Enrolled,
  errors: ['CONFIRMATION_REQUIRED', 'NO_FACTOR'],
});

const ofAdmin = { access: 'admin', ownership: 'none' } as const;

/** Roles that require a second factor. */
export const FactorRequirements = v.strictObject({ teacher: v.boolean(), admin: v.boolean() });
export type FactorRequirements = v.InferOutput<typeof FactorRequirements>;

export const getFactorRequirements = route({
  name: 'getFactorRequirements',
  summary: 'Which roles must have a second factor',
  method: 'GET',
  path: '/api/admin/second-factor',
  ...ofAdmin,
  reply: FactorRequirements,
});

/** A person without one signs in by password and can only set one up. */
export const setFactorRequirements = route({
  name: 'setFactorRequirements',
  summary: 'Say which roles must have a second factor',
  method: 'PUT',
  path: '/api/admin/second-factor',
  ...ofAdmin,
  confirmation: 'admin',
  body: FactorRequirements,
  reply: FactorRequirements,
  errors: ['CONFIRMATION_REQUIRED'],
});

/** After too many wrong codes. A new password lifts the stop too. */
export const liftCodesStop = route({
  name: 'liftCodesStop',
  summary: 'Allow codes of an app again after too many wrong ones',
  method: 'POST',
  path: '/api/admin/users/{userId}/second-factor/codes',
  ...ofAdmin,
  confirmation: 'admin',
  params: v.object({ userId: Id }),
  bodyType: 'none',
  reply: v.object({}),
  errors: ['CONFIRMATION_REQUIRED', 'NOT_FOUND', 'OWN_ACCOUNT'],
});

/** For a lost phone. Ends every sign-in of the account. */
export const removeUserFactors = route({
  name: 'removeUserFactors',
  summary: 'Remove the second factors of an account',
  method: 'DELETE',
  path: '/api/admin/users/{userId}/second-factor',
  ...ofAdmin,
  confirmation: 'admin',
  params: v.object({ userId: Id }),
  bodyType: 'none',
  reply: v.object({}),
  errors: ['CONFIRMATION_REQUIRED', 'NOT_FOUND', 'OWN_ACCOUNT'],
});
