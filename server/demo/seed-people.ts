import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { stableId } from '#server/ids.ts';
import { demoClass, demoPeople } from './people.ts';
import { personId } from './demo-accounts.ts';

export const CLASS_ID = stableId(`class/${demoClass.name}`);

/** Creates accounts with their password of this start, and the class. */
export async function seedPeople(
  client: PoolClient,
  passwordHash: string,
  now: Date,
): Promise<void> {
  for (const { email, userName, role } of demoPeople)
    await execute(
      client,
      `insert into users (id, email, user_name, role, password_hash, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (id) do update set password_hash = excluded.password_hash`,
      [personId(email), email, userName, ROLE[role], passwordHash, now],
    );
  await execute(
    client,
    `insert into groups (id, name, owner_id, join_code, created_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing`,
    [CLASS_ID, demoClass.name, personId(demoClass.owner), demoClass.joinCode, now],
  );
  await execute(
    client,
    `insert into group_members (group_id, user_id, via) select $1, unnest($2::uuid[]), 'code'
     on conflict do nothing`,
    [CLASS_ID, demoClass.members.map(personId)],
  );
}
