import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { currentUser, login, logout } from '#contract/auth.ts';
import { listUsers } from '#contract/users.ts';
import { register } from '#contract/registration.ts';
import { HEADER } from '#contract/headers.ts';
import { listSessions } from '#contract/profile.ts';
import { hashToken } from '#server/auth/caller.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { PER_ADDRESS, PER_ORIGIN } from '#server/auth/failures.ts';
import { extendSession } from '#server/auth/sessions.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { cpuMs } from '#tests/cpu.ts';
import { type TestServer, testServer } from '#tests/server.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const password = 'Kolokol7';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(() => execute(server.pool, 'delete from login_failures'));

let made = 0;
async function account(email = `student${(made += 1)}@school.test`) {
  const body = { userName: 'Анна Ковалёва', email, password };
  const answered = await server.send(register, { body });
  expect(answered.status).toBe(200);
  return { email, ...answered.body };
}
/** Accounts with the same password, hashed cheaply: this tests limits, not the hash. */
async function school(students: number): Promise<string[]> {
  const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1 });
  const ids = Array.from({ length: students }, () => server.deps.newId());
  await execute(
    server.pool,
    `insert into users (id, email, user_name, password_hash, created_at)
     select id, id || '@school.test', 'Ученик', $2, $3 from unnest($1::uuid[]) as id`,
    [ids, passwordHash, server.clock.now],
  );
  return ids.map((id) => `${id}@school.test`);
}

const signIn = (email: string, word = password) =>
  server.send(login, { body: { email, password: word } });

describe('registration', () => {
  test('creates a student, signs in and returns no more than the user', async () => {
    const body = { userName: '  Пётр  ', email: 'Petr@School.Test', password };
    const answered = await server.send(register, { body });
    expect(answered.status).toBe(200);
    expect(answered.body.user).toMatchObject({
      userName: 'Пётр',
      email: 'petr@school.test',
      role: 0,
      isAdmin: false,
    });
    expect(answered.body.token).toMatch(/^[\w-]{43}$/);
    const me = await server.send(currentUser, {}, { as: answered.body.token });
    expect(me.body.user.userId).toBe(answered.body.user.userId);
  });

  test('stores neither the password nor the token', async () => {
    const { email, token } = await account();
    const user = await one<{ password_hash: string }>(
      server.pool,
      'select password_hash from users where email = $1',
      [email],
    );
    expect(user?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const stored = await rows(
      server.pool,
      'select token_hash from sessions where token_hash = $1',
      [hashToken(token)],
    );
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(server.logged)).not.toContain(token);
  });

  test('gives each person a constant device key of their own', async () => {
    const anna = await account();
    const boris = await account();
    expect(anna.deviceKey).toMatch(/^[\w-]{43}$/);
    expect(boris.deviceKey).not.toBe(anna.deviceKey);
    expect((await signIn(anna.email)).body.deviceKey).toBe(anna.deviceKey);
    const me = await server.send(currentUser, {}, { as: anna.token });
    expect(me.body.deviceKey).toBe(anna.deviceKey);
    const wrong = await signIn(anna.email, 'Kolokol8');
    expect(wrong.status).toBe(401);
    expect(JSON.stringify(wrong.body)).not.toContain('deviceKey');
    await server.send(logout, {}, { as: anna.token });
    expect((await server.send(currentUser, {}, { as: anna.token })).status).toBe(401);
    // Neither the log nor the database stores it: it is derived from the database's key each time.
    expect(JSON.stringify(server.logged)).not.toContain(anna.deviceKey);
    const { sealKey } = server.deps.state;
    expect(deviceKeyOf(sealKey, anna.user.userId)).toBe(anna.deviceKey);
    expect(deviceKeyOf(Buffer.alloc(32), anna.user.userId)).not.toBe(anna.deviceKey);
  });

  test('refuses an e-mail in use, in any case of letters, and names the field', async () => {
    const { email } = await account();
    const body = { userName: 'Другой', email: email.toUpperCase(), password };
    const again = await server.send(register, { body });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      code: 'EMAIL_TAKEN',
      details: { fields: [{ field: 'email' }] },
    });
  });

  test('of twenty at once with one e-mail exactly one succeeds', async () => {
    const body = { userName: 'Пётр', email: 'twenty@school.test', password };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.send(register, { body })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  test.each(['Qwerty123', 'Password1', 'Gfhjkm123', 'PASSWORD1!', 'Uchitel2026', 'Pyotr2012'])(
    'refuses the common password %s in Russian',
    async (common) => {
      const body = { userName: 'Пётр', email: 'common@school.test', password: common };
      const answered = await server.send(register, { body });
      expect(answered.status).toBe(400);
      expect(answered.body).toMatchObject({
        code: 'VALIDATION',
        details: { fields: [{ field: 'password', message: expect.stringMatching(/[а-я]/) }] },
      });
    },
  );

  test('reports every invalid field in the texts of the form', async () => {
    const answered = await server.raw({
      method: 'POST',
      url: '/api/auth/register',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ userName: '', email: 'нет', password: 'abc', role: 1 }),
    });
    expect(answered.status).toBe(400);
    expect(answered.body).toMatchObject({
      details: {
        fields: expect.arrayContaining([
          { field: 'userName', message: 'Пожалуйста, введите логин' },
          { field: 'email', message: 'Неверный формат электронной почты' },
          { field: 'password', message: 'Пароль должен быть не менее 6 символов' },
          { field: 'role', message: 'Лишнее поле' },
        ]),
      },
    });
  });

  test('is refused where the school creates the accounts', async () => {
    const closed = await testServer({ settings: { registration: 'closed' } });
    try {
      const body = { userName: 'Пётр', email: 'petr@school.test', password };
      const answered = await closed.send(register, { body });
      expect([answered.status, answered.body]).toMatchObject([
        403,
        { code: 'REGISTRATION_CLOSED' },
      ]);
    } finally {
      await closed.close();
    }
  });
});

describe('signing in', () => {
  test('accepts the e-mail in any case of letters', async () => {
    const { email, user } = await account();
    const answered = await signIn(` ${email.toUpperCase()} `);
    expect(answered.status).toBe(200);
    expect(answered.body.user.userId).toBe(user.userId);
  });

  test('answers an unknown account like a wrong password', async () => {
    const { email } = await account();
    const [wrong, unknown] = [await signIn(email, 'Nope1234'), await signIn('nobody@school.test')];
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const { requestId: _, ...first } = wrong.body as unknown as Record<string, unknown>;
    const { requestId: __, ...second } = unknown.body as unknown as Record<string, unknown>;
    expect(first).toEqual(second);
    expect(first['code']).toBe('BAD_CREDENTIALS');
  });

  test('an unknown account costs as much work as a wrong password', async () => {
    const { email } = await account();
    const median = async (address: string) => {
      const times: number[] = [];
      for (let n = 0; n < 7; n += 1) {
        const from = cpuMs();
        await signIn(address, 'Nope1234');
        times.push(cpuMs() - from);
      }
      return times.toSorted((a, b) => a - b)[3] ?? 0;
    };
    await signIn('warm@school.test', 'Nope1234');
    const [known, unknown] = [await median(email), await median('nobody2@school.test')];
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
  });

  test('is closed for an account after ten failures, for the right password too, and opens again', async () => {
    const { email } = await account();
    for (let n = 0; n < PER_ORIGIN.atOnce; n += 1)
      expect((await signIn(email, 'Nope1234')).status).toBe(401);
    const locked = await signIn(email);
    expect(locked.status).toBe(429);
    expect(locked.body).toMatchObject({ code: 'TOO_MANY_LOGINS' });
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
    server.clock.advance(16 * MINUTE);
    expect((await signIn(email)).status).toBe(200);
  });

  test('hardly more than ten of parallel guesses are verified', async () => {
    const { email } = await account();
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(email, 'Nope1234')));
    const judged = answers.filter(({ status }) => status === 401).length;
    expect(judged).toBeGreaterThanOrEqual(PER_ORIGIN.atOnce);
    expect(judged).toBeLessThan(PER_ORIGIN.atOnce + 3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - judged);
  });

  test('failures of a whole school behind one address close it to guesses and not to right passwords', async () => {
    const emails = await school(PER_ADDRESS.atOnce + 1);
    const [own = '', ...others] = emails;
    await Promise.all(others.map((email) => signIn(email, 'Nope1234')));
    expect((await signIn(own)).status).toBe(200);
    for (let n = 0; n < 3; n += 1) await signIn(own, 'Nope1234');
    expect((await signIn(own, 'Nope1234')).status).toBe(429);
    const body = { userName: 'Пётр', email: 'loud@school.test', password };
    expect((await server.send(register, { body })).status).toBe(200);
  });

  test('three hundred students behind one address sign in at once', async () => {
    const emails = await school(300);
    const answers = await Promise.all(emails.map((email) => signIn(email)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  test('a hundred sign-ins at once to one account all succeed', async () => {
    const [email = ''] = await school(1);
    // From the second round on every sign-in ends an older one, at the same time as the others.
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(email)));
      expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    }
  });
});

describe('a session', () => {
  test('ends with logout, and only that one', async () => {
    const { email, token } = await account();
    const other = (await signIn(email)).body.token;
    expect((await server.send(logout, {}, { as: token })).status).toBe(200);
    const after = await server.send(currentUser, {}, { as: token });
    expect([after.status, after.body]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
    expect((await server.send(currentUser, {}, { as: other })).status).toBe(200);
  });

  test('ends after three days without a call', async () => {
    const user = await server.user();
    server.clock.advance(3 * DAY - MINUTE);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(200);
    server.clock.advance(3 * DAY - MINUTE);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(200);
    server.clock.advance(3 * DAY);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(401);
  });

  test('ends after seven days however busy', async () => {
    const user = await server.user();
    for (let day = 0; day < 6; day += 1) {
      server.clock.advance(DAY);
      expect((await server.send(currentUser, {}, { as: user })).status).toBe(200);
    }
    server.clock.advance(DAY);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(401);
  });

  test('ends when the replies said, idle days included, and each use extends that', async () => {
    const { email } = await account();
    const signedIn = (await signIn(email)).body;
    const begun = server.clock.now.getTime();
    const after = (days: number) => new Date(begun + days * DAY).toISOString();
    const callAs = (as = signedIn.token) => server.send(currentUser, {}, { as });
    const currentEnd = async () => {
      const answered = await callAs();
      expect(answered.status).toBe(200);
      expect(answered.headers[HEADER.sessionExpiresAt]).toBe(answered.body.expiresAt);
      return answered.body.expiresAt;
    };
    expect(signedIn.expiresAt).toBe(after(3));
    server.clock.advance(2 * DAY);
    expect(await currentEnd()).toBe(after(5));
    const forgotten = (await signIn(email)).body;
    server.clock.advance(3 * DAY - 1);
    const listed = await server.send(listSessions, {}, { as: signedIn.token });
    expect(listed.body.items.map(({ expiresAt }) => expiresAt)).toEqual([after(7), after(5)]);
    expect(await currentEnd()).toBe(after(7));
    server.clock.advance(1);
    expect((await callAs(forgotten.token)).status).toBe(401);
    server.clock.advance(2 * DAY - 1);
    expect(await currentEnd()).toBe(after(7));
    server.clock.advance(1);
    expect((await callAs()).status).toBe(401);
  });

  test('a refused call reports until when the sign-in is valid, one without a sign-in does not', async () => {
    const user = await server.user();
    const refused = await server.send(listUsers, {}, { as: user });
    expect(refused.status).toBe(403);
    expect(refused.headers[HEADER.sessionExpiresAt]).toBe(
      new Date(server.clock.now.getTime() + 3 * DAY).toISOString(),
    );
    const unsigned = await server.send(currentUser, {});
    expect(unsigned.headers).not.toHaveProperty(HEADER.sessionExpiresAt);
  });

  test('extended beyond a far deadline is valid until then without a call', async () => {
    const user = await server.user();
    const until = new Date(server.clock.now.getTime() + 20 * DAY);
    expect(await extendSession(server.pool, hashToken(user.token), until)).toEqual(until);
    server.clock.advance(20 * DAY - MINUTE);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(200);
    server.clock.advance(MINUTE);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(401);
  });

  test('is never shortened by an extension', async () => {
    const user = await server.user();
    const extend = (ms: number) =>
      extendSession(server.pool, hashToken(user.token), new Date(server.clock.now.getTime() + ms));
    const far = await extend(20 * DAY);
    expect(await extend(MINUTE)).toEqual(far);
  });

  test('of a blocked account is refused at its next call and at sign-in, and reported only to those who know the password', async () => {
    const { email, token, user } = await account();
    await execute(server.pool, 'update users set blocked_at = $2 where id = $1', [
      user.userId,
      server.clock.now,
    ]);
    const call = await server.send(currentUser, {}, { as: token });
    expect([call.status, call.body]).toMatchObject([401, { code: 'ACCOUNT_BLOCKED' }]);
    expect((await signIn(email)).body).toMatchObject({ code: 'ACCOUNT_BLOCKED' });
    expect((await signIn(email, 'Nope1234')).body).toMatchObject({ code: 'BAD_CREDENTIALS' });
  });

  test('gets a new role at the next call', async () => {
    const user = await server.user();
    expect((await server.send(listUsers, {}, { as: user })).status).toBe(403);
    await execute(server.pool, 'update users set role = 2 where id = $1', [user.userId]);
    const answered = await server.send(listUsers, {}, { as: user });
    expect(answered.status).toBe(200);
    const found = answered.body.items.find(({ userId }) => userId === user.userId);
    expect(found).toMatchObject({ userName: user.userName, role: 2 });
    expect(answered.body.total).toBe(answered.body.items.length);
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Bearer short',
    `Bearer ${'я'.repeat(43)}`,
  ])('is not opened by the header «%s»', async (authorization) => {
    const answered = await server.raw({
      url: '/api/user/me',
      headers: { authorization: Buffer.from(authorization).toString('latin1') },
    });
    expect([answered.status, answered.body]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
  });
});
