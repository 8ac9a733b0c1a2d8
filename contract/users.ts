import * as v from 'valibot';
import { RoleNumber } from './auth.ts';
import { Id, listOf } from './primitives.ts';
import { route } from './route.ts';

export const listUsers = route({
  name: 'listUsers',
  summary: 'Ids and names of users',
  method: 'GET',
  path: '/api/user/users',
  access: 'teacher',
  ownership: 'none',
  reply: listOf(
    v.object({
      userId: Id,
      userName: v.string(),
      role: RoleNumber,
      /** Only for namesakes: the names of their classes, and the sign-in name, to distinguish them. */
      classes: v.optional(v.array(v.string())),
      email: v.optional(v.string()),
    }),
  ),
});
