import { hash } from 'node:crypto';
import type { ErrorCode } from '#contract/errors.ts';
import { formatElapsed } from '#domain/format-time.ts';
import { type Client, execute, one } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** A leaky bucket: this many at first; one more is allowed each time one has leaked. */
export interface Limit {
  readonly atOnce: number;
  readonly forgivenMs: number;
}

export const keyOf = (name: string): Buffer => hash('sha256', name, 'buffer');
/** Marks the buckets of an account, so that they can be emptied together. */
export const accountKey = (email: string): Buffer => keyOf(`account:${email}`);

/** Milliseconds until one more is allowed; zero or less: now. */
export const waitOf = ({ atOnce, forgivenMs }: Limit, drainsInMs: number): number =>
  drainsInMs - (atOnce - 1) * forgivenMs;

/** A refusal that names the wait: «Слишком много входов. Попробуйте снова через 5 мин». */
export function refuseFor(code: ErrorCode, reason: string, waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  // The announced wait is never too short: minutes are rounded up.
  const announced = seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60;
  return new Refusal(code, {
    message: `${reason}. Попробуйте снова через ${formatElapsed(announced * 1000)}`,
    retryAfterSeconds: seconds,
  });
}

const spendOne = {
  name: 'spend-from-bucket',
  text: `insert into login_failures as f (key, account, drained_at)
         values ($1, $2, $3::timestamptz + $4 * interval '1 ms')
         on conflict (key) do update set
           drained_at = greatest(f.drained_at, $3) + $4 * interval '1 ms'
         where f.drained_at <= $5`,
};

interface Bucket {
  readonly key: Buffer;
  /** The account by `accountKey`; absent: a reset of the account does not empty it. */
  readonly account?: Buffer;
  readonly limit: Limit;
}

/**
 * Counts a call before it runs, so that parallel calls cannot exceed the limit.
 * @returns milliseconds until one more is allowed; 0: it is counted
 */
export async function spend(
  client: Client,
  { key, account, limit: { atOnce, forgivenMs } }: Bucket,
  now: Date,
): Promise<number> {
  const fullAt = new Date(now.getTime() + (atOnce - 1) * forgivenMs);
  const values = [key, account ?? null, now, forgivenMs, fullAt];
  if ((await execute(client, spendOne, values)) === 1) return 0;
  const row = await one<{ drained_at: Date }>(
    client,
    'select drained_at from login_failures where key = $1',
    [key],
  );
  return Math.max(1, row ? row.drained_at.getTime() - fullAt.getTime() : forgivenMs);
}

/** Gives back one that was counted. */
export async function giveBack(client: Client, { key, limit }: Bucket): Promise<void> {
  await execute(
    client,
    `update login_failures set drained_at = drained_at - $2 * interval '1 ms' where key = $1`,
    [key, limit.forgivenMs],
  );
}
