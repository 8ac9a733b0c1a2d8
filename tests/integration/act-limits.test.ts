import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login, ROLE } from '#contract/auth.ts';
import { changePassword, exportOwnData, updateProfile } from '#contract/profile.ts';
import { startAttempt } from '#contract/passing.ts';
import { listAudit } from '#contract/admin.ts';
import { HEADER } from '#contract/headers.ts';
import { recordActs } from '#server/admin/audit.ts';
import { forgiveAccount } from '#server/auth/failures.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { errorOf, makeSchool } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PASSWORD = 'Kolokolchik7';
const EXAMPLE = '203.0.113.';

let server: TestServer;
let admin: TestUser;
let passwordHash: string;
beforeAll(async () => {
  server = await testServer();
  admin = await server.user({ role: ROLE.admin, userName: 'Завуч' });
  // Hashed cheaply: this tests limits, not the hash.
  passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 });
});
afterAll(() => server.close());

async function person(): Promise<TestUser> {
  const user = await server.user();
  const values = [user.userId, passwordHash];
  await execute(server.pool, 'update users set password_hash = $2 where id = $1', values);
  return user;
}

const signIn = (email: string, { cookie = '', address = `${EXAMPLE}7` } = {}) =>
  server.raw({
    method: 'POST',
    url: login.path,
    headers: { 'content-type': 'application/json', ...(cookie !== '' && { cookie }) },
    payload: JSON.stringify({ email, password: PASSWORD }),
    remoteAddress: address,
  });

const cookieOf = ({ headers }: { headers: Record<string, string | undefined> }) =>
  headers['set-cookie']?.split(';', 1)[0] ?? '';

async function repeat(times: number, run: (index: number) => Promise<{ status: number }>) {
  const counts: Record<number, number> = {};
  for (let index = 0; index < times; index += 1) {
    const { status } = await run(index);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

/** The next hour begins, and with it new rows of the log. */
function beginHour(): void {
  server.clock.advance(HOUR - (server.clock.now.getTime() % HOUR));
}

describe('right sign-ins of one account', () => {
  test('end after two hundred, from any number of addresses; one more is allowed every half a minute', async () => {
    const { email } = await person();
    const counts = await repeat(230, (index) =>
      signIn(email, { address: `${EXAMPLE}${index % 250}` }),
    );
    expect(counts).toEqual({ 200: 200, 429: 30 });
    const refused = await signIn(email);
    expect(errorOf(refused)).toMatchObject({
      code: 'TOO_MANY_LOGINS',
      message: 'Слишком много входов. Попробуйте снова через 30\u00A0с',
    });
    expect(refused.headers['retry-after']).toBe('30');
    server.clock.advance(MINUTE);
    expect(await repeat(4, () => signIn(email))).toEqual({ 200: 2, 429: 2 });
  });

  test('from elsewhere never close the account to a device that has signed in before', async () => {
    const { email } = await person();
    const cookie = cookieOf(await signIn(email));
    await repeat(210, (index) => signIn(email, { address: `${EXAMPLE}${index}` }));
    expect((await signIn(email)).status).toBe(429);
    // Twenty of its own, then one every ten minutes or one of the account's.
    expect(await repeat(30, () => signIn(email, { cookie }))).toEqual({ 200: 20, 429: 10 });
    expect(errorOf(await signIn(email, { cookie })).message).toBe(
      'Слишком много входов. Попробуйте снова через 30\u00A0с',
    );
    server.clock.advance(10 * MINUTE);
    await repeat(30, () => signIn(email));
    expect(await repeat(3, () => signIn(email, { cookie }))).toEqual({ 200: 1, 429: 2 });
  });

  test('are bounded over all devices that a user with the password can make known', async () => {
    const { email } = await person();
    const cookies: string[] = [];
    const first = await repeat(250, async (index) => {
      const answered = await signIn(email, { address: `${EXAMPLE}${index}` });
      if (cookieOf(answered) !== '') cookies.push(cookieOf(answered));
      return answered;
    });
    expect(first).toEqual({ 200: 200, 429: 50 });
    const further = await repeat(1_000, (index) =>
      signIn(email, { cookie: cookies[index % cookies.length] ?? '' }),
    );
    expect(further).toEqual({ 200: 100, 429: 900 });
    // Six hours later one more device of the account is known.
    server.clock.advance(6 * HOUR);
    const later = [await signIn(email), await signIn(email)].map(cookieOf);
    expect(later.map((cookie) => cookie !== '')).toEqual([true, false]);
  });

  test('repeated by one person on a few devices, as on a bad network, are never refused', async () => {
    const { email } = await person();
    const cookies = ['', '', '', ''];
    const counts = await repeat(160, async (index) => {
      const answered = await signIn(email, { cookie: cookies[index % 4] ?? '' });
      // Every third reply is lost with its cookie.
      if (index % 3 > 0) cookies[index % 4] = cookieOf(answered) || (cookies[index % 4] ?? '');
      return answered;
    });
    expect(counts).toEqual({ 200: 160 });
  });

  test('of many accounts behind one address are not counted together', async () => {
    const emails = await Promise.all(
      Array.from({ length: 45 }, async () => (await person()).email),
    );
    expect(await repeat(450, (index) => signIn(emails[index % 45] ?? ''))).toEqual({ 200: 450 });
  });

  test('are forgotten with a new password', async () => {
    const { email } = await person();
    await repeat(200, () => signIn(email));
    expect((await signIn(email)).status).toBe(429);
    await forgiveAccount(server.pool, email.toLowerCase());
    expect((await signIn(email)).status).toBe(200);
  });
});

describe('own acts of one account', () => {
  const rename = (as: TestUser, userName: string) =>
    server.send(updateProfile, { body: { userName } }, { as });

  test('six hundred renames: twenty at once are stored, further ones wait and change nothing', async () => {
    const user = await person();
    beginHour();
    expect(await repeat(600, (index) => rename(user, `Имя ${index}`))).toEqual({
      200: 20,
      429: 580,
    });
    const refused = await rename(user, 'Другое имя');
    expect(errorOf(refused)).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'Имя меняли слишком много раз. Попробуйте снова через 10\u00A0мин',
    });
    const [stored] = await rows(server.pool, 'select user_name from users where id = $1', [
      user.userId,
    ]);
    expect(stored).toEqual({ user_name: 'Имя 19' });
    // An unchanged name is no rename.
    expect((await rename(user, 'Имя 19')).status).toBe(200);
    server.clock.advance(10 * MINUTE);
    expect((await rename(user, 'Другое имя')).status).toBe(200);
  });

  test('passwords and exports are bounded too', async () => {
    const user = await person();
    const names = [PASSWORD, 'Podsnezhnik4'] as const;
    const change = (index: number) =>
      server.send(
        changePassword,
        {
          body: {
            currentPassword: names[index % 2] ?? '',
            newPassword: names[(index + 1) % 2] ?? '',
          },
        },
        { as: user },
      );
    expect(await repeat(20, change)).toEqual({ 200: 20 });
    expect((await change(20)).status).toBe(429);
    expect(errorOf(await change(20)).message).toBe(
      'Пароль меняли слишком много раз. Попробуйте снова через 10\u00A0мин',
    );
    const save = () => server.send(exportOwnData, {}, { as: user });
    expect(await repeat(25, save)).toEqual({ 200: 20, 429: 5 });
    expect(errorOf(await save()).message).toBe(
      'Данные собирали слишком много раз. Попробуйте снова через 10\u00A0мин',
    );
  });
});

describe('repeated acts in the log', () => {
  const log = async (personId: string) =>
    (
      await server.send(listAudit, { query: { personId, pageSize: 100 } }, { as: admin })
    ).body.items.map(({ act, times, at, lastAt, address, details }) => ({
      act,
      times,
      at,
      lastAt,
      address,
      details,
    }));

  test('identical ones of an hour are one row with a count; others are separate', async () => {
    const user = await person();
    beginHour();
    const begun = server.clock.now.toISOString();
    await repeat(3, () => signIn(user.email));
    await signIn(user.email, { address: `${EXAMPLE}8` });
    await repeat(2, (index) =>
      server.send(updateProfile, { body: { userName: `Имя ${index}` } }, { as: user }),
    );
    server.clock.advance(MINUTE);
    await signIn(user.email);
    const lastAt = server.clock.now.toISOString();
    const first = { at: begun, lastAt: begun, details: {} };
    expect((await log(user.userId)).toSorted((a, b) => b.times - a.times)).toEqual([
      { ...first, act: 'signedIn', times: 4, lastAt, address: `${EXAMPLE}7` },
      { ...first, act: 'userChanged', times: 2, address: null, details: { fields: 'name' } },
      { ...first, act: 'signedIn', times: 1, address: `${EXAMPLE}8` },
    ]);
    beginHour();
    await signIn(user.email);
    expect(await log(user.userId)).toHaveLength(4);
  });

  test('do not use up the rows of refused sign-ins with unknown e-mails', async () => {
    beginHour();
    const acts = Array.from({ length: 110 }, (_, made) => ({
      actorId: admin.userId,
      act: 'usersImported' as const,
      details: { made },
    }));
    await recordActs(server.pool, server.deps, acts, server.clock.now);
    const count = () =>
      one<{ count: number }>(
        server.pool,
        `select count(*) as count from audit_log where act = 'signInFailed' and address is not null
         and at >= $1`,
        [server.clock.now],
      );
    await signIn('nobody@school.test');
    expect(await count()).toEqual({ count: 1 });
  });
});

test('starts leave a bounded number of keys, and the newest are replayed', async () => {
  const { testId, student } = await makeSchool(server);
  const keys = Array.from({ length: 520 }, () => server.deps.newId());
  const send = (key: string) =>
    server.send(
      startAttempt,
      { params: { id: testId } },
      { as: student, headers: { [HEADER.idempotencyKey]: key } },
    );
  const counts = await repeat(keys.length, (index) => send(keys[index] ?? ''));
  expect(counts).toEqual({ 200: 520 });
  const stored = await one<{ count: number }>(
    server.pool,
    'select count(*) as count from start_keys where user_id = $1',
    [student.userId],
  );
  expect(stored).toEqual({ count: 500 });
});
