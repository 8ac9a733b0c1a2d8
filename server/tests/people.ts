import { nameKey } from '#server/db/name-order.ts';

/** SQL: the people to whom test $1 is assigned, by name or by a group. */
export const ASSIGNED = `
  select user_id from assignments where test_id = $1 and user_id is not null
  union select m.user_id from assignments a join group_members m on m.group_id = a.group_id
    where a.test_id = $1`;

/** SQL: the names of each person's groups that are the owner's of test $1, or that it is assigned to. */
export const GROUP_NAMES = `
  select m.user_id, array_agg(g.name order by ${nameKey('g.name')}) as names
  from groups g join group_members m on m.group_id = g.id
  where g.owner_id = (select owner_id from tests where id = $1)
    or g.id in (select group_id from assignments where test_id = $1)
  group by m.user_id`;
