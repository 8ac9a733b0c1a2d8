import type { FastifyInstance } from 'fastify';
import {
  updateProfile,
  changePassword,
  listSessions,
  endSession,
  endOtherSessions,
  exportOwnData,
  eraseOwnAccount,
} from '#contract/profile.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

export function registerProfile(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, updateProfile, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, changePassword, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, listSessions, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, endSession, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, endOtherSessions, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, exportOwnData, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, eraseOwnAccount, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
