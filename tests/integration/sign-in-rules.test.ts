import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentUser, ROLE } from '#contract/auth.ts';
import { register } from '#contract/registration.ts';
import { spendOwnAct, spendSignIn } from '#server/auth/act-limits.ts';
import { hashToken, lockCaller } from '#server/auth/caller.ts';
import { checkPassword } from '#server/auth/check-password.ts';
import {
  countFailure,
  forgiveAccount,
  forgiveOrigin,
  type Guess,
  giveJoinTryBack,
  PER_ADDRESS,
  requireTriesLeft,
  spendJoinTry,
} from '#server/auth/failures.ts';
import { extendSession } from '#server/auth/sessions.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import { awaitBlocked, whileLocked } from '#tests/locks.ts';
import { errorOf } from '#tests/school.ts';
import { createPerson, signInWithPassword } from '#tests/second-factor.ts';
import { type TestServer, testServer } from '#tests/server.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const me = (headers: Record<string, string>) => server.send(currentUser, {}, { headers });
const later = (ms: number) => new Date(server.clock.now.getTime() + ms);
/** How many of so many tries are allowed, and the refusal of the next one. */
async function spendAll(
  spendOne: () => Promise<unknown>,
): Promise<{ allowed: number; refusal: unknown }> {
  for (let allowed = 0; ; allowed += 1) {
    const refusal = await spendOne().then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal !== null) return { allowed, refusal };
  }
}

describe('a sign-in', () => {
  test('with a password that is changed while it is verified opens nothing', async () => {
    const user = await createPerson(server);
    let answered: ReturnType<typeof signInWithPassword> | undefined;
    await whileLocked(
      server.pool,
      (client) =>
        client.query(`update users set password_hash = 'other' where id = $1`, [user.userId]),
      async () => {
        answered = signInWithPassword(server, user);
        await awaitBlocked(server.pool, 1);
      },
    );
    const refused = await answered;
    expect([refused?.status, refused && errorOf(refused).code]).toEqual([401, 'BAD_CREDENTIALS']);
    const opened = await rows(server.pool, 'select 1 from sessions where user_id = $1', [
      user.userId,
    ]);
    expect(opened).toHaveLength(1);
  });

  test('without its caller is not verified', async () => {
    const { email } = await createPerson(server);
    const guess = { email, origin: { address: '203.0.113.77' } };
    let looked = 0;
    const gone = checkPassword(
      server.pool,
      {
        guess,
        place: { network: '203.0.113.77', email },
        password: 'Nope1234',
        now: server.clock.now,
        isGone: () => true,
      },
      () => {
        looked += 1;
        return Promise.resolve(null);
      },
    );
    await expect(gone).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(looked).toBe(0);
  });

  test.each([
    ['a student', ROLE.student, false],
    ['a teacher', ROLE.teacher, false],
    ['an administrator', ROLE.admin, true],
  ])('of %s says whether the app shows the administration', async (_, role, isAdmin) => {
    const user = await createPerson(server, role);
    const { body } = await signInWithPassword(server, user);
    expect(body.user).toMatchObject({ userId: user.userId, role, isAdmin });
  });

  test('by registration is stored with its browser', async () => {
    const email = `agent-${server.deps.newId()}@school.test`;
    const body = { userName: 'Пётр', email, password: 'Kolokol7' };
    const made = await server.send(register, { body }, { headers: { 'user-agent': 'Agent 1' } });
    const stored = await one(server.pool, 'select user_agent from sessions where token_hash = $1', [
      hashToken(made.body.token),
    ]);
    expect(stored).toEqual({ user_agent: 'Agent 1' });
  });
});

describe('a token', () => {
  test('is accepted as a bearer token, in any case of letters, and in no other form', async () => {
    const { token } = await server.user();
    const status = async (authorization: string) => (await me({ authorization })).status;
    expect(await status(`Bearer ${token}`)).toBe(200);
    expect(await status(`bearer ${token}`)).toBe(200);
    for (const wrong of [token, `Basic ${token}`, `Bearer ${token} x`, `x Bearer ${token}`])
      expect(await status(wrong), wrong).toBe(401);
  });

  test('used again within a minute is not written down as used, later it is', async () => {
    const user = await server.user();
    const lastUse = async () =>
      (
        await one<{ at: Date }>(
          server.pool,
          'select last_used_at as at from sessions where token_hash = $1',
          [hashToken(user.token)],
        )
      )?.at;
    const call = () => server.send(currentUser, {}, { as: user });
    const begun = server.clock.now;
    server.clock.advance(MINUTE);
    await call();
    expect(await lastUse()).toEqual(begun);
    server.clock.advance(SECOND);
    await call();
    expect(await lastUse()).toEqual(server.clock.now);
  });

  test('extended to a deadline within its days ends there when it is not used', async () => {
    const user = await server.user();
    const until = later(5 * DAY);
    await extendSession(server.pool, hashToken(user.token), until);
    server.clock.advance(5 * DAY - SECOND);
    const found = await one<{ idle: Date }>(
      server.pool,
      `select last_used_at + interval '3 days' as idle from sessions where token_hash = $1`,
      [hashToken(user.token)],
    );
    expect((found?.idle.getTime() ?? 0) - until.getTime()).toBeLessThanOrEqual(MINUTE);
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(200);
  });

  test('that has ended meanwhile is extended without an effect', async () => {
    const until = later(DAY);
    expect(await extendSession(server.pool, hashToken('gone'), until)).toEqual(until);
  });
});

test('a call of an account erased after its sign-in was read writes nothing', async () => {
  const user = await server.user();
  const call = () => transaction(server.pool, (client) => lockCaller(client, user.userId));
  await call();
  await execute(server.pool, 'update users set erased_at = $2 where id = $1', [
    user.userId,
    server.clock.now,
  ]);
  await expect(call()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

describe('limits', () => {
  test('own acts: twenty of a kind at once for each person, one more every ten minutes', async () => {
    const [user, other] = [server.deps.newId(), server.deps.newId()];
    const spend = (act: 'rename' | 'password', userId: string) =>
      spendOwnAct(server.pool, act, userId, server.clock.now);
    const { allowed, refusal } = await spendAll(() => spend('rename', user));
    expect(allowed).toBe(20);
    expect(refusal).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 600 });
    await spend('password', user);
    await spend('rename', other);
    server.clock.advance(10 * MINUTE);
    expect((await spendAll(() => spend('rename', user))).allowed).toBe(1);
  });

  test('right sign-ins: known devices have a reserve; a new password forgives all', async () => {
    const [id, email] = [server.deps.newId(), 'Owner@School.test'];
    const spend = (device: string | null) =>
      spendSignIn(server.pool, { id, email, device }, server.clock.now);
    const { allowed, refusal } = await spendAll(() => spend(null));
    expect(allowed).toBe(200);
    expect(refusal).toMatchObject({ code: 'TOO_MANY_LOGINS', retryAfterSeconds: 30 });
    expect(await spend('d1')).toBe(true);
    const known = await spendAll(() => spend('d1'));
    expect(known.allowed).toBe(19);
    expect(known.refusal).toMatchObject({ code: 'TOO_MANY_LOGINS', retryAfterSeconds: 30 });
    await spend('d2');
    await forgiveAccount(server.pool, email.toLowerCase());
    await spend(null);
    await spend('d1');
  });

  test('five devices become known to an account at once, one more every six hours', async () => {
    const [id, other] = [server.deps.newId(), server.deps.newId()];
    const spend = (of: string) =>
      spendSignIn(server.pool, { id: of, email: of, device: null }, server.clock.now);
    const become = async (times: number) => {
      const known = [];
      for (let n = 0; n < times; n += 1) known.push(await spend(id));
      return known;
    };
    expect(await become(7)).toEqual([true, true, true, true, true, false, false]);
    expect(await spend(other)).toBe(true);
    server.clock.advance(6 * 60 * MINUTE);
    expect(await become(2)).toEqual([true, false]);
    await forgiveAccount(server.pool, id);
    expect(await become(1)).toEqual([true]);
  });

  test('join codes: ten wrong ones at once, one more a minute; right ones count as none', async () => {
    const user = server.deps.newId();
    const spend = () => spendJoinTry(server.pool, user, server.clock.now);
    await spend();
    await giveJoinTryBack(server.pool, user);
    const { allowed, refusal } = await spendAll(spend);
    expect(allowed).toBe(10);
    expect(refusal).toMatchObject({ code: 'TOO_MANY_LOGINS', retryAfterSeconds: 60 });
    expect((refusal as Error).message).toMatch(/^Слишком много неверных кодов\. /);
    await spendJoinTry(server.pool, server.deps.newId(), server.clock.now);
    server.clock.advance(59 * SECOND);
    await expect(spend()).rejects.toMatchObject({ retryAfterSeconds: 1 });
    server.clock.advance(SECOND);
    await spend();
  });

  describe('wrong passwords', () => {
    const guessOf = (email: string, address: string) => ({ email, origin: { address } });
    const check = (guess: Guess) => requireTriesLeft(server.pool, guess, server.clock.now);
    const fail = async (guess: Guess) =>
      countFailure(server.pool, await check(guess), server.clock.now);
    const failAll = async (guess: Guess) => (await spendAll(() => fail(guess))).allowed;
    let networks = 0;
    /** Each in an IPv6 network of its own. */
    const createAddress = () => {
      networks += 1;
      return `2001:db8:0:${networks.toString(16)}::1`;
    };

    test('a right one forgives those before it from its own place, and none from elsewhere', async () => {
      const email = `${server.deps.newId()}@school.test`;
      const [owner, guesser] = [guessOf(email, createAddress()), guessOf(email, createAddress())];
      for (let n = 0; n < 9; n += 1) await fail(owner);
      expect(await failAll(guesser)).toBe(10);
      await forgiveOrigin(server.pool, await check(owner));
      await expect(fail(guesser)).rejects.toMatchObject({ code: 'TOO_MANY_LOGINS' });
      expect(await failAll(owner)).toBe(10);
    });

    test('a new password forgives those to its account everywhere, and to no other account', async () => {
      const [own, other] = [server.deps.newId(), server.deps.newId()];
      const [home, school] = [createAddress(), createAddress()];
      const places = [home, school].map((address) => guessOf(`${own}@school.test`, address));
      for (const place of places) expect(await failAll(place)).toBe(10);
      const stranger = guessOf(`${other}@school.test`, createAddress());
      expect(await failAll(stranger)).toBe(10);
      await forgiveAccount(server.pool, `${own}@school.test`);
      for (const place of places) expect(await failAll(place)).toBe(10);
      await expect(fail(stranger)).rejects.toMatchObject({ code: 'TOO_MANY_LOGINS' });
    });

    test('slow an address over its limit for no longer than the last one that counted', async () => {
      const address = createAddress();
      const someone = () => guessOf(`${server.deps.newId()}@school.test`, address);
      const drainsInMs = async () =>
        (await check(someone())).find(({ account }) => account === null)?.drainsInMs;
      for (let n = 0; n < PER_ADDRESS.atOnce; n += 1) await fail(someone());
      const before = await drainsInMs();
      expect(before).toBe(PER_ADDRESS.atOnce * PER_ADDRESS.forgivenMs);
      await fail(someone());
      expect(await drainsInMs()).toBe(before);
    });
  });
});
