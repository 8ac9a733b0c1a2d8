import type { FastifyInstance } from 'fastify';
import type { SignedIn } from '#contract/auth.ts';
import { loginSecondFactor } from '#contract/second-factor.ts';
import { spendSignIn } from '#server/auth/act-limits.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { createDevices } from '#server/auth/devices.ts';
import { recordRefusedStep, recordSignIn } from '#server/auth/sign-in-log.ts';
import { type Client, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { type RouteCall, handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { openSession, type UserRow } from '#server/auth/sessions.ts';
import { findChallengeOwner, redeemChallenge } from './challenges.ts';
import { mustSetUpFactor } from './factors.ts';
import { forgiveFactorTries, spendFactorTry } from './failures.ts';
import { relyingParty } from './passkeys.ts';
import { beginStep, redeemProof } from './step.ts';

interface Account extends UserRow {
  password_hash: string;
}

/**
 * Begins the second step after a right password of an account with a second factor.
 * @param place where it was given: a known device of the account, or a network
 * @returns SECOND_FACTOR_REQUIRED
 */
export async function beginSecondStep(
  deps: Deps,
  account: Account,
  { origin, place, now }: { origin: string; place: string; now: Date },
): Promise<Refusal> {
  const details = await beginStep(deps.pool, {
    user: { userId: account.id, role: account.role },
    purpose: 'signIn',
    sessionHash: null,
    passwordHash: account.password_hash,
    origin: place,
    party: relyingParty(deps, origin),
    now,
  });
  return new Refusal('SECOND_FACTOR_REQUIRED', { details });
}

interface NewSession {
  readonly now: Date;
  readonly userAgent: string | undefined;
}

/**
 * Opens a session after all steps, with the key of the person's rows on the device. A session that must set up a second
 * factor before anything else gets the key only afterwards.
 */
export async function completeSignIn(
  client: Client,
  { settings, state }: Pick<Deps, 'settings' | 'state'>,
  user: UserRow,
  { now, userAgent }: NewSession,
): Promise<SignedIn> {
  const signedIn = await openSession(client, user, now, settings.sessionDays, userAgent);
  const isDue = await mustSetUpFactor(client, { userId: user.id, role: user.role });
  return {
    ...signedIn,
    ...(isDue ? { mustSetUpFactor: true } : { deviceKey: deviceKeyOf(state.sealKey, user.id) }),
  };
}

/** One sign-in of an account at a time, as with the password alone. */
const holdAccount = `
  select id, email, user_name, role, password_hash, blocked_at from users
  where id = $1 and erased_at is null for no key update`;

interface OpenStep {
  readonly answered: Parameters<typeof redeemChallenge>[1];
  readonly userId: string;
}

export function registerSecondStep(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;
  const devices = createDevices(deps);

  /** Signs in the account of a step with a right proof, and lets the account know the device. */
  async function redeem(
    call: RouteCall<typeof loginSecondFactor>,
    step: OpenStep,
  ): Promise<SignedIn> {
    const { body, headers, cookies, address, origin, now, setHeader } = call;
    const { challenge: token, proof } = body;
    await spendFactorTry(pool, {
      userId: step.userId,
      challenge: token,
      method: proof.method,
      now,
    });
    const party = relyingParty(deps, origin);
    const device = devices.read(cookies, now);
    const { isKnown, reply } = await transaction(pool, async (client) => {
      const challenge = await redeemChallenge(client, step.answered);
      const account = await one<Account & { blocked_at: Date | null }>(client, holdAccount, [
        challenge.userId,
      ]);
      // A password change since the first step ends it.
      if (!account || account.password_hash !== challenge.passwordHash)
        throw new Refusal('FACTOR_STEP_OVER');
      if (account.blocked_at) throw new Refusal('ACCOUNT_BLOCKED');
      await redeemProof(client, { step: challenge, proof, party, now });
      await forgiveFactorTries(client, challenge);
      const wasKnown = device !== null && devices.knows(device, account.id);
      const signIn = { ...account, device: wasKnown ? device.id.toString('hex') : null };
      const isKnown = await spendSignIn(client, signIn, now);
      const signedIn = { userId: account.id, address, now, factor: proof.method };
      await recordSignIn(client, deps, signedIn);
      const session = { now, userAgent: headers['user-agent'] };
      return { isKnown, reply: await completeSignIn(client, deps, account, session) };
    });
    if (isKnown) setHeader('set-cookie', devices.remember(device, step.userId, now));
    return reply;
  }

  handle(app, deps, loginSecondFactor, async (call) => {
    const { body, address, now } = call;
    const { challenge } = body;
    const answered = { challenge, purpose: 'signIn', sessionHash: null, now } as const;
    const userId = await findChallengeOwner(pool, answered);
    try {
      return await redeem(call, { answered, userId });
    } catch (error) {
      await recordRefusedStep(deps, error, { userId, address, now });
      throw error;
    }
  });
}
