import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { Secret } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createUser,
  eraseUser,
  importUsers,
  listAdminUsers,
  listAudit,
  resetUserPassword,
  updateUser,
} from '#contract/admin.ts';
import { currentUser, logout, ROLE, type RoleNumber } from '#contract/auth.ts';
import { listUsers } from '#contract/users.ts';
import { eraseOwnAccount, exportOwnData, listSessions, updateProfile } from '#contract/profile.ts';
import { routes } from '#contract/routes.ts';
import {
  addPasskey,
  confirmIdentity,
  confirmTotp,
  FactorStep,
  getFactorRequirements,
  getSecondFactor,
  loginSecondFactor,
  makeRecoveryCodes,
  removePasskey,
  removeTotp,
  removeUserFactors,
  setFactorRequirements,
  startConfirmation,
  startPasskey,
  startTotp,
} from '#contract/second-factor.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { MAX_OPEN_SIGN_INS } from '#server/auth/second-factor/challenges.ts';
import { FACTOR_TRIES } from '#server/auth/second-factor/failures.ts';
import { resetByOperator } from '#server/admin/operator-reset.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { exportPerson } from '#server/users/export.ts';
import { runHousekeeping } from '#server/housekeeping/job.ts';
import * as v from 'valibot';
import { SoftwareAuthenticator } from '#tests/authenticator.ts';
import { makeScene, sampleCall } from '#tests/calls.ts';
import { awaitBlocked } from '#tests/locks.ts';
import { errorOf, makeSchool, RIGHT, TestDevice } from '#tests/school.ts';
import {
  beginSignIn,
  codeOf as codeAt,
  confirmWithCode,
  createPasskey,
  createPerson,
  enrolApp,
  PASSWORD,
  sendCode,
  sendRecovery,
  signInWithPassword,
} from '#tests/second-factor.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await execute(server.pool, 'delete from factor_requirements');
  // Each test has a minute of its own, so that no code is used in two.
  server.clock.advance(2 * MINUTE);
});

const person = (role?: RoleNumber) => createPerson(server, role);
const codeOf = (secret: string, at?: Date) => codeAt(server, secret, at);

/** As if the person had just proved their identity. */
const confirmNow = ({ userId }: TestUser) =>
  execute(server.pool, 'update sessions set confirmed_at = $2 where user_id = $1', [
    userId,
    server.clock.now,
  ]);

const enrol = (user: TestUser) => enrolApp(server, user);
const signIn = (user: TestUser, password?: string) => signInWithPassword(server, user, password);
const begin = (user: TestUser) => beginSignIn(server, user);
const withCode = (challenge: string, code: string) => sendCode(server, challenge, code);
const withRecovery = (challenge: string, code: string) => sendRecovery(server, challenge, code);
const confirmWith = (user: TestUser, challenge: string, code: string) =>
  confirmWithCode(server, user, { challenge, code });

describe('signing in with an authenticator app', () => {
  test('the password alone opens nothing and gets no token; with the code the sign-in is the usual one', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const first = await signIn(user);
    expect(first.status).toBe(403);
    expect(first.text).not.toContain('token');
    const { challenge, methods } = v.parse(FactorStep, errorOf(first).details);
    expect(methods).toEqual(['totp', 'recovery']);
    const second = await withCode(challenge, codeOf(secret));
    expect(second.status, second.text).toBe(200);
    expect(second.body.user.userId).toBe(user.userId);
    const me = await server.send(currentUser, {}, { as: second.body.token });
    expect(me.body).not.toHaveProperty('mustSetUpFactor');
  });

  test('both results of the second step are in the log of acts, and the sign-in knows its device', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const { challenge } = await begin(user);
    expect((await withCode(challenge, '000000')).status).toBe(422);
    const signedIn = await withCode(challenge, codeOf(secret));
    expect(signedIn.body.deviceKey).toMatch(/^[\w-]{43}$/);
    expect(signedIn.headers['set-cookie']).toMatch(/^device=v1\./);
    const logged = await rows<{ act: string; details: unknown }>(
      server.pool,
      `select act, details from audit_log
       where person_id = $1 and act in ('signedIn', 'signInFailed') order by at, act`,
      [user.userId],
    );
    expect(logged).toEqual([
      { act: 'signInFailed', details: { reason: 'factor' } },
      { act: 'signedIn', details: { factor: 'totp' } },
    ]);
  });

  test('a wrong password reveals nothing of a second step', async () => {
    const user = await person();
    await enrol(user);
    const answered = await signIn(user, 'Nope1234');
    expect([answered.status, errorOf(answered).code]).toEqual([401, 'BAD_CREDENTIALS']);
  });

  test.each([
    ['a step before', -30 * SECOND, 200],
    ['a step after', 30 * SECOND, 200],
    ['two steps before', -60 * SECOND, 422],
    ['two steps after', 60 * SECOND, 422],
  ])('a code of %s (%i ms) is answered with %i', async (_, shift, status) => {
    const user = await person();
    const { secret } = await enrol(user);
    const { challenge } = await begin(user);
    const code = codeOf(secret, new Date(server.clock.now.getTime() + shift));
    expect((await withCode(challenge, code)).status).toBe(status);
  });

  test('a code works once, also for another step, and an older one not after it', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const code = codeOf(secret);
    const older = codeOf(secret, new Date(server.clock.now.getTime() - 30 * SECOND));
    expect((await withCode((await begin(user)).challenge, code)).status).toBe(200);
    for (const used of [code, older]) {
      const again = await withCode((await begin(user)).challenge, used);
      expect([again.status, errorOf(again).code]).toEqual([422, 'WRONG_FACTOR']);
      expect(errorOf(again).details).toMatchObject({ fields: [{ field: 'code' }] });
    }
  });

  test('the code that set the app up does not sign in', async () => {
    const user = await person();
    const { body } = await server.send(startTotp, {}, { as: user });
    const code = codeOf(body.secret);
    await server.send(confirmTotp, { body: { challenge: body.challenge, code } }, { as: user });
    expect((await withCode((await begin(user)).challenge, code)).status).toBe(422);
  });

  test('of ten sign-ins at once with one code and one step exactly one succeeds', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const { challenge } = await begin(user);
    const answers = await Promise.all(
      Array.from({ length: FACTOR_TRIES }, () => withCode(challenge, codeOf(secret))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a step is over after ten minutes, after its use, with another password, and was never valid for others', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const late = await begin(user);
    server.clock.advance(10 * MINUTE);
    const over = async (challenge: string) => {
      const answered = await withCode(challenge, codeOf(secret));
      expect([answered.status, errorOf(answered).code]).toEqual([409, 'FACTOR_STEP_OVER']);
    };
    await over(late.challenge);
    const { challenge } = await begin(user);
    expect((await withCode(challenge, codeOf(secret))).status).toBe(200);
    server.clock.advance(MINUTE);
    await over(challenge);
    await over('так-не-бывает');
    const before = await begin(user);
    await execute(server.pool, `update users set password_hash = 'other' where id = $1`, [
      user.userId,
    ]);
    await over(before.challenge);
  });

  test('a step of one person accepts no code of another, and a confirmation opens no sign-in', async () => {
    const [user, other] = [await person(), await person()];
    await enrol(user);
    const { secret } = await enrol(other);
    expect((await withCode((await begin(user)).challenge, codeOf(secret))).status).toBe(422);
    const confirming = await server.send(startConfirmation, {}, { as: other });
    expect((await withCode(confirming.body.challenge, codeOf(secret))).status).toBe(409);
    // Nor does it confirm another sign-in of the same person.
    const signedIn = await withCode((await begin(other)).challenge, codeOf(secret));
    server.clock.advance(MINUTE);
    const elsewhere = { ...other, token: signedIn.body.token };
    const foreign = await confirmWith(elsewhere, confirming.body.challenge, codeOf(secret));
    expect(foreign.status).toBe(409);
  });

  test('wrong codes do not restart the window: continued guessing blocks the owner no longer than it lasts', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const guess = async () => withCode((await begin(user)).challenge, '000000');
    for (let n = 0; n < 14; n += 1) {
      await guess();
      server.clock.advance(MINUTE);
    }
    expect((await guess()).status).toBe(429);
    // The window began with the first wrong code.
    server.clock.advance(MINUTE);
    const own = await withCode((await begin(user)).challenge, codeOf(secret));
    expect(own.status, own.text).toBe(200);
  });

  test.each(['signIn', 'confirmation'] as const)(
    'a right code forgives the wrong ones before it (%s)',
    async (purpose) => {
      const user = await person();
      const { secret } = await enrol(user);
      const answer = async (code: string) => {
        if (purpose === 'signIn') return withCode((await begin(user)).challenge, code);
        const { body } = await server.send(startConfirmation, {}, { as: user });
        return confirmWith(user, body.challenge, code);
      };
      for (const _ of [1, 2]) {
        for (let n = 1; n < FACTOR_TRIES; n += 1) expect((await answer('000000')).status).toBe(422);
        expect((await answer(codeOf(secret))).status).toBe(200);
        server.clock.advance(MINUTE);
      }
    },
  );

  test('after ten wrong codes right ones are refused too, until a quarter of an hour later; passwords are not counted', async () => {
    const user = await person();
    const { secret, recoveryCodes } = await enrol(user);
    const { challenge } = await begin(user);
    const answers = await Promise.all(
      Array.from({ length: FACTOR_TRIES + 20 }, () => withCode(challenge, '000000')),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(FACTOR_TRIES);
    const locked = await withCode(challenge, codeOf(secret));
    expect([locked.status, errorOf(locked).code]).toEqual([429, 'TOO_MANY_LOGINS']);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
    // Unguessable proofs let the owner in meanwhile.
    const owner = await withRecovery(challenge, recoveryCodes[0] ?? '');
    expect(owner.status).toBe(200);
    const more = await begin(user);
    for (let n = 0; n < FACTOR_TRIES; n += 1) await withCode(more.challenge, '000000');
    expect((await withCode(more.challenge, codeOf(secret))).status).toBe(429);
    server.clock.advance(16 * MINUTE);
    expect((await withCode((await begin(user)).challenge, codeOf(secret))).status).toBe(200);
  });

  test('a recovery code works once, as people type it, and the others stay valid', async () => {
    const user = await person();
    const { recoveryCodes } = await enrol(user);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    expect(first).toMatch(/^([2-9A-Z]{4}-){5}[2-9A-Z]{4}$/);
    const typed = first.toLowerCase().replaceAll('-', ' ');
    const answered = await withRecovery((await begin(user)).challenge, typed);
    expect(answered.status, answered.text).toBe(200);
    const again = await withRecovery((await begin(user)).challenge, first);
    expect([again.status, errorOf(again).code]).toEqual([422, 'WRONG_FACTOR']);
    expect((await withRecovery((await begin(user)).challenge, second)).status).toBe(200);
    const state = await server.send(getSecondFactor, {}, { as: answered.body.token });
    expect(state.body.recoveryCodesLeft).toBe(8);
  });

  test('a recovery code of another user is refused and stays valid for its owner', async () => {
    const [user, other] = [await person(), await person()];
    await enrol(user);
    const [theirs = ''] = (await enrol(other)).recoveryCodes;
    const answered = await withRecovery((await begin(user)).challenge, theirs);
    expect([answered.status, errorOf(answered).code]).toEqual([422, 'WRONG_FACTOR']);
    expect((await withRecovery((await begin(other)).challenge, theirs)).status).toBe(200);
  });

  test('new recovery codes invalidate the old ones', async () => {
    const user = await person();
    const { recoveryCodes } = await enrol(user);
    const made = await server.send(makeRecoveryCodes, {}, { as: user });
    expect(made.body.recoveryCodes).toHaveLength(10);
    expect((await withRecovery((await begin(user)).challenge, recoveryCodes[0] ?? '')).status).toBe(
      422,
    );
    const fresh = made.body.recoveryCodes?.[0] ?? '';
    expect((await withRecovery((await begin(user)).challenge, fresh)).status).toBe(200);
  });

  test('a blocked account is reported after the password as before', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const { challenge } = await begin(user);
    await execute(server.pool, 'update users set blocked_at = $2 where id = $1', [
      user.userId,
      server.clock.now,
    ]);
    expect(errorOf(await signIn(user)).code).toBe('ACCOUNT_BLOCKED');
    expect(errorOf(await withCode(challenge, codeOf(secret))).code).toBe('ACCOUNT_BLOCKED');
  });

  test.each([
    ['the first factor is set up', 'SECOND_FACTOR_REQUIRED'],
    ['the account is blocked', 'ACCOUNT_BLOCKED'],
  ])('a sign-in that goes on while %s gets no token: %s', async (_, code) => {
    const user = await person();
    const change = await server.pool.connect();
    try {
      await change.query('begin');
      await change.query('select 1 from users where id = $1 for update', [user.userId]);
      const answered = signIn(user);
      await awaitBlocked(server.pool, 1);
      await change.query(
        code === 'ACCOUNT_BLOCKED'
          ? 'update users set blocked_at = now() where id = $1'
          : `insert into totp_secrets (user_id, secret, last_step, created_at)
             values ($1, '\\x00', 0, now())`,
        [user.userId],
      );
      await change.query('commit');
      expect(errorOf(await answered).code).toBe(code);
    } finally {
      change.release();
    }
  });

  test('a former teacher who is a student signs in with the password alone', async () => {
    const user = await person();
    await enrol(user);
    await execute(server.pool, 'update users set role = 0 where id = $1', [user.userId]);
    expect((await signIn(user)).status).toBe(200);
  });

  test('no secret and no code is in the log, and codes not in the database either', async () => {
    const user = await person();
    const { secret, recoveryCodes } = await enrol(user);
    const code = codeOf(secret);
    await withCode((await begin(user)).challenge, code);
    const log = JSON.stringify(server.logged);
    for (const word of [secret, ...recoveryCodes]) expect(log).not.toContain(word);
    const plain = (recoveryCodes[0] ?? '').replaceAll('-', '');
    const stored = await rows<{ hash: Buffer }>(
      server.pool,
      'select code_hash as hash from recovery_codes where user_id = $1',
      [user.userId],
    );
    expect(stored.map(({ hash }) => hash.toString('hex'))).toContain(
      createHash('sha256').update(plain).digest('hex'),
    );
  });

  /** A right password of the account from somewhere. */
  const signInFrom = (user: TestUser, remoteAddress: string, cookie = '') =>
    server.raw({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json', ...(cookie !== '' && { cookie }) },
      payload: JSON.stringify({ email: user.email, password: PASSWORD }),
      remoteAddress,
    });
  const open = (user: TestUser) =>
    one<{ count: number }>(
      server.pool,
      'select count(*) as count from factor_challenges where user_id = $1',
      [user.userId],
    );

  test.each(['127.0.0.1', '203.0.113.9'])(
    'knowing the password ends no open step of the owner, from %s',
    async (attacker) => {
      const user = await person();
      const { secret } = await enrol(user);
      const { challenge } = await begin(user);
      for (let n = 0; n < 50; n += 1) {
        server.clock.advance(100);
        await signInFrom(user, attacker);
      }
      expect((await withCode(challenge, codeOf(secret))).status).toBe(200);
    },
  );

  test('open steps are bounded for each place, and known devices are places of their own', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const { challenge } = await begin(user);
    const signedIn = await withCode(challenge, codeOf(secret));
    const device = signedIn.headers['set-cookie']?.split(';', 1)[0] ?? '';
    const statuses: number[] = [];
    for (let n = 0; n < MAX_OPEN_SIGN_INS + 5; n += 1)
      statuses.push((await signInFrom(user, '127.0.0.1')).status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(MAX_OPEN_SIGN_INS);
    expect(statuses.slice(MAX_OPEN_SIGN_INS)).toEqual(Array.from({ length: 5 }, () => 429));
    const refused = await signInFrom(user, '127.0.0.1');
    expect(errorOf(refused).code).toBe('TOO_MANY_LOGINS');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await open(user))?.count).toBe(MAX_OPEN_SIGN_INS);
    // Elsewhere, on the owner's device behind the same address, and after a while all goes on.
    expect((await signInFrom(user, '203.0.113.9')).status).toBe(403);
    expect((await signInFrom(user, '127.0.0.1', device)).status).toBe(403);
    server.clock.advance(11 * MINUTE);
    expect((await signInFrom(user, '127.0.0.1')).status).toBe(403);
    server.clock.advance(11 * MINUTE);
    await runHousekeeping(server.deps, { attemptDays: null, auditDays: 365 });
    expect((await open(user))?.count).toBe(0);
  });

  test('confirmations of one sign-in end neither those of another nor steps of other purposes', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    const { challenge } = await begin(user);
    const signedIn = await withCode(challenge, codeOf(secret));
    server.clock.advance(MINUTE);
    const own = await server.send(startConfirmation, {}, { as: user });
    const setUp = await server.send(startTotp, {}, { as: user });
    const step = await begin(user);
    const elsewhere = { ...user, token: signedIn.body.token };
    for (let n = 0; n < 30; n += 1) {
      server.clock.advance(100);
      await server.send(startConfirmation, {}, { as: elsewhere });
      await server.send(startPasskey, {}, { as: elsewhere });
    }
    const { challenge: offered, secret: next } = setUp.body;
    const added = await server.send(
      confirmTotp,
      { body: { challenge: offered, code: codeOf(next) } },
      { as: user },
    );
    expect(added.status, added.text).toBe(200);
    server.clock.advance(MINUTE);
    expect((await confirmWith(user, own.body.challenge, codeOf(next))).status).toBe(200);
    server.clock.advance(MINUTE);
    expect((await withCode(step.challenge, codeOf(next))).status).toBe(200);
    expect((await open(user))?.count).toBeLessThanOrEqual(20);
  });
});

/** The address at which these tests call the server. */
const ORIGIN = 'http://localhost';

async function makePasskey(
  user: TestUser,
  key: SoftwareAuthenticator,
  on: TestServer = server,
): Promise<void> {
  const made = await createPasskey(on, user, key);
  expect(made.status, made.text).toBe(200);
}

describe('signing in with a passkey', () => {
  const prove = (
    { challenge, passkey }: FactorStep,
    key: SoftwareAuthenticator,
    given: Partial<{ challenge: string; rpId: string }> = {},
  ) => {
    if (!passkey) throw new Error('no passkey is asked for');
    const assertion = key.assert({ ...passkey, ...given });
    return server.send(loginSecondFactor, {
      body: { challenge, proof: { method: 'passkey', assertion } },
    });
  };

  test('the created key signs in, and is recorded as used', async () => {
    const user = await person();
    const key = new SoftwareAuthenticator(ORIGIN);
    await makePasskey(user, key);
    const step = await begin(user);
    expect(step.methods).toEqual(['passkey', 'recovery']);
    expect(step.passkey).toMatchObject({ rpId: 'localhost', userVerification: 'preferred' });
    const signedIn = await prove(step, key);
    expect(signedIn.status, signedIn.text).toBe(200);
    const state = await server.send(getSecondFactor, {}, { as: signedIn.body.token });
    expect(state.body.passkeys).toMatchObject([{ name: 'Ключ', lastUsedAt: expect.any(String) }]);
  });

  test('an assertion used once is not accepted for another step, nor the same one again', async () => {
    const user = await person();
    const key = new SoftwareAuthenticator(ORIGIN);
    await makePasskey(user, key);
    const step = await begin(user);
    const assertion = key.assert(step.passkey ?? { challenge: '', rpId: '' });
    const answer = (challenge: string) =>
      server.send(loginSecondFactor, {
        body: { challenge, proof: { method: 'passkey', assertion } },
      });
    const other = await begin(user);
    expect((await answer(other.challenge)).status).toBe(422);
    expect((await answer(step.challenge)).status).toBe(200);
    expect((await answer(step.challenge)).status).toBe(409);
    expect((await answer(other.challenge)).status).toBe(422);
  });

  test('of two passkeys one is removed: it opens nothing, the other and the recovery codes go on', async () => {
    const [user, other] = [await person(), await person()];
    const [first, second] = [new SoftwareAuthenticator(ORIGIN), new SoftwareAuthenticator(ORIGIN)];
    await makePasskey(user, first);
    await makePasskey(user, second);
    const theirs = new SoftwareAuthenticator(ORIGIN);
    await makePasskey(other, theirs);
    const before = (await server.send(getSecondFactor, {}, { as: user })).body;
    const removed = await server.send(
      removePasskey,
      { params: { passkeyId: before.passkeys[0]?.id ?? '' } },
      { as: user },
    );
    expect(removed.status, removed.text).toBe(200);
    expect(removed.body.passkeys).toEqual([before.passkeys[1]]);
    expect(removed.body.recoveryCodesLeft).toBe(before.recoveryCodesLeft);
    expect((await server.send(getSecondFactor, {}, { as: user })).body).toEqual(removed.body);
    const step = await begin(user);
    expect(step.methods).toEqual(['passkey', 'recovery']);
    expect((await prove(step, first)).status).toBe(422);
    expect((await prove(step, second)).status).toBe(200);
    expect((await prove(await begin(other), theirs)).status).toBe(200);
    // With the last one the codes go, and the password alone opens again.
    const last = await server.send(
      removePasskey,
      { params: { passkeyId: before.passkeys[1]?.id ?? '' } },
      { as: user },
    );
    expect(last.body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    expect((await signIn(user)).status).toBe(200);
  });

  test('a copy of the key without a higher counter is refused', async () => {
    const user = await person();
    const key = new SoftwareAuthenticator(ORIGIN);
    await makePasskey(user, key);
    expect((await prove(await begin(user), key)).status).toBe(200);
    key.counter = 0;
    const copied = await prove(await begin(user), key);
    expect([copied.status, errorOf(copied).code]).toEqual([422, 'WRONG_FACTOR']);
    expect(errorOf(copied).message).toBe('Ключ входа не подошёл. Попробуйте ещё раз');
  });

  test('another site, another name of the site, another key and the key of another person are refused', async () => {
    const [user, other] = [await person(), await person()];
    const key = new SoftwareAuthenticator(ORIGIN);
    const theirs = new SoftwareAuthenticator(ORIGIN);
    await makePasskey(user, key);
    await makePasskey(other, theirs);
    const step = await begin(user);
    expect((await prove(step, key, { rpId: 'evil.example' })).status).toBe(422);
    expect((await prove(step, theirs)).status).toBe(422);
    expect((await prove(step, new SoftwareAuthenticator(ORIGIN))).status).toBe(422);
    const phished = new SoftwareAuthenticator('https://evil.example');
    const started = await server.send(startPasskey, {}, { as: user });
    const body = {
      challenge: started.body.challenge,
      name: 'Чужой',
      attestation: phished.attest(started.body.options),
    };
    expect((await server.send(addPasskey, { body }, { as: user })).status).toBe(422);
    expect((await prove(step, key)).status).toBe(200);
  });

  test('one key belongs to one account', async () => {
    const [user, other] = [await person(), await person()];
    const key = new SoftwareAuthenticator(ORIGIN);
    await makePasskey(user, key);
    const { body } = await server.send(startPasskey, {}, { as: other });
    const again = {
      challenge: body.challenge,
      name: 'Он же',
      attestation: key.attest(body.options),
    };
    expect((await server.send(addPasskey, { body: again }, { as: other })).status).toBe(422);
  });

  test('where the public address is set, keys are created for it and for nothing else', async () => {
    const proxied = await testServer({
      settings: { publicUrl: 'https://tests.school.ru', trustProxy: true },
    });
    try {
      const user = await proxied.user({ role: ROLE.teacher });
      const { body } = await proxied.send(startPasskey, {}, { as: user });
      expect(body.options.rp.id).toBe('tests.school.ru');
      await makePasskey(user, new SoftwareAuthenticator('https://tests.school.ru'), proxied);
    } finally {
      await proxied.close();
    }
  });

  test('behind a trusted proxy the address is the one that people used', async () => {
    const proxied = await testServer({ settings: { trustProxy: true } });
    try {
      const user = await proxied.user({ role: ROLE.teacher });
      const headers = { 'x-forwarded-host': 'school.example', 'x-forwarded-proto': 'https' };
      const started = await proxied.send(startPasskey, {}, { as: user, headers });
      expect(started.body.options.rp.id).toBe('school.example');
      const attestation = new SoftwareAuthenticator('https://school.example').attest(
        started.body.options,
      );
      const body = { challenge: started.body.challenge, name: 'Ключ', attestation };
      expect((await proxied.send(addPasskey, { body }, { as: user, headers })).status).toBe(200);
    } finally {
      await proxied.close();
    }
  });
});

describe('setting up and removing', () => {
  test('the first factor brings codes and ends sign-ins that were made without it; a second brings none', async () => {
    const user = await person();
    const other = (await signIn(user)).body.token;
    const { recoveryCodes } = await enrol(user);
    expect(recoveryCodes).toHaveLength(10);
    expect((await server.send(currentUser, {}, { as: other })).status).toBe(401);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(200);
    expect((await enrol(user)).recoveryCodes).toEqual([]);
  });

  test('a new app replaces the old one', async () => {
    const user = await person();
    const { secret: before } = await enrol(user);
    const { secret } = await enrol(user);
    const { challenge } = await begin(user);
    expect((await withCode(challenge, codeOf(before))).status).toBe(422);
    expect((await withCode(challenge, codeOf(secret))).status).toBe(200);
  });

  test('an app that was shown and not confirmed does not count', async () => {
    const user = await person();
    const { challenge } = (await server.send(startTotp, {}, { as: user })).body;
    const wrong = await server.send(
      confirmTotp,
      { body: { challenge, code: '000000' } },
      { as: user },
    );
    expect([wrong.status, errorOf(wrong).code]).toEqual([422, 'WRONG_FACTOR']);
    expect((await signIn(user)).status).toBe(200);
  });

  test('a challenge of one purpose answers no other', async () => {
    const user = await person();
    const { secret } = await enrol(user);
    await confirmNow(user);
    const toAddPasskey = (await server.send(startPasskey, {}, { as: user })).body.challenge;
    const toReplaceApp = (await server.send(startTotp, {}, { as: user })).body;
    const toConfirm = (await server.send(startConfirmation, {}, { as: user })).body.challenge;
    const confirmed = [toAddPasskey, toReplaceApp.challenge].map((challenge) =>
      confirmWith(user, challenge, codeOf(secret)),
    );
    const replaced = [toAddPasskey, toConfirm].map((challenge) =>
      server.send(confirmTotp, { body: { challenge, code: codeOf(secret) } }, { as: user }),
    );
    const codes = (await Promise.all([...confirmed, ...replaced])).map((one) => errorOf(one).code);
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'FACTOR_STEP_OVER'));
  });

  test('the secret of one sign-in is not confirmed in another', async () => {
    const user = await person();
    const { challenge, secret } = (await server.send(startTotp, {}, { as: user })).body;
    const other = (await signIn(user)).body.token;
    const body = { challenge, code: codeOf(secret) };
    const answered = await server.send(confirmTotp, { body }, { as: other });
    expect([answered.status, errorOf(answered).code]).toEqual([409, 'FACTOR_STEP_OVER']);
  });

  test('removing the last factor removes the codes; the password alone signs in again', async () => {
    const user = await person();
    await enrol(user);
    const removed = await server.send(removeTotp, {}, { as: user });
    expect(removed.body).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
    expect((await signIn(user)).status).toBe(200);
  });

  test('the last factor of a role that requires one stays', async () => {
    const [user, admin] = [await person(), await person(ROLE.admin)];
    await enrol(user);
    const body = { teacher: true, admin: false };
    await server.send(setFactorRequirements, { body }, { as: admin });
    const refused = await server.send(removeTotp, {}, { as: user });
    expect([refused.status, errorOf(refused).code]).toEqual([409, 'LAST_FACTOR']);
    const state = await server.send(getSecondFactor, {}, { as: user });
    expect(state.body).toMatchObject({ isRequired: true, recoveryCodesLeft: 10 });
    expect(state.body.totp).not.toBeNull();
  });

  test('a forged passkey is refused, and an eleventh', async () => {
    const user = await person();
    const started = await server.send(startPasskey, {}, { as: user });
    expect(started.body.options).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { userVerification: 'preferred' },
    });
    const clientDataJSON = Buffer.from(
      JSON.stringify({
        type: 'webauthn.create',
        challenge: started.body.options.challenge,
        origin: 'http://localhost:80',
      }),
    ).toString('base64url');
    const body = {
      challenge: started.body.challenge,
      name: 'Телефон',
      attestation: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key' as const,
        response: { clientDataJSON, attestationObject: 'oA' },
      },
    };
    const refused = await server.send(addPasskey, { body }, { as: user });
    expect([refused.status, errorOf(refused).code]).toEqual([422, 'WRONG_FACTOR']);
    await execute(
      server.pool,
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       select gen_random_uuid(), $1, gen_random_uuid()::text, '\\x00', 0, '{}', 'Ключ', $2
       from generate_series(1, 10)`,
      [user.userId, server.clock.now],
    );
    const eleventh = await server.send(startPasskey, {}, { as: user });
    expect([eleventh.status, errorOf(eleventh).code]).toEqual([409, 'TOO_MANY_PASSKEYS']);
  });

  test('students set nothing up', async () => {
    const student = await server.user();
    for (const route of [startTotp, startPasskey, startConfirmation])
      expect((await server.send(route, {}, { as: student })).status).toBe(403);
  });

  test('additions and removals stand in the log of acts', async () => {
    const admin = await person(ROLE.admin);
    await enrol(admin);
    await server.send(removeTotp, {}, { as: admin });
    const { body } = await server.send(
      listAudit,
      { query: { actorId: admin.userId } },
      { as: admin },
    );
    const acts = body.items.map(({ act, details }) => `${act} ${details['kind']}`);
    expect(acts.toSorted()).toEqual(['factorAdded totp', 'factorRemoved totp']);
  });
});

describe('a proof of identity', () => {
  const STALE = 5 * MINUTE + SECOND;

  test('every route that requires one refuses an older sign-in of an administrator, and accepts a fresh one', async () => {
    const asking = routes.filter(({ confirmation }) => confirmation !== undefined);
    expect(asking.map(({ name }) => name)).toContain('eraseUser');
    for (const route of asking) {
      const scene = await makeScene(server);
      const { admin } = scene.users;
      await confirmNow(admin);
      server.clock.advance(STALE);
      const stale = await server.send(route, sampleCall(route, scene, server), { as: admin });
      expect([route.name, stale.status, errorOf(stale).code]).toEqual([
        route.name,
        403,
        'CONFIRMATION_REQUIRED',
      ]);
      await confirmNow(admin);
      const fresh = await server.send(route, sampleCall(route, scene, server), { as: admin });
      expect(errorOf(fresh).code, route.name).not.toBe('CONFIRMATION_REQUIRED');
    }
  });

  test('teachers need none for their own data, except for their factors', async () => {
    for (const route of routes.filter(({ confirmation }) => confirmation === 'admin')) {
      const scene = await makeScene(server);
      server.clock.advance(STALE);
      const as = scene.teacher;
      await execute(server.pool, 'update sessions set confirmed_at = null where user_id = $1', [
        as.userId,
      ]);
      const answered = await server.send(route, sampleCall(route, scene, server), { as });
      expect(errorOf(answered).code, route.name).not.toBe('CONFIRMATION_REQUIRED');
    }
    const teacher = await person();
    server.clock.advance(STALE);
    for (const route of [startTotp, startPasskey, removeTotp, makeRecoveryCodes])
      expect(errorOf(await server.send(route, {}, { as: teacher })).code).toBe(
        'CONFIRMATION_REQUIRED',
      );
  });

  test('new teachers and administrators, roles and e-mails need one, by any path; students and names do not', async () => {
    const admin = await person(ROLE.admin);
    const someone = await server.user();
    server.clock.advance(STALE);
    const params = { userId: someone.userId };
    const email = () => `${server.deps.newId()}@school.test`;
    const newUser = (role: RoleNumber) => ({ body: { userName: 'Новый', email: email(), role } });
    const rowsOf = (...roles: string[]) => ({
      body: {
        key: server.deps.newId(),
        rows: roles.map((role, at) => ({
          line: at + 1,
          userName: 'А',
          email: email(),
          role,
          password: '',
        })),
      },
    });
    const as = admin;
    const needing = [
      await server.send(createUser, newUser(ROLE.admin), { as }),
      await server.send(createUser, newUser(ROLE.teacher), { as }),
      await server.send(updateUser, { params, body: { role: ROLE.admin } }, { as }),
      await server.send(updateUser, { params, body: { email: email() } }, { as }),
      await server.send(importUsers, rowsOf('администратор'), { as }),
      await server.send(importUsers, rowsOf('студент', 'преподаватель'), { as }),
    ];
    expect(needing.map((answered) => errorOf(answered).code)).toEqual(
      needing.map(() => 'CONFIRMATION_REQUIRED'),
    );
    const counted = await one(server.pool, 'select email, role from users where id = $1', [
      someone.userId,
    ]);
    expect(counted).toEqual({ email: someone.email, role: ROLE.student });
    const free = [
      await server.send(createUser, newUser(ROLE.student), { as }),
      await server.send(updateUser, { params, body: { userName: 'Иначе' } }, { as }),
      await server.send(importUsers, rowsOf('студент'), { as }),
    ];
    expect(free.map(({ status }) => status)).toEqual(free.map(() => 200));
  });

  test('blocking and every export of other people’s data by an administrator need one', () => {
    const names = routes.filter(({ confirmation }) => confirmation === 'admin').map((r) => r.name);
    expect(names).toEqual(
      expect.arrayContaining([
        'setUserBlocked',
        'exportUserData',
        'exportAudit',
        'exportStatistics',
      ]),
    );
  });

  test('is a code where there is an app, is valid five minutes, and for this sign-in only', async () => {
    const admin = await person(ROLE.admin);
    const { secret } = await enrol(admin);
    const erase = async (as: TestUser | string) => {
      const { userId } = await server.user();
      return server.send(eraseUser, { params: { userId } }, { as });
    };
    const other = (await withCode((await begin(admin)).challenge, codeOf(secret))).body.token;
    server.clock.advance(STALE);
    expect((await erase(admin)).status).toBe(403);
    const { challenge, methods } = (await server.send(startConfirmation, {}, { as: admin })).body;
    expect(methods).toEqual(['totp', 'recovery']);
    const password = await server.send(
      confirmIdentity,
      { body: { challenge, proof: { method: 'password', password: PASSWORD } } },
      { as: admin },
    );
    expect([password.status, errorOf(password).code]).toEqual([422, 'WRONG_FACTOR']);
    expect((await confirmWith(admin, challenge, '000000')).status).toBe(422);
    expect((await erase(admin)).status).toBe(403);
    expect((await confirmWith(admin, challenge, codeOf(secret))).status).toBe(200);
    expect((await erase(admin)).status).toBe(200);
    expect((await erase(other)).status).toBe(403);
    server.clock.advance(5 * MINUTE);
    expect((await erase(admin)).status).toBe(200);
    server.clock.advance(SECOND);
    expect((await erase(admin)).status).toBe(403);
  });

  test('is the password where there is no factor, within the limits of a sign-in', async () => {
    const admin = await person(ROLE.admin);
    server.clock.advance(STALE);
    const { challenge, methods } = (await server.send(startConfirmation, {}, { as: admin })).body;
    expect(methods).toEqual(['password']);
    const prove = (password: string) =>
      server.send(
        confirmIdentity,
        { body: { challenge, proof: { method: 'password', password } } },
        { as: admin },
      );
    const wrong = await prove('Nope1234');
    expect([wrong.status, errorOf(wrong).code]).toEqual([422, 'WRONG_PASSWORD']);
    expect((await prove(PASSWORD)).status).toBe(200);
    const { userId } = await server.user();
    const reset = await server.send(resetUserPassword, { params: { userId } }, { as: admin });
    expect(reset.status).toBe(200);
  });

  test('is required of those who erase themselves and have a factor', async () => {
    const user = await person();
    await enrol(user);
    server.clock.advance(STALE);
    const answered = await server.send(
      eraseOwnAccount,
      { body: { password: PASSWORD } },
      { as: user },
    );
    expect(errorOf(answered).code).toBe('CONFIRMATION_REQUIRED');
  });
});

describe('a factor that a role requires', () => {
  test('without it the password lets one only set it up and sign out', async () => {
    const [user, admin] = [await person(), await person(ROLE.admin)];
    const body = { teacher: true, admin: false };
    expect((await server.send(setFactorRequirements, { body }, { as: admin })).body).toEqual(body);
    expect((await server.send(getFactorRequirements, {}, { as: admin })).body).toEqual(body);
    expect((await server.send(listUsers, {}, { as: admin })).status).toBe(200);

    const signedIn = await signIn(user);
    expect([signedIn.status, signedIn.body.mustSetUpFactor]).toEqual([200, true]);
    const as = signedIn.body.token;
    const refused = await server.send(listUsers, {}, { as });
    expect([refused.status, errorOf(refused).code]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
    const before = (await server.send(currentUser, {}, { as })).body;
    expect(before.mustSetUpFactor).toBe(true);
    // The key of the person's rows on devices is nothing that setting up needs.
    for (const given of [signedIn.body, before]) expect(given).not.toHaveProperty('deviceKey');
    for (const route of [exportOwnData, listSessions]) {
      const answered = await server.send(route, {}, { as });
      expect(errorOf(answered).code, route.name).toBe('SECOND_FACTOR_SETUP_REQUIRED');
    }
    await enrol({ ...user, token: as });
    const deviceKey = deviceKeyOf(server.deps.state.sealKey, user.userId);
    expect((await server.send(currentUser, {}, { as })).body).toMatchObject({ deviceKey });
    expect((await server.send(listUsers, {}, { as })).status).toBe(200);
    expect((await server.send(logout, {}, { as })).status).toBe(200);
  });

  test('every other call is refused, and the contract lists the open ones', async () => {
    const scene = await makeScene(server);
    const admin = await person(ROLE.admin);
    const body = { teacher: true, admin: true };
    await server.send(setFactorRequirements, { body }, { as: admin });
    const closed = routes.filter(
      ({ access, beforeSetup, ownership }) =>
        access !== 'anyone' && !beforeSetup && ownership !== 'attemptOwner',
    );
    expect(closed.length).toBeGreaterThan(60);
    const open = routes.filter((route) => route.access !== 'anyone' && !closed.includes(route));
    expect(open.map(({ name }) => name).toSorted()).toEqual(
      [
        // Setting up.
        'getSecondFactor',
        'startConfirmation',
        'confirmIdentity',
        'startTotp',
        'confirmTotp',
        'startPasskey',
        'addPasskey',
        // Showing the person, and signing out.
        'currentUser',
        'logout',
        // What was answered under the eyes of the clock.
        'saveAnswer',
        'finishAttempt',
        'uploadChunk',
        'getUpload',
      ].toSorted(),
    );
    for (const route of closed) {
      const answered = await server.send(route, sampleCall(route, scene, server), { as: admin });
      expect([route.name, errorOf(answered).code]).toEqual([
        route.name,
        'SECOND_FACTOR_SETUP_REQUIRED',
      ]);
    }
    // Outside the contract.
    for (const url of ['/api/docs', '/api/docs/json']) {
      const answered = await server.raw({ url, token: admin.token });
      expect([url, errorOf(answered).code]).toEqual([url, 'SECOND_FACTOR_SETUP_REQUIRED']);
    }
  });

  test('students are unaffected, and answers of a running attempt are accepted from anybody', async () => {
    const { student, testId } = await makeSchool(server);
    const admin = await person(ROLE.admin);
    const body = { teacher: true, admin: true };
    const device = new TestDevice(server, student);
    await device.start(testId);
    await server.send(setFactorRequirements, { body }, { as: admin });
    expect((await device.answer(RIGHT.single)).status).toBe(200);
    // The student became a teacher meanwhile.
    await execute(server.pool, 'update users set role = 2 where id = $1', [student.userId]);
    const renamed = await server.send(
      updateProfile,
      { body: { userName: 'Новое Имя' } },
      { as: student },
    );
    expect(errorOf(renamed).code).toBe('SECOND_FACTOR_SETUP_REQUIRED');
    expect(errorOf(await server.send(listUsers, {}, { as: student })).code).toBe(
      'SECOND_FACTOR_SETUP_REQUIRED',
    );
    expect((await device.answer(RIGHT.open)).status).toBe(200);
    expect((await device.finish()).status).toBe(200);
  });

  test("an administrator's setting is in the log of acts once", async () => {
    const admin = await person(ROLE.admin);
    const body = { teacher: true, admin: false };
    for (let n = 0; n < 2; n += 1)
      await server.send(setFactorRequirements, { body }, { as: admin });
    const { body: log } = await server.send(
      listAudit,
      { query: { actorId: admin.userId } },
      { as: admin },
    );
    expect(log.items).toMatchObject([{ act: 'factorRequired', details: { role: ROLE.teacher } }]);
  });
});

describe('a lost phone', () => {
  test('an administrator removes the factors: sign-ins end, the password alone opens again', async () => {
    const [user, admin] = [await person(), await person(ROLE.admin)];
    await enrol(user);
    const found = async () => {
      const query = { searchQuery: user.email };
      const { body } = await server.send(listAdminUsers, { query }, { as: admin });
      return body.items[0]?.hasSecondFactor;
    };
    expect(await found()).toBe(true);
    const params = { userId: user.userId };
    await confirmNow(admin);
    const removed = await server.send(removeUserFactors, { params }, { as: admin });
    expect(removed.status, removed.text).toBe(200);
    expect(await found()).toBe(false);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(401);
    expect((await signIn(user)).status).toBe(200);
    const own = await server.send(
      removeUserFactors,
      { params: { userId: admin.userId } },
      { as: admin },
    );
    expect([own.status, errorOf(own).code]).toEqual([409, 'OWN_ACCOUNT']);
  });

  test('a reset of the password by an administrator or an operator leaves them; the operator removes them by a word of its own', async () => {
    const [user, admin] = [await person(), await person(ROLE.admin)];
    await enrol(user);
    await confirmNow(admin);
    const params = { userId: user.userId };
    const { password } = (await server.send(resetUserPassword, { params }, { as: admin })).body;
    expect(errorOf(await signIn(user, password)).code).toBe('SECOND_FACTOR_REQUIRED');
    const reset = (removesFactors: boolean) =>
      resetByOperator(server.deps, {
        email: user.email,
        mayUnblock: false,
        removesFactors,
        now: server.clock.now,
      });
    const first = await reset(false);
    expect(first.factors).toBe('stay');
    expect(errorOf(await signIn(user, first.password)).code).toBe('SECOND_FACTOR_REQUIRED');
    const second = await reset(true);
    expect(second.factors).toBe('removed');
    expect((await signIn(user, second.password)).status).toBe(200);
    expect((await reset(true)).factors).toBe('none');
  });
});

test("the export of a person's data names the factors and contains no secret of them", async () => {
  const user = await person();
  const { secret, recoveryCodes } = await enrol(user);
  const { bytes } = await exportPerson({
    deps: server.deps,
    userId: user.userId,
    caller: await server.app.authenticate(`Bearer ${user.token}`, server.clock.now),
    now: server.clock.now,
  });
  const files = unzipSync(await buffer(bytes as Readable));
  const text = Buffer.from(files['вход в два шага.json'] ?? []).toString();
  expect(JSON.parse(text)).toMatchObject({
    способы: [{ способ: 'приложение с кодами' }],
    'осталось кодов восстановления': 10,
  });
  const all = Object.values(files).map((file) => Buffer.from(file).toString());
  const secretHex = Buffer.from(Secret.fromBase32(secret).bytes).toString('hex');
  for (const word of [secret, secretHex, ...recoveryCodes])
    expect(all.some((file) => file.includes(word))).toBe(false);
});

test('erasure removes every factor, also where data of others depend on the account', async () => {
  const scene = await makeScene(server);
  const { teacher, admin } = { ...scene, admin: scene.users.admin };
  await enrol(teacher);
  await confirmNow(admin);
  const params = { userId: teacher.userId };
  const erased = await server.send(eraseUser, { params }, { as: admin });
  expect(erased.status, erased.text).toBe(200);
  const left = await one(server.pool, 'select 1 from users where id = $1', [teacher.userId]);
  expect(left).not.toBeNull();
  for (const table of ['passkeys', 'totp_secrets', 'recovery_codes', 'factor_challenges'])
    expect(
      await rows(server.pool, `select 1 from ${table} where user_id = $1`, [teacher.userId]),
    ).toEqual([]);
});

test('one’s own passkey is removed by its owner', async () => {
  const { teacher, passkeyId } = await makeScene(server);
  const params = { passkeyId };
  const removed = await server.send(removePasskey, { params }, { as: teacher });
  expect([removed.status, removed.body.passkeys]).toEqual([200, []]);
});
