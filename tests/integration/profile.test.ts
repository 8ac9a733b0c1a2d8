import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentUser, login, ROLE } from '#contract/auth.ts';
import { register } from '#contract/registration.ts';
import { watchBoard } from '#contract/board.ts';
import {
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  updateProfile,
} from '#contract/profile.ts';
import { PER_ORIGIN } from '#server/auth/failures.ts';
import { MAX_SESSIONS, openSession } from '#server/auth/sessions.ts';
import { execute, one } from '#server/db/query.ts';
import { eventsOf } from '#tests/events.ts';
import { errorOf, makeTest } from '#tests/school.ts';
import { type TestServer, testServer, urlOf } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const PASSWORD = 'Kolokolchik7';
const PHONE =
  'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36';
const DESK = 'Mozilla/5.0 (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0';

/** A person who registered on a phone. */
async function person() {
  const email = `${server.deps.newId()}@school.test`;
  const registered = await server.send(
    register,
    { body: { userName: 'Ольга Белова', email, password: PASSWORD } },
    { headers: { 'user-agent': PHONE } },
  );
  return { email, token: registered.body.token, userId: registered.body.user.userId };
}
const signIn = (email: string, password: string, userAgent = DESK) =>
  server.send(login, { body: { email, password } }, { headers: { 'user-agent': userAgent } });
const sessions = async (as: string) => (await server.send(listSessions, {}, { as })).body.items;
const setPassword = (as: string, currentPassword: string, newPassword: string) =>
  server.send(changePassword, { body: { currentPassword, newPassword } }, { as });
const isIn = async (as: string) => (await server.send(currentUser, {}, { as })).status === 200;
const fieldsOf = (answered: Parameters<typeof errorOf>[0]) =>
  (errorOf(answered).details as { fields: { field: string; message: string }[] }).fields;

test('the own name is changed, and nothing else', async () => {
  const { token, email } = await person();
  const changed = await server.send(
    updateProfile,
    { body: { userName: '  Ольга\u202E  Петрова\u200B ' } },
    { as: token },
  );
  expect(changed.body).toMatchObject({ userName: 'Ольга Петрова', email, role: ROLE.student });
  const me = await server.send(currentUser, {}, { as: token });
  expect(me.body.user).toEqual(changed.body);
  for (const more of [{ role: ROLE.admin }, { email: 'x@school.test' }, { isAdmin: true }]) {
    const body = { userName: 'Ольга', ...more };
    const refused = await server.send(updateProfile, { body }, { as: token });
    expect(refused.status).toBe(400);
  }
  expect((await server.send(currentUser, {}, { as: token })).body.user).toEqual(changed.body);
});

describe('a new password', () => {
  test('ends every other sign-in; the present one stays valid', async () => {
    const { token, email } = await person();
    const other = (await signIn(email, PASSWORD)).body.token;
    const changed = await setPassword(token, PASSWORD, 'Podsnezhnik4');
    expect([changed.status, changed.body]).toEqual([200, { endedSessions: 1 }]);
    expect([await isIn(token), await isIn(other)]).toEqual([true, false]);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(email, 'Podsnezhnik4')).status).toBe(200);
    expect(JSON.stringify(server.logged)).not.toMatch(/Podsnezhnik4|Kolokolchik7/);
  });

  test('needs the right old one: a wrong one does not end the session; too many close this sign-in to it and nothing else', async () => {
    const { token, email } = await person();
    const wrong = await setPassword(token, 'Neverno1', 'Podsnezhnik4');
    expect([wrong.status, errorOf(wrong).code, fieldsOf(wrong)]).toEqual([
      422,
      'WRONG_PASSWORD',
      [{ field: 'currentPassword', message: 'Нынешний пароль не подошёл' }],
    ]);
    await Promise.all(
      Array.from({ length: PER_ORIGIN.atOnce + 3 }, () =>
        setPassword(token, 'Neverno1', 'Podsnezhnik4'),
      ),
    );
    const refused = await setPassword(token, PASSWORD, 'Podsnezhnik4');
    expect([refused.status, errorOf(refused).code]).toEqual([429, 'TOO_MANY_LOGINS']);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    expect(await isIn(token)).toBe(true);
    server.clock.advance(16 * 60_000);
    expect((await setPassword(token, PASSWORD, 'Podsnezhnik4')).status).toBe(200);
  });

  test.each([
    ['Qwerty123', 'Такой пароль легко угадать. Придумайте другой'],
    ['korotk1', 'Пароль должен содержать хотя бы одну заглавную букву'],
    [PASSWORD, 'Новый пароль такой же, как нынешний'],
  ])('that is %s is refused at its field', async (password, message) => {
    const { token } = await person();
    const refused = await setPassword(token, PASSWORD, password);
    expect([refused.status, fieldsOf(refused)]).toEqual([400, [{ field: 'newPassword', message }]]);
  });
});

describe('own sign-ins', () => {
  test('are listed with their device, this one first; ended ones are not', async () => {
    const { token, email, userId } = await person();
    await signIn(email, PASSWORD);
    server.clock.advance(60_000);
    await signIn(email, PASSWORD, 'x'.repeat(5_000));
    const stored = await one<{ longest: number }>(
      server.pool,
      'select max(length(user_agent)) as longest from sessions where user_id = $1',
      [userId],
    );
    expect(stored?.longest).toBe(300);
    expect(await sessions(token)).toMatchObject([
      { isCurrent: true, device: 'Chrome, Android' },
      { isCurrent: false, device: null, lastUsedAt: server.clock.now.toISOString() },
      { isCurrent: false, device: 'Firefox, Windows' },
    ]);
    await execute(
      server.pool,
      `update sessions set last_used_at = $2::timestamptz - interval '4 days'
       where user_id = $1 and user_agent like '%Firefox%'`,
      [userId, server.clock.now],
    );
    expect(await sessions(token)).toHaveLength(2);
    await execute(
      server.pool,
      'update sessions set expires_at = $2 where user_id = $1 and length(user_agent) = 300',
      [userId, server.clock.now],
    );
    expect(await sessions(token)).toHaveLength(1);
  });

  test('end one by one and all others at once, only one’s own', async () => {
    const { token, email } = await person();
    const stranger = await person();
    const [desk, second, third] = await Promise.all(
      [1, 2, 3].map(async () => (await signIn(email, PASSWORD)).body.token),
    );
    const own = (await sessions(desk ?? '')).find(({ isCurrent }) => isCurrent);
    const end = (sessionId: string, as: string) =>
      server.send(endSession, { params: { sessionId } }, { as });
    const foreign = await end(own?.id ?? '', stranger.token);
    expect(foreign.status).toBe(404);
    expect(await isIn(desk ?? '')).toBe(true);
    expect((await end(own?.id ?? '', token)).status).toBe(200);
    expect(await isIn(desk ?? '')).toBe(false);
    expect((await end(own?.id ?? '', token)).status).toBe(404);
    const ended = await server.send(endOtherSessions, {}, { as: token });
    expect(ended.body).toEqual({ endedSessions: 2 });
    expect(await Promise.all([token, second, third].map((as) => isIn(as ?? '')))).toEqual([
      true,
      false,
      false,
    ]);
    expect(await isIn(stranger.token)).toBe(true);
  });

  test('ended from elsewhere end their streams', async () => {
    const { token, email, userId } = await person();
    await execute(server.pool, 'update users set role = $2 where id = $1', [userId, ROLE.teacher]);
    const testId = await makeTest(server, { userId });
    const listener = (await signIn(email, PASSWORD)).body.token;
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as { port: number };
    const response = await fetch(
      `http://127.0.0.1:${port}${urlOf(watchBoard, { params: { id: testId } })}`,
      { headers: { authorization: `Bearer ${listener}` } },
    );
    const events = eventsOf(response);
    expect((await events.next()).done).toBe(false);
    await server.send(endOtherSessions, {}, { as: token });
    // Ends by itself; an open stream would run into the test's timeout.
    for await (const event of events) expect(event).toBeDefined();
  });
});

test('an account has at most fifty sign-ins; only its longest unused one ends', async () => {
  const [user, other] = [await server.user(), await server.user()];
  const account = { id: user.userId, email: user.email, user_name: 'Имя', role: ROLE.student };
  const tokens: string[] = [];
  for (let n = 0; n < MAX_SESSIONS + 5; n += 1) {
    server.clock.advance(1_000);
    tokens.push((await openSession(server.pool, account, server.clock.now, 7)).token);
  }
  const { body } = await server.send(listSessions, {}, { as: tokens.at(-1) ?? '' });
  expect(body.total).toBe(MAX_SESSIONS);
  expect((await server.send(currentUser, {}, { as: tokens[4] ?? '' })).status).toBe(401);
  expect((await server.send(currentUser, {}, { as: tokens[5] ?? '' })).status).toBe(200);
  expect((await server.send(currentUser, {}, { as: other })).status).toBe(200);
});
