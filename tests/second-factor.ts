import { hash } from '@node-rs/argon2';
import { Secret, TOTP } from 'otpauth';
import * as v from 'valibot';
import { expect } from 'vitest';
import { login, ROLE, type RoleNumber } from '#contract/auth.ts';
import {
  addPasskey,
  confirmIdentity,
  confirmTotp,
  FactorStep,
  loginSecondFactor,
  startPasskey,
  startTotp,
} from '#contract/second-factor.ts';
import { execute } from '#server/db/query.ts';
import type { SoftwareAuthenticator } from './authenticator.ts';
import { errorOf } from './school.ts';
import type { TestServer, TestUser } from './server.ts';

const MINUTE = 60_000;
/** The password of every person made here. */
export const PASSWORD = 'Kolokol7';

let cheapHash: Promise<string> | undefined;

/** A signed-in person who can sign in with a password; hashed cheaply. */
export async function createPerson(
  server: TestServer,
  role: RoleNumber = ROLE.teacher,
): Promise<TestUser> {
  const user = await server.user({ role, mustConfirm: true });
  cheapHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1 });
  await execute(server.pool, 'update users set password_hash = $2 where id = $1', [
    user.userId,
    await cheapHash,
  ]);
  return user;
}

/** The code that the app shows now, or at another moment. */
export const codeOf = (server: TestServer, secret: string, at: Date = server.clock.now): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });

/** Sets an authenticator app up; a minute later its next code is valid. */
export async function enrolApp(
  server: TestServer,
  user: TestUser,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const started = await server.send(startTotp, {}, { as: user });
  expect(started.status, started.text).toBe(200);
  const { challenge, secret } = started.body;
  const body = { challenge, code: codeOf(server, secret) };
  const done = await server.send(confirmTotp, { body }, { as: user });
  expect(done.status, done.text).toBe(200);
  server.clock.advance(MINUTE);
  return { secret, recoveryCodes: done.body.recoveryCodes ?? [] };
}

/** Creates a passkey; the reply of its last step. */
export async function createPasskey(
  server: TestServer,
  user: TestUser,
  key: SoftwareAuthenticator,
) {
  const { body } = await server.send(startPasskey, {}, { as: user });
  const attestation = key.attest(body.options);
  const sent = { challenge: body.challenge, name: 'Ключ', attestation };
  return server.send(addPasskey, { body: sent }, { as: user });
}

export const signInWithPassword = (
  server: TestServer,
  { email }: TestUser,
  password: string = PASSWORD,
) => server.send(login, { body: { email, password } });

/** The first step of a sign-in that requires a second one. */
export async function beginSignIn(server: TestServer, user: TestUser): Promise<FactorStep> {
  const answered = await signInWithPassword(server, user);
  expect([answered.status, errorOf(answered).code]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
  return v.parse(FactorStep, errorOf(answered).details);
}

export const sendCode = (
  server: TestServer,
  challenge: string,
  code: string,
  headers: Record<string, string> = {},
) =>
  server.send(
    loginSecondFactor,
    { body: { challenge, proof: { method: 'totp', code } } },
    { headers },
  );

export const sendRecovery = (server: TestServer, challenge: string, code = '') =>
  server.send(loginSecondFactor, { body: { challenge, proof: { method: 'recovery', code } } });

/** Proves the identity in a sign-in with a code. */
export const confirmWithCode = (
  server: TestServer,
  user: TestUser,
  { challenge, code }: { challenge: string; code: string },
) =>
  server.send(
    confirmIdentity,
    { body: { challenge, proof: { method: 'totp', code } } },
    { as: user },
  );
