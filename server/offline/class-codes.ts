import type { CodeClass, StartCode } from '#contract/offers.ts';
import { recordAct } from '#server/admin/audit.ts';
import { nameKey } from '#server/db/name-order.ts';
import { execute, one, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import {
  actOnCode,
  ensureCode,
  replaceUnused,
  startCode,
  type By,
  type CodeOf,
} from './start-code.ts';

/** The code of a class. */
interface ClassCodeOf extends CodeOf {
  readonly groupId: string;
}

/** The classes that a test is assigned to: only their students can have codes of their own. */
export function codeClasses(db: Client, testId: string): Promise<CodeClass[]> {
  return rows<CodeClass>(
    db,
    `select g.id as "groupId", g.name, u.user_name as owner, c.id is not null as "hasCode"
     from assignments a join groups g on g.id = a.group_id
       join users u on u.id = g.owner_id
       left join start_codes c on c.test_id = a.test_id and c.group_id = g.id
     where a.test_id = $1 order by ${nameKey('g.name')}, g.id`,
    [testId],
  );
}

/** @throws {Refusal} NOT_FOUND unless the test is assigned to the class */
export async function requireCodeClass(
  db: Client,
  { testId, groupId }: ClassCodeOf,
): Promise<void> {
  const found = await one(
    db,
    `select 1 from groups g where g.id = $2
       and exists (select 1 from assignments a where a.test_id = $1 and a.group_id = g.id)`,
    [testId, groupId],
  );
  if (!found) throw new Refusal('NOT_FOUND');
}

/** Makes the code of a class: its students get other offers at their next visit. */
export async function addClassCode(
  deps: Deps,
  of: ClassCodeOf,
  { actorId, at }: By,
): Promise<StartCode> {
  await ensureCode(deps, of, at, (client) =>
    recordAct(client, deps, actOnCode(of, actorId, 'startCodeMade'), at),
  );
  return startCode(deps.pool, of);
}

/** Removes the code of a class, unless an attempt has used it: its students have the test's code again. */
export function deleteClassCode(deps: Deps, of: ClassCodeOf, { actorId, at }: By): Promise<void> {
  return transaction(deps.pool, async (client) => {
    const { id } = await replaceUnused(client, of, at);
    await execute(client, 'delete from start_codes where id = $1', [id]);
    await recordAct(client, deps, actOnCode(of, actorId, 'startCodeRemoved'), at);
  });
}
