import type { FastifyInstance } from 'fastify';
import {
  deleteBankEntry,
  getBankFacets,
  listBank,
  pickFromBank,
  saveBankEntry,
} from '#contract/bank.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

/** A teacher's questions, of all tests and beside them. */
export function registerBank(app: FastifyInstance, deps: Deps): void {
  for (const route of [listBank, getBankFacets, saveBankEntry, deleteBankEntry, pickFromBank]) {
    handle(app, deps, route, async () => {
      throw new Refusal('UNAVAILABLE');
    });
  }
}
