import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { ROLE, currentUser, login, logout } from '#contract/auth.ts';
import { register } from '#contract/registration.ts';
import { ERRORS } from '#contract/errors.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { groupByCode, joinByCode, type JoinedGroup } from '#server/groups/joining.ts';
import { type RouteCall, handle, type Handler } from '#server/http/handle.ts';
import { Refusal, invalid } from '#server/http/refusal.ts';
import { spendSignIn } from './act-limits.ts';
import { checkPassword } from './check-password.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { deviceKeyOf } from './device-key.ts';
import { createDevices, type KnownDevice } from './devices.ts';
import { type Guess, knownDevice, placeOf } from './failures.ts';
import type { QueuePosition } from './fair-queue.ts';
import { networkOf } from './networks.ts';
import { hashInTurn, inTurn } from './passwords.ts';
import { hasFactor } from './second-factor/factors.ts';
import { beginSecondStep, completeSignIn } from './second-factor/sign-in.ts';
import { type UserRow, closeSession, wireUser } from './sessions.ts';
import { recordSignIn, withRefusalsRecorded } from './sign-in-log.ts';

interface AccountRow extends UserRow {
  password_hash: string;
}

const findAccount = {
  name: 'find-account',
  text: `select id, email, user_name, role, password_hash
           from users where lower(email) = $1 and erased_at is null`,
};

/** One sign-in of an account at a time: each ends the oldest sessions, and two at once would deadlock. */
const holdAccount = {
  name: 'hold-account',
  text: 'select blocked_at from users where id = $1 and password_hash = $2 for no key update',
};

const insertAccount = `
  insert into users (id, email, user_name, role, password_hash, created_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (lower(email)) do nothing`;

/** A refusal that the form shows at its field «Код класса». */
const atJoinCode = (code: 'WRONG_JOIN_CODE' | 'GROUP_FULL') =>
  new Refusal(code, {
    details: { fields: [{ field: 'joinCode', message: ERRORS[code].message }] },
  });

/** Joins a class with an account created in this transaction. A refusal rolls the account back. */
async function joinNew(client: PoolClient, join: Parameters<typeof joinByCode>[1]): Promise<void> {
  try {
    await joinByCode(client, join);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw atJoinCode(error.code === 'GROUP_FULL' ? 'GROUP_FULL' : 'WRONG_JOIN_CODE');
  }
}

/**
 * The class of the code and the hash of the password, in one turn. Each guess of a code costs a hash and waits with the
 * others of its address, and guesses never block a right code.
 */
async function prepare(
  { pool }: Deps,
  { body, address, isGone }: Pick<RouteCall<typeof register>, 'body' | 'address' | 'isGone'>,
): Promise<{ group: JoinedGroup | null; passwordHash: string }> {
  const place = { network: networkOf(address), email: body.email.toLowerCase() };
  return inTurn(place, async () => {
    if (isGone()) throw new Refusal('UNAVAILABLE');
    const group = body.joinCode ? await groupByCode(pool, body.joinCode) : null;
    const passwordHash = await hashInTurn(body.password);
    if (body.joinCode && !group) throw atJoinCode('WRONG_JOIN_CODE');
    return { group, passwordHash };
  });
}

type Devices = ReturnType<typeof createDevices>;

export function registerAuth(app: FastifyInstance, deps: Deps): void {
  const devices = createDevices(deps);
  handle(app, deps, login, withRefusalsRecorded(deps, createSignIn(deps, devices)));

  if (deps.settings.registration === 'closed') {
    // The request is not even read: the reply reveals nobody's account.
    const refuse = () => Promise.reject(new Refusal('REGISTRATION_CLOSED'));
    handle(app, deps, register, refuse, { body: 'unchecked' });
  } else {
    handle(app, deps, register, createRegistration(deps, devices));
  }

  handle(app, deps, logout, async ({ caller }) => {
    await closeSession(deps.pool, caller.tokenHash);
    return {};
  });

  handle(app, deps, currentUser, async ({ caller }) => ({
    user: wireUser({
      id: caller.userId,
      email: caller.email,
      user_name: caller.userName,
      role: caller.role,
    }),
    expiresAt: caller.expiresAt.toISOString(),
    ...(caller.mustSetUpFactor
      ? { mustSetUpFactor: true }
      : { deviceKey: deviceKeyOf(deps.state.sealKey, caller.userId) }),
  }));
}

function createSignIn(deps: Deps, devices: Devices): Handler<typeof login> {
  const { pool } = deps;

  /** The origin that a sign-in try is counted under, and its position in the queue. */
  async function originOf(
    email: string,
    device: KnownDevice | null,
    address: string,
  ): Promise<{ guess: Guess; place: QueuePosition }> {
    const account = device && (await one<AccountRow>(pool, findAccount, [email]));
    if (device && account && devices.knows(device, account.id))
      return {
        guess: { email, origin: { device: device.id.toString('hex') } },
        place: { account: account.id },
      };
    return {
      guess: { email, origin: { address } },
      place: { network: networkOf(address), email },
    };
  }

  return async (call) => {
    const { body, headers, cookies, address, now, isGone, setHeader } = call;
    const email = body.email.toLowerCase();
    const device = devices.read(cookies, now);
    const { password } = body;
    const origin = await originOf(email, device, address);
    const account = await checkPassword(pool, { ...origin, password, now, isGone }, () =>
      one<AccountRow>(pool, findAccount, [email]),
    );
    if (!account) throw new Refusal('BAD_CREDENTIALS');
    const signedIn = await transaction(pool, async (client) => {
      // Checked under the lock: a person who meanwhile changed the password, blocked the account or set up its first
      // second factor has ended its sign-ins, including this one.
      const values = [account.id, account.password_hash];
      const locked = await one<{ blocked_at: Date | null }>(client, holdAccount, values);
      if (!locked) throw new Refusal('BAD_CREDENTIALS');
      if (locked.blocked_at) throw new Refusal('ACCOUNT_BLOCKED');
      if (await hasFactor(client, { userId: account.id, role: account.role })) return null;
      const signIn = { ...account, device: knownDevice(origin.guess) };
      const isKnown = await spendSignIn(client, signIn, now);
      await recordSignIn(client, deps, { userId: account.id, address, now });
      const session = { now, userAgent: headers['user-agent'] };
      return { isKnown, reply: await completeSignIn(client, deps, account, session) };
    });
    if (!signedIn) {
      const place = placeOf(origin.guess);
      throw await beginSecondStep(deps, account, { origin: call.origin, place, now });
    }
    if (signedIn.isKnown) setHeader('set-cookie', devices.remember(device, account.id, now));
    return signedIn.reply;
  };
}

function createRegistration(deps: Deps, devices: Devices): Handler<typeof register> {
  const { pool, settings } = deps;
  return async (call) => {
    const { body, headers, cookies, address, now, setHeader } = call;
    if (settings.registration === 'code' && !body.joinCode)
      throw invalid([{ field: 'joinCode', message: 'Введите код класса' }]);
    refuseCommonPassword(deps, { ...body, field: 'password' });
    const { group, passwordHash } = await prepare(deps, call);
    const user: UserRow = {
      id: deps.newId(),
      email: body.email.toLowerCase(),
      user_name: body.userName,
      role: ROLE.student,
    };
    const values = [user.id, user.email, user.user_name, user.role, passwordHash, now];
    const made = await transaction(pool, async (client) => {
      if ((await execute(client, insertAccount, values)) === 0) return false;
      if (group && body.joinCode)
        await joinNew(client, { groupId: group.id, code: body.joinCode, userId: user.id, now });
      await recordSignIn(client, deps, { userId: user.id, address, now }, 'userRegistered');
      return true;
    });
    if (!made)
      throw new Refusal('EMAIL_TAKEN', {
        details: { fields: [{ field: 'email', message: 'Эта почта уже зарегистрирована' }] },
      });
    const session = { now, userAgent: headers['user-agent'] };
    const signedIn = await completeSignIn(pool, deps, user, session);
    setHeader('set-cookie', devices.remember(devices.read(cookies, now), user.id, now));
    return signedIn;
  };
}
