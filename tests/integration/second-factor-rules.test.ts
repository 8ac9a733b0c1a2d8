import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAudit, setUserBlocked } from '#contract/admin.ts';
import { currentUser, ROLE } from '#contract/auth.ts';
import { listSessions } from '#contract/profile.ts';
import {
  addPasskey,
  confirmIdentity,
  confirmTotp,
  getFactorRequirements,
  getSecondFactor,
  loginSecondFactor,
  makeRecoveryCodes,
  PASSKEYS_PER_PERSON,
  removePasskey,
  removeTotp,
  removeUserFactors,
  setFactorRequirements,
  startConfirmation,
  startPasskey,
  startTotp,
} from '#contract/second-factor.ts';
import { spendSignIn } from '#server/auth/act-limits.ts';
import { MAX_OPEN_SIGN_INS } from '#server/auth/second-factor/challenges.ts';
import { FACTOR_TRIES } from '#server/auth/second-factor/failures.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { SoftwareAuthenticator } from '#tests/authenticator.ts';
import { awaitBlocked, whileLocked } from '#tests/locks.ts';
import { errorOf } from '#tests/school.ts';
import {
  beginSignIn,
  codeOf,
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
const ORIGIN = 'http://localhost';

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

const stateOf = async (user: TestUser) =>
  (await server.send(getSecondFactor, {}, { as: user })).body;
const enrolmentActs = (user: TestUser) =>
  rows<{ act: string; kind: string; times: number }>(
    server.pool,
    `select act, details ->> 'kind' as kind, times from audit_log where person_id = $1 and act like 'factor%' order by at, act`,
    [user.userId],
  );
/** Erases the account in a transaction during which `call` has begun. */
async function eraseDuring<T>(user: TestUser, call: () => Promise<T>): Promise<T> {
  let answered: Promise<T> | undefined;
  await whileLocked(
    server.pool,
    (client) =>
      client.query('update users set erased_at = $2 where id = $1', [
        user.userId,
        server.clock.now,
      ]),
    async () => {
      answered = call();
      await awaitBlocked(server.pool, 1);
    },
  );
  if (!answered) throw new Error('nothing was called');
  return answered;
}

describe('what a refusal says', () => {
  test('too many open steps: until the first of them ends', async () => {
    const user = await createPerson(server);
    await enrolApp(server, user);
    await beginSignIn(server, user);
    server.clock.advance(4 * MINUTE);
    for (let n = 1; n < MAX_OPEN_SIGN_INS; n += 1) await beginSignIn(server, user);
    const refused = await signInWithPassword(server, user);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, `${6 * 60}`]);
    server.clock.advance(6 * MINUTE - 500);
    expect((await signInWithPassword(server, user)).headers['retry-after']).toBe('1');
    server.clock.advance(500);
    await beginSignIn(server, user);
  });

  test('too many codes: until the window ends that the first wrong one began', async () => {
    const user = await createPerson(server);
    const { secret } = await enrolApp(server, user);
    const { challenge } = await beginSignIn(server, user);
    await sendCode(server, challenge, '000000');
    server.clock.advance(5 * MINUTE);
    for (let n = 1; n < FACTOR_TRIES; n += 1) await sendCode(server, challenge, '000000');
    const refused = await sendCode(server, challenge, codeOf(server, secret));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, `${10 * 60}`]);
  });

  test('a call that names no address: that the call is invalid', async () => {
    const user = await createPerson(server);
    const refused = await server.send(startTotp, {}, { as: user, headers: { host: 'a b' } });
    expect([refused.status, errorOf(refused).code]).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('an app', () => {
  test.each([
    ['before', -30 * SECOND],
    ['after', 30 * SECOND],
  ])('with its clock a step %s: its code works once', async (_, shift) => {
    const user = await createPerson(server);
    const { secret } = await enrolApp(server, user);
    const code = codeOf(server, secret, new Date(server.clock.now.getTime() + shift));
    const use = async () =>
      (await sendCode(server, (await beginSignIn(server, user)).challenge, code)).status;
    expect([await use(), await use()]).toEqual([200, 422]);
    const present = codeOf(server, secret);
    const { challenge } = await beginSignIn(server, user);
    // After a code of the next step the present one is an older one.
    expect((await sendCode(server, challenge, present)).status).toBe(shift < 0 ? 200 : 422);
  });

  test('is set up with a QR code that names the site, the account and the secret to type', async () => {
    const user = await createPerson(server);
    const { uri, secret } = (await server.send(startTotp, {}, { as: user })).body;
    const url = new URL(uri);
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(url.pathname)).toBe(`/localhost:${user.email}`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      issuer: 'localhost',
      secret,
      digits: '6',
      period: '30',
      algorithm: 'SHA1',
    });
    // 160 bits, as RFC 4226 recommends.
    expect(secret).toMatch(/^[2-7A-Z]{32}$/);
  });

  test('of a person with only a passkey accepts no code', async () => {
    const user = await createPerson(server);
    await createPasskey(server, user, new SoftwareAuthenticator(ORIGIN));
    const { challenge } = await beginSignIn(server, user);
    const refused = await sendCode(server, challenge, '000000');
    expect([refused.status, errorOf(refused).code]).toEqual([422, 'WRONG_FACTOR']);
  });

  test('that is replaced was never used, and shows when it was set up', async () => {
    const user = await createPerson(server);
    const { secret } = await enrolApp(server, user);
    const { challenge } = await beginSignIn(server, user);
    const usedAt = server.clock.now.toISOString();
    await sendCode(server, challenge, codeOf(server, secret));
    expect((await stateOf(user)).totp?.lastUsedAt).toBe(usedAt);
    server.clock.advance(MINUTE);
    const createdAt = server.clock.now.toISOString();
    await enrolApp(server, user);
    expect((await stateOf(user)).totp).toEqual({ createdAt, lastUsedAt: null });
  });

  test('that is not set up is removed without effect', async () => {
    const [user, admin] = [await createPerson(server), await createPerson(server, ROLE.admin)];
    const body = { teacher: true, admin: false };
    await createPasskey(server, user, new SoftwareAuthenticator(ORIGIN));
    await server.send(setFactorRequirements, { body }, { as: admin });
    const before = await stateOf(user);
    const removed = await server.send(removeTotp, {}, { as: user });
    expect([removed.status, removed.body]).toEqual([200, before]);
    expect(await enrolmentActs(user)).toEqual([{ act: 'factorAdded', kind: 'passkey', times: 1 }]);
  });
});

describe('a passkey', () => {
  const prove = async (user: TestUser, key: SoftwareAuthenticator, userHandle?: string) => {
    const { challenge, passkey } = await beginSignIn(server, user);
    if (!passkey) throw new Error('no passkey is asked for');
    const assertion = key.assert(passkey);
    const response = { ...assertion.response, ...(userHandle !== undefined && { userHandle }) };
    const proof = { method: 'passkey' as const, assertion: { ...assertion, response } };
    return server.send(loginSecondFactor, { body: { challenge, proof } });
  };

  test('is accepted without a PIN, and with a name of its owner', async () => {
    const user = await createPerson(server);
    const key = new SoftwareAuthenticator(ORIGIN);
    key.isVerifying = false;
    expect((await createPasskey(server, user, key)).status).toBe(200);
    expect((await prove(user, key)).status).toBe(200);
    const handle = Buffer.from(user.userId).toString('base64url');
    expect((await prove(user, key, handle)).status).toBe(200);
  });

  test('is created with what the browser needs, and not twice on one key', async () => {
    const user = await createPerson(server);
    const key = new SoftwareAuthenticator(ORIGIN);
    const first = await server.send(startPasskey, {}, { as: user });
    expect(first.body.options).toMatchObject({
      rp: { id: 'localhost', name: 'Учебная платформа' },
      user: {
        id: Buffer.from(user.userId).toString('base64url'),
        name: user.email,
        displayName: user.userName,
      },
      // Ed25519, ES256, RS256.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 5 * MINUTE,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false },
    });
    const attestation = key.attest(first.body.options);
    const response = { ...attestation.response, transports: ['usb', 'nfc'] };
    const sent = {
      challenge: first.body.challenge,
      name: 'Ключ',
      attestation: { ...attestation, response },
    };
    expect((await server.send(addPasskey, { body: sent }, { as: user })).status).toBe(200);
    const known = [{ id: attestation.id, type: 'public-key', transports: ['usb', 'nfc'] }];
    const next = await server.send(startPasskey, {}, { as: user });
    expect(next.body.options.excludeCredentials).toEqual(known);
    expect((await beginSignIn(server, user)).passkey?.allowCredentials).toEqual(known);
  });

  test('beyond the tenth is refused, though it was begun before', async () => {
    const user = await createPerson(server);
    const { body } = await server.send(startPasskey, {}, { as: user });
    await execute(
      server.pool,
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       select gen_random_uuid(), $1, gen_random_uuid()::text, '\\x00', 0, '{}', 'Ключ', $2
       from generate_series(1, $3)`,
      [user.userId, server.clock.now, PASSKEYS_PER_PERSON],
    );
    const attestation = new SoftwareAuthenticator(ORIGIN).attest(body.options);
    const sent = { challenge: body.challenge, name: 'Ключ', attestation };
    const refused = await server.send(addPasskey, { body: sent }, { as: user });
    expect([refused.status, errorOf(refused).code]).toEqual([409, 'TOO_MANY_PASSKEYS']);
  });

  test('of another user is not found, and stays', async () => {
    const [user, other] = [await createPerson(server), await createPerson(server)];
    await createPasskey(server, other, new SoftwareAuthenticator(ORIGIN));
    await createPasskey(server, user, new SoftwareAuthenticator(ORIGIN));
    const params = { passkeyId: (await stateOf(other)).passkeys[0]?.id ?? '' };
    const refused = await server.send(removePasskey, { params }, { as: user });
    expect([refused.status, errorOf(refused).code]).toEqual([404, 'NOT_FOUND']);
    expect((await stateOf(other)).passkeys).toHaveLength(1);
    expect(await enrolmentActs(user)).toEqual([{ act: 'factorAdded', kind: 'passkey', times: 1 }]);
  });
});

describe('several factors', () => {
  test('a second one ends no sign-in and replaces no recovery codes, in any order', async () => {
    for (const isAppFirst of [true, false]) {
      const user = await createPerson(server);
      const key = new SoftwareAuthenticator(ORIGIN);
      const { recoveryCodes } = isAppFirst
        ? await enrolApp(server, user)
        : { recoveryCodes: (await createPasskey(server, user, key)).body.recoveryCodes ?? [] };
      const { challenge } = await beginSignIn(server, user);
      const other = (await sendRecovery(server, challenge, recoveryCodes[0])).body.token;
      if (isAppFirst)
        expect((await createPasskey(server, user, key)).body.recoveryCodes).toBeNull();
      else expect((await enrolApp(server, user)).recoveryCodes).toEqual([]);
      expect((await server.send(currentUser, {}, { as: other })).status).toBe(200);
      const next = await beginSignIn(server, user);
      expect(next.methods).toEqual(['passkey', 'totp', 'recovery']);
      expect((await sendRecovery(server, next.challenge, recoveryCodes[1])).status).toBe(200);
    }
  });

  test('of an app and a passkey either one is removed, also where one is required; the codes stay', async () => {
    const admin = await createPerson(server, ROLE.admin);
    const body = { teacher: true, admin: false };
    await server.send(setFactorRequirements, { body }, { as: admin });
    for (const removesApp of [true, false]) {
      const user = await createPerson(server);
      await enrolApp(server, user);
      await createPasskey(server, user, new SoftwareAuthenticator(ORIGIN));
      const params = { passkeyId: (await stateOf(user)).passkeys[0]?.id ?? '' };
      const removed = removesApp
        ? await server.send(removeTotp, {}, { as: user })
        : await server.send(removePasskey, { params }, { as: user });
      expect(removed.status, removed.text).toBe(200);
      expect(removed.body).toMatchObject({ isRequired: true, recoveryCodesLeft: 10 });
    }
  });

  test('recovery codes are offered while there are any', async () => {
    const user = await createPerson(server);
    await enrolApp(server, user);
    await execute(server.pool, 'delete from recovery_codes where user_id = $1', [user.userId]);
    expect((await beginSignIn(server, user)).methods).toEqual(['totp']);
    expect((await stateOf(user)).recoveryCodesLeft).toBe(0);
  });

  test('recovery codes are made for those with a factor alone', async () => {
    const user = await createPerson(server);
    const refused = await server.send(makeRecoveryCodes, {}, { as: user });
    expect(errorOf(refused).code).toBe('NO_FACTOR');
    expect((await stateOf(user)).recoveryCodesLeft).toBe(0);
  });
});

describe('a requirement', () => {
  test('of one role holds for no other, and ends with the administrator’s next setting', async () => {
    const [teacher, admin] = [await createPerson(server), await createPerson(server, ROLE.admin)];
    const require = async (body: { teacher: boolean; admin: boolean }) => {
      expect((await server.send(setFactorRequirements, { body }, { as: admin })).body).toEqual(
        body,
      );
      expect((await server.send(getFactorRequirements, {}, { as: admin })).body).toEqual(body);
      return [(await stateOf(teacher)).isRequired, (await stateOf(admin)).isRequired];
    };
    await enrolApp(server, admin);
    expect(await require({ teacher: true, admin: false })).toEqual([true, false]);
    expect(await require({ teacher: false, admin: true })).toEqual([false, true]);
    expect((await signInWithPassword(server, teacher)).body).not.toHaveProperty('mustSetUpFactor');
    expect(await require({ teacher: true, admin: true })).toEqual([true, true]);
    expect(await require({ teacher: false, admin: false })).toEqual([false, false]);
    const query = { actorId: admin.userId, act: 'factorRequired' as const };
    const { items } = (await server.send(listAudit, { query }, { as: admin })).body;
    expect(items.length).toBeGreaterThan(0);
    const student = await server.user();
    const own = await server.send(currentUser, {}, { as: student });
    expect(own.body).not.toHaveProperty('mustSetUpFactor');
  });
});

describe('a sign-in of two steps', () => {
  test('shows its device in the list of sign-ins', async () => {
    const user = await createPerson(server);
    const { secret } = await enrolApp(server, user);
    const { challenge } = await beginSignIn(server, user);
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const code = codeOf(server, secret);
    const { body } = await sendCode(server, challenge, code, { 'user-agent': agent });
    const { items } = (await server.send(listSessions, {}, { as: body.token })).body;
    expect(items.find(({ isCurrent }) => isCurrent)?.device).toMatch(/Firefox/);
  });

  test('from elsewhere never closes the account to a device that has signed in before', async () => {
    const user = await createPerson(server);
    const { secret } = await enrolApp(server, user);
    const proveFrom = async (cookie: string) => {
      const { challenge } = await beginSignIn(server, user);
      const code = codeOf(server, secret);
      const answered = await sendCode(server, challenge, code, cookie === '' ? {} : { cookie });
      server.clock.advance(30 * SECOND);
      return answered;
    };
    const first = await proveFrom('');
    const cookie = first.headers['set-cookie']?.split(';', 1)[0] ?? '';
    const theirs = await createPerson(server);
    const { secret: other } = await enrolApp(server, theirs);
    const begun = await beginSignIn(server, theirs);
    const foreign = await sendCode(server, begun.challenge, codeOf(server, other));
    const foreignCookie = foreign.headers['set-cookie']?.split(';', 1)[0] ?? '';
    const elsewhere = { id: user.userId, email: user.email, device: null };
    for (let n = 0; n < 205; n += 1)
      await spendSignIn(server.pool, elsewhere, server.clock.now).catch(() => undefined);
    // A device of another account is no known one.
    expect((await proveFrom(foreignCookie)).status).toBe(429);
    expect((await proveFrom(cookie)).status).toBe(200);
  });

  test('ends when the account is erased meanwhile', async () => {
    const user = await createPerson(server);
    const { secret } = await enrolApp(server, user);
    const { challenge } = await beginSignIn(server, user);
    const code = codeOf(server, secret);
    const answered = await eraseDuring(user, () => sendCode(server, challenge, code));
    expect([answered.status, errorOf(answered).code]).toEqual([409, 'FACTOR_STEP_OVER']);
  });
});

describe('setting up', () => {
  test('stops when the account is erased meanwhile', async () => {
    const user = await createPerson(server);
    const { challenge, secret } = (await server.send(startTotp, {}, { as: user })).body;
    const body = { challenge, code: codeOf(server, secret) };
    const answered = await eraseDuring(user, () =>
      server.send(confirmTotp, { body }, { as: user }),
    );
    expect([answered.status, errorOf(answered).code]).toEqual([401, 'UNAUTHORIZED']);
    expect(
      await one(server.pool, 'select 1 from totp_secrets where user_id = $1', [user.userId]),
    ).toBeNull();
  });

  test('stops when the account is blocked', async () => {
    const [user, admin] = [await createPerson(server), await createPerson(server, ROLE.admin)];
    const params = { userId: user.userId };
    await server.send(setUserBlocked, { params, body: { isBlocked: true } }, { as: admin });
    expect(errorOf(await server.send(startTotp, {}, { as: user })).code).toBe('ACCOUNT_BLOCKED');
  });
});

describe('a proof of identity', () => {
  test('says until when it is valid', async () => {
    const user = await createPerson(server);
    const { secret } = await enrolApp(server, user);
    const { challenge } = (await server.send(startConfirmation, {}, { as: user })).body;
    const code = codeOf(server, secret);
    const answered = await confirmWithCode(server, user, { challenge, code });
    const until = new Date(server.clock.now.getTime() + 5 * MINUTE).toISOString();
    expect(answered.body.confirmedUntil).toBe(until);
  });

  test('drops the oldest of many open steps of its sign-in, and no newer one', async () => {
    const user = await createPerson(server);
    const steps: string[] = [];
    for (let n = 0; n < 11; n += 1) {
      server.clock.advance(1_000);
      steps.push((await server.send(startConfirmation, {}, { as: user })).body.challenge);
    }
    const statuses: number[] = [];
    for (const challenge of steps) {
      const proof = { method: 'password' as const, password: PASSWORD };
      const body = { challenge, proof };
      statuses.push((await server.send(confirmIdentity, { body }, { as: user })).status);
    }
    expect(statuses).toEqual([409, ...Array.from({ length: 10 }, () => 200)]);
  });

  test('by the password is reported at its field when it is wrong, and uses the step up when right', async () => {
    const user = await createPerson(server);
    const { challenge } = (await server.send(startConfirmation, {}, { as: user })).body;
    const prove = (password: string) =>
      server.send(
        confirmIdentity,
        { body: { challenge, proof: { method: 'password', password } } },
        { as: user },
      );
    expect(errorOf(await prove('Nope1234')).details).toMatchObject({
      fields: [{ field: 'password' }],
    });
    expect((await prove(PASSWORD)).status).toBe(200);
    expect(errorOf(await prove(PASSWORD)).code).toBe('FACTOR_STEP_OVER');
  });
});

test('an administrator who removes the factors ends open steps and forgives wrong codes', async () => {
  const [user, admin] = [await createPerson(server), await createPerson(server, ROLE.admin)];
  const { secret } = await enrolApp(server, user);
  const { challenge } = await beginSignIn(server, user);
  for (let n = 0; n < FACTOR_TRIES; n += 1) await sendCode(server, challenge, '000000');
  const params = { userId: user.userId };
  expect((await server.send(removeUserFactors, { params }, { as: admin })).status).toBe(200);
  const over = await sendCode(server, challenge, codeOf(server, secret));
  expect(errorOf(over).code).toBe('FACTOR_STEP_OVER');
  const { token } = (await signInWithPassword(server, user)).body;
  const { secret: next } = await enrolApp(server, { ...user, token });
  const again = await beginSignIn(server, user);
  expect((await sendCode(server, again.challenge, codeOf(server, next))).status).toBe(200);
});
