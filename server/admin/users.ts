import type { FastifyInstance } from 'fastify';
import {
  listAdminUsers,
  createUser,
  updateUser,
  setUserBlocked,
  resetUserPassword,
  exportUserData,
  eraseUser,
} from '#contract/admin.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

export function registerAdminUsers(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listAdminUsers, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, createUser, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, updateUser, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, setUserBlocked, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, resetUserPassword, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, exportUserData, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, eraseUser, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
