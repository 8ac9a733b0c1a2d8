import type { FastifyInstance } from 'fastify';
import { listUsers, type RoleNumber } from '#contract/auth.ts';
import { rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';

interface NameRow {
  user_id: string;
  user_name: string;
  role: RoleNumber;
}

export function registerUsers(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listUsers, async () => {
    const users = await rows<NameRow>(
      deps.pool,
      `select id as user_id, user_name, role from users where erased_at is null
       order by user_name, id`,
    );
    return {
      items: users.map((user) => ({
        userId: user.user_id,
        userName: user.user_name,
        role: user.role,
      })),
      total: users.length,
    };
  });
}
