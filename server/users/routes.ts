import type { FastifyInstance } from 'fastify';
import { type RoleNumber } from '#contract/auth.ts';
import { listUsers } from '#contract/users.ts';
import { nameKey } from '#server/db/name-order.ts';
import { rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { folded } from '#server/db/search.ts';
import { handle } from '#server/http/handle.ts';

interface NameRow {
  user_id: string;
  user_name: string;
  role: RoleNumber;
  /** Whether somebody else has the same name, whatever its case and ё. */
  isNamesake: boolean;
  classes: string[];
  email: string;
}

export function registerUsers(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listUsers, async () => {
    const users = await rows<NameRow>(
      deps.pool,
      `select id as user_id, user_name, role, email, same > 1 as "isNamesake",
         array(select g.name from group_members m join groups g on g.id = m.group_id
           where same > 1 and m.user_id = named.id order by ${nameKey('g.name')}) as classes
       from (select *, count(*) over (partition by ${folded('user_name')}) as same
         from users where erased_at is null) named
       order by ${nameKey('user_name')}, id`,
    );
    return {
      items: users.map((user) => ({
        userId: user.user_id,
        userName: user.user_name,
        role: user.role,
        ...(user.isNamesake ? { classes: user.classes, email: user.email } : {}),
      })),
      total: users.length,
    };
  });
}
