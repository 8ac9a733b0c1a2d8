import type { PoolClient } from 'pg';
import type { RoleNumber } from '#contract/auth.ts';
import type { FactorMethod, FactorProof, FactorStep } from '#contract/second-factor.ts';
import { type Client, execute, one } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { type Challenge, type ChallengePurpose, openChallenge } from './challenges.ts';
import { readSecondFactor } from './factors.ts';
import { createAssertionOptions, type RelyingParty, verifyPasskey } from './passkeys.ts';
import { redeemRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

interface StepOf {
  readonly user: { userId: string; role: RoleNumber };
  readonly purpose: Extract<ChallengePurpose, 'signIn' | 'confirmation'>;
  readonly sessionHash: Buffer | null;
  readonly passwordHash?: string;
  readonly origin?: string;
  readonly party: RelyingParty;
  readonly now: Date;
}

/** Begins a step that asks for a second factor, or for the password where there is none. */
export async function beginStep(
  client: Client,
  { user, purpose, sessionHash, passwordHash, origin, party, now }: StepOf,
): Promise<FactorStep> {
  const { userId } = user;
  const { totp, recoveryCodesLeft } = await readSecondFactor(client, user);
  const passkey = await createAssertionOptions(client, userId, party);
  const methods: FactorMethod[] = [
    ...(passkey ? (['passkey'] as const) : []),
    ...(totp ? (['totp'] as const) : []),
    ...((passkey || totp) && recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
  ];
  const { challenge, expiresAt } = await openChallenge(
    client,
    {
      userId,
      purpose,
      sessionHash,
      ...(origin !== undefined && { origin }),
      passwordHash: passwordHash ?? null,
      webauthnChallenge: passkey?.challenge ?? null,
    },
    now,
  );
  return {
    challenge,
    methods: methods.length > 0 ? methods : ['password'],
    passkey,
    expiresAt: expiresAt.toISOString(),
  };
}

/** A wrong code, reported at its field. */
export const wrongCode = (message: string): Refusal =>
  new Refusal('WRONG_FACTOR', { message, details: { fields: [{ field: 'code', message }] } });

export const WRONG_TOTP = 'Код не подошёл. Дождитесь в приложении следующего и введите его';

async function redeemTotp(
  client: PoolClient,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<void> {
  const own = await one<{ secret: Buffer }>(
    client,
    'select secret from totp_secrets where user_id = $1 for update',
    [userId],
  );
  const step = own && findTotpStep(own.secret, code, now);
  if (step === null) throw wrongCode(WRONG_TOTP);
  const isNew = await execute(
    client,
    'update totp_secrets set last_step = $2, last_used_at = $3 where user_id = $1 and last_step < $2',
    [userId, step, now],
  );
  // A replay of a code seen over a shoulder.
  if (isNew === 0) throw wrongCode(WRONG_TOTP);
}

/**
 * Verifies the proof of a step and uses it up.
 * @throws {Refusal} WRONG_FACTOR
 */
export async function redeemProof(
  client: PoolClient,
  {
    step: { userId, webauthnChallenge },
    proof,
    party,
    now,
  }: { step: Challenge; proof: FactorProof; party: RelyingParty; now: Date },
): Promise<void> {
  switch (proof.method) {
    case 'totp':
      return redeemTotp(client, { userId, code: proof.code, now });
    case 'recovery':
      if (!(await redeemRecoveryCode(client, userId, proof.code)))
        throw wrongCode('Код восстановления не подошёл. Каждый код действует один раз');
      return;
    case 'passkey':
      if (!webauthnChallenge) throw new Refusal('WRONG_FACTOR');
      return verifyPasskey(client, {
        userId,
        assertion: proof.assertion,
        expectedChallenge: webauthnChallenge,
        party,
        now,
      });
  }
}
