import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { execute } from '#server/db/query.ts';
import { sharedAsSql } from '#server/tests/level.ts';
import { hasPicture, isInSharedBank } from './picture-access.ts';

/** `file:KEY` of pictures, anywhere in the texts of questions. */
export const PICTURE_LINK = /file:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** Keys of the pictures that questions, as JSON, name; each once. */
export const pictureKeys = (written: string): string[] => [
  ...new Set([...written.matchAll(PICTURE_LINK)].map((match) => match[1] ?? '')),
];

/**
 * Attaches to a test the pictures that its questions name: the caller's own, those of banks shared with the caller, and
 * those of tests that the caller may edit. A foreign key attaches nothing: its picture then shows as missing. From then
 * on the test's owner has them too, since the questions are in the owner's bank.
 */
export async function attachPictures(
  client: PoolClient,
  of: { testId: string; written: string; caller: Pick<AuthenticatedUser, 'userId' | 'role'> },
): Promise<void> {
  const keys = pictureKeys(of.written);
  if (keys.length === 0) return;
  await execute(
    client,
    `with lent as (
       select p.key, p.owner_id from pictures p
       where p.key = any($2::uuid[]) and (
         ${hasPicture('$3')} or $4
         or ${isInSharedBank('$3')}
         or exists (
           select 1 from picture_uses u join tests t on t.id = u.test_id
           where u.key = p.key and (t.owner_id = $3 or ${sharedAsSql('$3')} = 'edit')))
     ), attached as (
       insert into picture_uses (key, test_id) select key, $1 from lent on conflict do nothing
     )
     insert into picture_holders (key, user_id)
     select lent.key, t.owner_id from lent join tests t on t.id = $1
     where lent.owner_id is distinct from t.owner_id on conflict do nothing`,
    [of.testId, keys, of.caller.userId, of.caller.role === ROLE.admin],
  );
}
