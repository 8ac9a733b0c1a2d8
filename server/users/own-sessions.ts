import type { OwnSession } from '#contract/profile.ts';
import { formatDevice } from '#domain/format-device.ts';
import { IDLE_DAYS, type AuthenticatedUser, sessionEnd } from '#server/auth/caller.ts';
import { execute, rows, type Client } from '#server/db/query.ts';

interface SessionRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly usedUntil: Date;
  readonly expiresAt: Date;
  readonly isCurrent: boolean;
  readonly userAgent: string | null;
}

const DAY_MS = 86_400_000;

/** The caller's valid sign-ins: the present one first, then the most recently used. */
export async function ownSessions(
  db: Client,
  { userId, tokenHash }: Pick<AuthenticatedUser, 'userId' | 'tokenHash'>,
  now: Date,
): Promise<OwnSession[]> {
  const found = await rows<SessionRow>(
    db,
    // A running attempt may set the last use in the future.
    `select id, created_at as "createdAt", least(last_used_at, $3) as "lastUsedAt",
       last_used_at as "usedUntil",       expires_at as "expiresAt", token_hash = $2 as "isCurrent", user_agent as "userAgent"
     from sessions where user_id = $1 and expires_at > $3 and last_used_at > $4
     order by token_hash = $2 desc, last_used_at desc, id`,
    [userId, tokenHash, now, new Date(now.getTime() - IDLE_DAYS * DAY_MS)],
  );
  return found.map(({ userAgent, usedUntil, ...session }) => ({
    ...session,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: sessionEnd(session.expiresAt, usedUntil).toISOString(),
    device: formatDevice(userAgent),
  }));
}

/** Ends all of the caller's sign-ins but the present one; returns their number. */
export async function endOthers(
  db: Client,
  caller: Pick<AuthenticatedUser, 'userId' | 'tokenHash'>,
  now: Date,
): Promise<number> {
  const holding = await ownSessions(db, caller, now);
  await execute(db, 'delete from sessions where user_id = $1 and token_hash <> $2', [
    caller.userId,
    caller.tokenHash,
  ]);
  return holding.filter(({ isCurrent }) => !isCurrent).length;
}
