import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import { execute, rows } from '#server/db/query.ts';
import { type Answered, type TestServer, testServer } from '#tests/server.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const PASSWORD = 'Kolokol7';
const SCHOOL = '198.51.100.7';
const ELSEWHERE = '203.0.113.9';
/** The number of tries by which the security audit locked everybody out of the old server. */
const ATTACK = 319;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(() => execute(server.pool, 'delete from login_failures'));

/** Accounts with the same password, hashed cheaply: this tests limits, not the hash. */
async function people(count: number, role: RoleNumber = ROLE.student): Promise<string[]> {
  const passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 });
  const ids = Array.from({ length: count }, () => server.deps.newId());
  await execute(
    server.pool,
    `insert into users (id, email, user_name, role, password_hash, created_at)
     select id, id || '@school.test', 'Человек', $2, $3, $4 from unnest($1::uuid[]) as id`,
    [ids, role, passwordHash, server.clock.now],
  );
  return ids.map((id) => `${id}@school.test`);
}

interface Try {
  email: string;
  password?: string;
  address?: string;
  /** The browser's cookie, `device=…`; empty: none. */
  cookie?: string;
}

const post = (url: string, body: object, { address = SCHOOL, cookie = '' }: Partial<Try> = {}) =>
  server.raw({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...(cookie !== '' && { cookie }) },
    payload: JSON.stringify(body),
    remoteAddress: address,
  });
const signIn = ({ email, password = PASSWORD, ...from }: Try) =>
  post('/api/auth/login', { email, password }, from);
const guess = (of: Try) => signIn({ password: 'Nope1234', ...of });
const cookieOf = (answered: Answered<unknown>) =>
  answered.headers['set-cookie']?.split(';', 1)[0] ?? '';

/** The cookie of a browser on which the account has signed in; each browser has its own. */
async function deviceOf(email: string, cookie = ''): Promise<string> {
  const answered = await signIn({ email, cookie });
  expect(answered.status).toBe(200);
  return cookieOf(answered);
}

/** Wrong passwords for all in turn, sent at once. */
const attack = (emails: readonly string[], address: string, tries = ATTACK) =>
  Array.from({ length: tries }, (_, n) =>
    guess({ email: emails[n % emails.length] ?? '', address }),
  );

const statuses = (answers: readonly Answered<unknown>[]) => answers.map(({ status }) => status);
const countOf = (answers: readonly Answered<unknown>[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const all = (status: number, count: number) => Array.from({ length: count }, () => status);

/** Thirty students, a teacher, an administrator. */
async function everybody(): Promise<string[]> {
  return [
    ...(await people(30)),
    ...(await people(1, ROLE.teacher)),
    ...(await people(1, ROLE.admin)),
  ];
}

describe('while an attack goes on', () => {
  test('thirty students, the teacher and the administrator sign in at the first try on known devices, behind the very address of the attack', async () => {
    const emails = await everybody();
    const devices = await Promise.all(emails.map((email) => deviceOf(email)));
    await Promise.all(attack(emails, SCHOOL));
    let refused = 0;
    const stillGoing = attack(emails, SCHOOL).map(async (answer) => {
      await answer;
      refused += 1;
    });
    const answers = await Promise.all(
      emails.map((email, n) => signIn({ email, cookie: devices[n] ?? '' })),
    );
    expect(statuses(answers)).toEqual(all(200, emails.length));
    // They overtook most of the earlier tries.
    expect(refused).toBeLessThan(ATTACK / 2);
    await Promise.all(stillGoing);
  });

  test('thirty students, the teacher and the administrator sign in at the first try on new devices behind another address', async () => {
    const emails = await everybody();
    await Promise.all(attack(emails, ELSEWHERE));
    const stillGoing = attack(emails, ELSEWHERE);
    const answers = await Promise.all(emails.map((email) => signIn({ email })));
    expect(statuses(answers)).toEqual(all(200, emails.length));
    await Promise.all(stillGoing);
  });

  test.each([
    ['a device that it knows', ELSEWHERE, true],
    ['a new device behind another address', SCHOOL, false],
    ['a new device behind the same address', ELSEWHERE, false],
  ])('anonymous sign-ins do not delay an account on %s', async (_, address, isKnown) => {
    const [email = ''] = await people(1);
    const cookie = isKnown ? await deviceOf(email) : '';
    let judged = 0;
    const flood = Array.from({ length: 120 }, async (__, n) => {
      await guess({ email: `nobody${n}@school.test`, address: ELSEWHERE });
      judged += 1;
    });
    expect((await signIn({ email, address, cookie })).status).toBe(200);
    expect(judged).toBeLessThan(30);
    await Promise.all(flood);
  });

  test('an account that is not attacked signs in at the first try on a new device behind its address', async () => {
    const [emails, others] = [await everybody(), await people(30)];
    await Promise.all(attack(emails, SCHOOL));
    const answers = await Promise.all(others.map((email) => signIn({ email })));
    expect(statuses(answers)).toEqual(all(200, others.length));
  });
});

test('an address is slowed before it closes accounts: a minute after an attack new devices behind it sign in', async () => {
  const emails = await everybody();
  const answers = await Promise.all(attack(emails, SCHOOL));
  // The address is slowed after a hundred; tries in progress then are judged too.
  expect(countOf(answers, 401)).toBeGreaterThanOrEqual(90);
  expect(countOf(answers, 401)).toBeLessThan(110);
  server.clock.advance(MINUTE);
  const after = await Promise.all(emails.map((email) => signIn({ email })));
  expect(statuses(after)).toEqual(all(200, emails.length));
});

describe('a refusal', () => {
  test('announces when to try again, and then the right password opens', async () => {
    const [email = ''] = await people(1);
    for (let n = 0; n < 10; n += 1) expect((await guess({ email })).status).toBe(401);
    const refused = await signIn({ email });
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      '60',
      {
        code: 'TOO_MANY_LOGINS',
        message: 'Слишком много неверных паролей. Попробуйте снова через 1\u00a0мин',
        requestId: expect.any(String),
      },
    ]);
    server.clock.advance(59 * SECOND);
    expect((await signIn({ email })).headers['retry-after']).toBe('1');
    server.clock.advance(SECOND);
    expect((await signIn({ email })).status).toBe(200);
  });

  test.each([
    [
      'an address of IPv6 with its neighbours of the same /64',
      '2001:db8:1:2::1',
      '2001:db8:1:2:9::9',
    ],
    ['an address of IPv4 written as one of IPv6', SCHOOL, `::ffff:${SCHOOL}`],
  ])('holds for %s', async (_, address, same) => {
    const [email = ''] = await people(1);
    for (let n = 0; n < 10; n += 1) await guess({ email, address });
    expect((await signIn({ email, address: same })).status).toBe(429);
    expect((await signIn({ email, address: '2001:db8:1:3::1' })).status).toBe(200);
  });
});

/** How many of an hour's fastest possible guesses are verified. */
async function judgedInAnHour(one: (minute: number) => Try, atOnce: number): Promise<number> {
  let judged = 0;
  for (let passed = 0; passed < 60 * MINUTE; passed += 30 * SECOND) {
    const tries = Array.from({ length: atOnce }, () => guess(one(passed)));
    judged += countOf(await Promise.all(tries), 401);
    server.clock.advance(30 * SECOND);
  }
  return judged;
}

describe('guesses at one account stay bounded', () => {
  // Of guesses sent at once, those verified together may pass the limit: three at a time.
  test('from an unknown device: ten at once, then sixty an hour', async () => {
    const [email = ''] = await people(1);
    for (let n = 0; n < 10; n += 1) await guess({ email });
    const judged = await judgedInAnHour(() => ({ email }), 1);
    expect(judged).toBeLessThanOrEqual(60);
    expect(judged).toBeGreaterThan(55);
  });

  test('from a known device: as many, and only there', async () => {
    const [email = '', other = ''] = await people(2);
    const cookie = await deviceOf(other, await deviceOf(email));
    for (let n = 0; n < 10; n += 1) expect((await guess({ email, cookie })).status).toBe(401);
    expect((await signIn({ email, cookie })).status).toBe(429);
    expect((await signIn({ email: other, cookie })).status).toBe(200);
    expect((await signIn({ email })).status).toBe(200);
    expect(await judgedInAnHour(() => ({ email, cookie }), 1)).toBeLessThanOrEqual(60);
  });

  test('from many addresses: a hundred at once, then two hundred an hour; known devices sign in all the while', async () => {
    const [email = ''] = await people(1);
    const cookie = await deviceOf(email);
    const from = (n: number) => ({ email, address: `10.0.${Math.floor(n / 250)}.${n % 250}` });
    const flood = await Promise.all(Array.from({ length: 400 }, (_, n) => guess(from(n))));
    expect(countOf(flood, 401)).toBeGreaterThanOrEqual(100);
    expect(countOf(flood, 401)).toBeLessThan(103);
    expect((await signIn({ email, address: ELSEWHERE })).status).toBe(429);
    expect((await signIn({ email, cookie })).status).toBe(200);
    let n = 400;
    const judged = await judgedInAnHour(() => from((n += 1)), 2);
    expect(judged).toBeLessThanOrEqual(200);
    expect((await signIn({ email, cookie })).status).toBe(200);
  });

  test('from as many devices as another account has', async () => {
    const [email = '', own = ''] = await people(2);
    const devices = await Promise.all(Array.from({ length: 4 }, () => deviceOf(own)));
    const answers: Answered<unknown>[] = [];
    for (let n = 0; n < 20; n += 1)
      answers.push(await guess({ email, cookie: devices[n % 4] ?? '' }));
    expect(countOf(answers, 401)).toBe(10);
    expect((await signIn({ email, cookie: devices[0] ?? '' })).status).toBe(429);
    expect((await signIn({ email: own, cookie: devices[0] ?? '' })).status).toBe(200);
  });

  test('and are forgotten once they no longer count', async () => {
    const emails = await people(5);
    await Promise.all(attack(emails, SCHOOL, 80));
    const left = () =>
      rows(server.pool, 'select 1 from login_failures where drained_at > $1', [server.clock.now]);
    expect(await left()).not.toEqual([]);
    server.clock.advance(20 * MINUTE);
    expect(await left()).toEqual([]);
  });
});

describe('the device cookie', () => {
  test('is protected from scripts and other sites and reveals no user', async () => {
    const [email = ''] = await people(1);
    const set = (await signIn({ email })).headers['set-cookie'] ?? '';
    expect(set.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      `Max-Age=${400 * 24 * 60 * 60}`,
      'Path=/api/auth',
      'SameSite=Strict',
    ]);
    const id = email.split('@', 1)[0] ?? '';
    const bytes = Buffer.from(set.split('.')[1] ?? '', 'base64url');
    expect(bytes.includes(Buffer.from(id.replaceAll('-', ''), 'hex').subarray(0, 8))).toBe(false);
    expect((await guess({ email })).headers['set-cookie']).toBeUndefined();
  });

  test('requires TLS only where there is any, and is set by a registration', async () => {
    const secure = await testServer({ settings: { secure: true } });
    try {
      const body = { userName: 'Пётр', email: 'petr@school.test', password: PASSWORD };
      const made = await secure.raw({
        method: 'POST',
        url: '/api/auth/register',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      expect(made.status).toBe(200);
      expect(made.headers['set-cookie']).toMatch(
        /^__Secure-device=v1\.[\w-]+\.[\w-]{43}; .*; Secure/,
      );
    } finally {
      await secure.close();
    }
  });

  test('of a shared tablet knows the last forty who signed in on it', async () => {
    const emails = await people(42);
    let cookie = '';
    for (const email of emails) cookie = await deviceOf(email, cookie);
    expect(cookie.length).toBeLessThan(600);
    for (const email of emails) for (let n = 0; n < 3; n += 1) await guess({ email });
    await Promise.all(attack(emails, SCHOOL, 420));
    // The attack continues: the address stays slowed.
    const known = await Promise.all(emails.map((email) => signIn({ email, cookie })));
    expect(statuses(known)).toEqual([429, 429, ...all(200, 40)]);
  });

  const flip = (cookie: string, at: number) => {
    const sign = cookie.at(at) === 'A' ? 'B' : 'A';
    return cookie.slice(0, at) + sign + cookie.slice(at + 1 || cookie.length);
  };
  test.each<[string, (good: string) => string | Promise<string>]>([
    ['nothing', () => 'device='],
    ['no such thing', () => 'device=v1.неладно.x'.replace(/[а-я]/g, '%')],
    ['changed in its accounts', (good) => flip(good, 40)],
    ['changed in its signature', (good) => flip(good, good.length - 5)],
    ['without a signature', (good) => good.slice(0, good.lastIndexOf('.') + 1)],
    ['of another version', (good) => good.replace('v1.', 'v2.')],
    ['far too long', (good) => `${good}${'A'.repeat(20_000)}`],
    ['cut off', (good) => good.slice(0, 60)],
    ['behind another one', (good) => `device=v1.AAAA.AAAA; ${good}`],
    ['of another name', (good) => `x${good}`],
  ])('that is %s counts as none', async (_, change) => {
    const [email = ''] = await people(1);
    const good = await deviceOf(email);
    for (let n = 0; n < 10; n += 1) await guess({ email });
    expect((await signIn({ email, cookie: await change(good) })).status).toBe(429);
    expect((await signIn({ email, cookie: `theme=dark; ${good}; a=b` })).status).toBe(200);
  });

  test('of another server, or expired, is ignored; each sign-in renews it', async () => {
    const [email = ''] = await people(1);
    const first = await deviceOf(email);
    const { sealKey } = server.deps.state;
    expect(sealKey).toHaveLength(32);
    server.clock.advance(399 * DAY);
    const second = await deviceOf(email, first);
    server.clock.advance(2 * DAY);
    for (let n = 0; n < 10; n += 1) await guess({ email });
    expect((await signIn({ email, cookie: first })).status).toBe(429);
    expect((await signIn({ email, cookie: second })).status).toBe(200);
    const other = await testServer();
    try {
      const register = { userName: 'Пётр', email, password: PASSWORD };
      const made = await other.raw({
        method: 'POST',
        url: '/api/auth/register',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(register),
      });
      expect((await signIn({ email, cookie: cookieOf(made) })).status).toBe(429);
    } finally {
      await other.close();
    }
  });
});

describe('registration', () => {
  test('continues behind an address from which three hundred wrong codes came', async () => {
    const [teacher = ''] = await people(1, ROLE.teacher);
    await execute(
      server.pool,
      `insert into groups (id, name, owner_id, join_code, created_at)
       select $1, '9А', id, 'HKMP2345', $3 from users where email = $2`,
      [server.deps.newId(), teacher, server.clock.now],
    );
    const register = (email: string, joinCode: string) =>
      post('/api/auth/register', { userName: 'Пётр', email, password: PASSWORD, joinCode });
    const wrong = await Promise.all(
      Array.from({ length: 301 }, (_, n) => register(`guess${n}@school.test`, `HKMP6${n + 222}`)),
    );
    expect(statuses(wrong)).toEqual(all(422, 301));
    const students = await Promise.all(
      Array.from({ length: 5 }, (_, n) => register(`joins${n}@school.test`, 'HKMP-2345')),
    );
    expect(statuses(students)).toEqual(all(200, 5));
  }, 120_000);

  test('that is closed answers every request alike, without reading the accounts', async () => {
    const closed = await testServer({ settings: { registration: 'closed' } });
    try {
      const { email } = await closed.user();
      const answerTo = async (body: object) => {
        const { status, body: reply } = await closed.raw({
          method: 'POST',
          url: '/api/auth/register',
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify(body),
        });
        return { status, ...(reply as object), requestId: '' };
      };
      const person = { userName: 'Пётр', password: PASSWORD };
      await closed.pool.end();
      const known = await answerTo({ ...person, email });
      expect(known).toMatchObject({ status: 403, code: 'REGISTRATION_CLOSED' });
      expect(await answerTo({ ...person, email: 'nobody@school.test' })).toEqual(known);
      expect(await answerTo({ ...person, email, joinCode: 'HKMP2345' })).toEqual(known);
      expect(await answerTo({ ...person, email: 'no e-mail', password: 'x' })).toEqual(known);
    } finally {
      await closed.close().catch(() => undefined);
    }
  });
});
