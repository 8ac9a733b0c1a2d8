import { hash } from '@node-rs/argon2';
import { Secret, TOTP } from 'otpauth';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAdminUsers, listAudit, resetUserPassword } from '#contract/admin.ts';
import { login, ROLE } from '#contract/auth.ts';
import { changePassword } from '#contract/profile.ts';
import {
  confirmTotp,
  FactorStep,
  liftCodesStop,
  loginSecondFactor,
  startTotp,
} from '#contract/second-factor.ts';
import { FACTOR_TRIES, MAX_WRONG_CODES } from '#server/auth/second-factor/failures.ts';
import { execute, one } from '#server/db/query.ts';
import { runHousekeeping } from '#server/housekeeping/job.ts';
import { errorOf } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WINDOW = 16 * MINUTE;
const PASSWORD = 'Kolokol7';
const STOPPED = [403, 'FACTOR_CODES_STOPPED'];

let server: TestServer;
let admin: TestUser;
let passwordHash: string;
beforeAll(async () => {
  server = await testServer();
  // Hashed cheaply: this tests the second step, not the hash.
  passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 });
});
afterAll(() => server.close());
beforeEach(async () => {
  admin = await server.user({ role: ROLE.admin });
});

interface Owner extends TestUser {
  secret: string;
  recoveryCodes: string[];
}

/** A teacher with an authenticator app. */
async function owner(): Promise<Owner> {
  const user = await server.user({ role: ROLE.teacher });
  const values = [user.userId, passwordHash];
  await execute(server.pool, 'update users set password_hash = $2 where id = $1', values);
  const { challenge, secret } = (await server.send(startTotp, {}, { as: user })).body;
  const body = { challenge, code: codeOf(secret) };
  const { recoveryCodes } = (await server.send(confirmTotp, { body }, { as: user })).body;
  server.clock.advance(MINUTE);
  return { ...user, secret, recoveryCodes: recoveryCodes ?? [] };
}

const codeOf = (secret: string): string =>
  TOTP.generate({
    secret: Secret.fromBase32(secret),
    timestamp: server.clock.now.getTime(),
  });

async function begin({ email }: TestUser, password = PASSWORD): Promise<string> {
  const answered = await server.send(login, { body: { email, password } });
  return v.parse(FactorStep, errorOf(answered).details).challenge;
}
const answer = (challenge: string, code: string) =>
  server.send(loginSecondFactor, { body: { challenge, proof: { method: 'totp', code } } });
const recover = (challenge: string, code = '') =>
  server.send(loginSecondFactor, { body: { challenge, proof: { method: 'recovery', code } } });
async function outcome(sent: ReturnType<typeof answer>): Promise<unknown[]> {
  const answered = await sent;
  return [answered.status, errorOf(answered).code].filter((part) => part !== undefined);
}

/** Wrong codes by somebody who knows the password, as fast as the window allows. */
async function guess(user: TestUser, codes: number): Promise<void> {
  for (let left = codes; left > 0; left -= FACTOR_TRIES) {
    const challenge = await begin(user);
    for (let tries = Math.min(left, FACTOR_TRIES); tries > 0; tries -= 1)
      expect(await outcome(answer(challenge, '000000'))).toEqual([422, 'WRONG_FACTOR']);
    server.clock.advance(WINDOW);
  }
}

const found = async ({ email }: TestUser) =>
  (await server.send(listAdminUsers, { query: { searchQuery: email } }, { as: admin })).body
    .items[0];
async function isStopped(user: Owner): Promise<boolean> {
  server.clock.advance(WINDOW);
  const [status] = await outcome(answer(await begin(user), codeOf(user.secret)));
  expect([200, 403]).toContain(status);
  return status === 403;
}
const lift = (userId: string) => server.send(liftCodesStop, { params: { userId } }, { as: admin });

test('after a hundred wrong codes the right one is refused for good, in Russian; recovery codes go on', async () => {
  const user = await owner();
  await guess(user, MAX_WRONG_CODES);
  const refused = await answer(await begin(user), codeOf(user.secret));
  expect([refused.status, errorOf(refused).code]).toEqual(STOPPED);
  expect(errorOf(refused).message).toBe(
    'Коды из приложения здесь больше не принимаются: неверных было слишком много. Войдите ключом входа или кодом восстановления и смените пароль, его знает кто-то ещё. Если их нет, обратитесь к администратору школы',
  );
  server.clock.advance(100 * DAY);
  await runHousekeeping(server.deps, { attemptDays: null, auditDays: 1_095 });
  admin = await server.user({ role: ROLE.admin });
  expect(await isStopped(user)).toBe(true);
  expect((await recover(await begin(user), user.recoveryCodes[0])).status).toBe(200);
  // Another sign-in method does not lift the stop for the guesser.
  expect(await isStopped(user)).toBe(true);
  const { items } = (
    await server.send(listAudit, { query: { personId: user.userId } }, { as: admin })
  ).body;
  expect(items[0]).toMatchObject({ act: 'signInFailed', details: { reason: 'stopped' } });
});

test('the owner’s sign-ins meanwhile do not forgive a guesser, and his own mistakes are forgiven', async () => {
  const user = await owner();
  for (let days = 0; days < 10; days += 1) {
    const challenge = await begin(user);
    for (let tries = 1; tries < FACTOR_TRIES; tries += 1) await answer(challenge, '000000');
    expect(await outcome(answer(challenge, codeOf(user.secret)))).toEqual([200]);
    server.clock.advance(WINDOW);
  }
  const total = () =>
    one(server.pool, 'select total from factor_failures where user_id = $1', [user.userId]);
  expect(await total()).toEqual({ total: 0 });
  for (let rounds = 0; rounds < 5; rounds += 1) {
    await guess(user, 20);
    if (rounds < 4) expect(await isStopped(user)).toBe(false);
  }
  expect(await isStopped(user)).toBe(true);
});

test('refused tries beyond the window are not counted towards the stop', async () => {
  const user = await owner();
  for (let tries = 0; tries < 150; tries += 1) await answer('0'.repeat(43), '000000');
  const challenge = await begin(user);
  await Promise.all(Array.from({ length: 150 }, () => answer(challenge, '000000')));
  expect(
    await one(server.pool, 'select total from factor_failures where user_id = $1', [user.userId]),
  ).toEqual({ total: FACTOR_TRIES });
  expect(await isStopped(user)).toBe(false);
});

test('an administrator sees the stop and lifts it, confirmed and logged; only for others', async () => {
  const user = await owner();
  expect(await found(user)).not.toHaveProperty('areCodesStopped');
  await guess(user, MAX_WRONG_CODES);
  expect(await isStopped(user)).toBe(true);
  admin = await server.user({ role: ROLE.admin });
  expect(await found(user)).toMatchObject({ areCodesStopped: true });
  server.clock.advance(6 * MINUTE);
  await execute(server.pool, 'update sessions set confirmed_at = null where user_id = $1', [
    admin.userId,
  ]);
  expect(errorOf(await lift(user.userId)).code).toBe('CONFIRMATION_REQUIRED');
  await execute(server.pool, 'update sessions set confirmed_at = $2 where user_id = $1', [
    admin.userId,
    server.clock.now,
  ]);
  expect(errorOf(await lift(admin.userId)).code).toBe('OWN_ACCOUNT');
  for (const _ of [1, 2]) expect((await lift(user.userId)).status).toBe(200);
  expect(await found(user)).not.toHaveProperty('areCodesStopped');
  const query = { act: 'factorStopLifted' as const, personId: user.userId };
  const { items } = (await server.send(listAudit, { query }, { as: admin })).body;
  expect(items.map(({ actor, times }) => [actor?.userId, times])).toEqual([[admin.userId, 1]]);
  expect(await isStopped(user)).toBe(false);
});

test('a new password lifts the stop: the guesser no longer gets to the second step', async () => {
  const [own, reset] = [await owner(), await owner()];
  await guess(own, MAX_WRONG_CODES);
  await guess(reset, MAX_WRONG_CODES);
  expect([await isStopped(own), await isStopped(reset)]).toEqual([true, true]);
  const { token } = (await recover(await begin(own), own.recoveryCodes[0])).body;
  const body = { currentPassword: PASSWORD, newPassword: 'Podsnezhnik4' };
  expect((await server.send(changePassword, { body }, { as: token })).status).toBe(200);
  const challenge = await begin(own, 'Podsnezhnik4');
  expect(await outcome(answer(challenge, codeOf(own.secret)))).toEqual([200]);
  admin = await server.user({ role: ROLE.admin });
  const params = { userId: reset.userId };
  const { password } = (await server.send(resetUserPassword, { params }, { as: admin })).body;
  const step = await begin(reset, password);
  expect(await outcome(answer(step, codeOf(reset.secret)))).toEqual([200]);
});

test('lifting a stop that there is not is no act in the log, up to the hundredth wrong code', async () => {
  const user = await owner();
  await guess(user, MAX_WRONG_CODES);
  expect(await found(user)).not.toHaveProperty('areCodesStopped');
  expect((await lift(user.userId)).status).toBe(200);
  const query = { act: 'factorStopLifted' as const, personId: user.userId };
  expect((await server.send(listAudit, { query }, { as: admin })).body.items).toEqual([]);
});
