import type { PoolClient } from 'pg';
import { execute } from '#server/db/query.ts';

/** Pictures of the person that no test and nobody else's bank or templates show. */
const OWN_PICTURES = `
delete from pictures p where p.owner_id = $1
  and not exists (select 1 from picture_uses u where u.key = p.key)
  and p.key::text not in (
    select match[1] from (
      select e.question::text as written from bank_entries e where e.owner_id <> $1
      union all select t.body::text from question_templates t where t.owner_id <> $1
    ) others, regexp_matches(others.written, 'file:([0-9a-f-]{36})', 'g') as match)`;

/**
 * Erases what a person created for teaching. Tests with attempts of others stay, and so do classes with
 * students; the person's own attempts are erased already.
 */
export async function eraseTeaching(client: PoolClient, userId: string): Promise<void> {
  const ofPerson = (sql: string) => execute(client, sql, [userId]);
  const bare = `owner_id = $1 and not exists (select 1 from attempts x where x.test_id = tests.id)`;
  await ofPerson(`update tests set content_id = null where ${bare}`);
  await ofPerson(`delete from tests where ${bare}`);
  const left = 'test_id in (select id from tests where owner_id = $1)';
  await ofPerson(`delete from test_drafts where ${left}`);
  await ofPerson(`delete from test_generations where ${left}`);
  await ofPerson('delete from bank_shares where owner_id = $1');
  await ofPerson('delete from bank_entries where owner_id = $1');
  await ofPerson('delete from question_templates where owner_id = $1');
  await ofPerson('delete from picture_holders where user_id = $1');
  await ofPerson(OWN_PICTURES);
  await ofPerson('update pictures set owner_id = null, digest = null where owner_id = $1');
  await ofPerson(
    `delete from groups where owner_id = $1
       and not exists (select 1 from group_members m where m.group_id = groups.id)`,
  );
  // Nobody can join a class without a teacher.
  await ofPerson('update groups set join_code = null where owner_id = $1');
}
