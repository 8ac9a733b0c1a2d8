import type { PoolClient } from 'pg';
import { MAX_GROUP_MEMBERS } from '#contract/limits.ts';
import { readJoinCode } from '#domain/join-codes.ts';
import { execute, one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** A class as shown to those about to join. */
export interface JoinedGroup {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
}

/** The class of a typed code; null: none, or joining is off. */
export async function groupByCode(db: Client, typed: string): Promise<JoinedGroup | null> {
  return one<JoinedGroup>(
    db,
    `select g.id, g.name, u.user_name as owner
       from groups g join users u on u.id = g.owner_id where g.join_code = $1`,
    [readJoinCode(typed)],
  );
}

/**
 * Locks a class against concurrent joins and against deletion.
 * @returns the number of free places
 * @throws {Refusal} NOT_FOUND, or `gone`, when the class no longer exists
 */
export async function lockPlaces(
  client: PoolClient,
  groupId: string,
  gone: 'NOT_FOUND' | 'WRONG_JOIN_CODE' = 'NOT_FOUND',
): Promise<number> {
  const group = await one(client, 'select 1 from groups where id = $1 for update', [groupId]);
  if (!group) throw new Refusal(gone);
  const counted = await one<{ taken: number }>(
    client,
    'select count(*) as taken from group_members where group_id = $1',
    [groupId],
  );
  return MAX_GROUP_MEMBERS - (counted?.taken ?? 0);
}

/**
 * Puts a student into the class of the code.
 * @throws {Refusal} WRONG_JOIN_CODE when the code ended meanwhile, ALREADY_MEMBER, GROUP_FULL
 */
export async function joinByCode(
  client: PoolClient,
  { groupId, code, userId, now }: { groupId: string; code: string; userId: string; now: Date },
): Promise<void> {
  const places = await lockPlaces(client, groupId, 'WRONG_JOIN_CODE');
  const group = await groupByCode(client, code);
  if (group?.id !== groupId) throw new Refusal('WRONG_JOIN_CODE');
  const member = await one(
    client,
    'select 1 from group_members where group_id = $1 and user_id = $2',
    [groupId, userId],
  );
  if (member) throw new Refusal('ALREADY_MEMBER');
  if (places < 1) throw new Refusal('GROUP_FULL');
  await execute(
    client,
    `insert into group_members (group_id, user_id, via, added_at) values ($1, $2, 'code', $3)`,
    [groupId, userId, now],
  );
}
