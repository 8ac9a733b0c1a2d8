import type { FastifyInstance } from 'fastify';
import {
  deleteBankEntry,
  getBankFacets,
  listBank,
  pickFromBank,
  saveBankEntry,
} from '#contract/bank.ts';
import { holdCaller } from '#server/auth/caller.ts';
import { storedForm } from '#server/authoring/stored-form.ts';
import { execute, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readFacets } from './facets.ts';
import { refreshFigures } from './figures.ts';
import { entryFields, writeEntries } from './index-questions.ts';
import { listEntries } from './list.ts';
import { pickEntries } from './pick.ts';

/** Scored while somebody waits for a list; the keeper of the bank does what is more. */
const ATTEMPTS_A_CALL = 300;

/** A teacher's questions, of all tests and beside them. */
export function registerBank(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;
  const refresh = (ownerId: string) =>
    refreshFigures(pool, { ownerId, most: ATTEMPTS_A_CALL, least: 0 });

  handle(app, deps, listBank, async ({ caller, query }) => {
    await refresh(caller.userId);
    return listEntries(pool, caller.userId, query);
  });

  handle(app, deps, getBankFacets, ({ caller, query }) =>
    readFacets(pool, caller.userId, query.theme ?? null),
  );

  handle(app, deps, saveBankEntry, async ({ caller, params, body, now }) => {
    const { entryId } = params;
    const question = storedForm(body.question);
    const fields = entryFields(question, entryId, { topic: '', difficulty: '' });
    await transaction(pool, async (client) => {
      await holdCaller(client, caller.userId);
      await writeEntries(client, { ownerId: caller.userId, theme: body.theme, now }, [fields]);
      await execute(
        client,
        'update bank_entries set removed_at = null where owner_id = $1 and entry_id = $2',
        [caller.userId, entryId],
      );
    });
    return { updatedAt: now.toISOString() };
  });

  handle(app, deps, deleteBankEntry, async ({ caller, params, now }) => {
    const removed = await execute(
      pool,
      `update bank_entries set removed_at = $3
       where owner_id = $1 and entry_id = $2 and removed_at is null`,
      [caller.userId, params.entryId, now],
    );
    if (removed === 0) throw new Refusal('NOT_FOUND');
    return { deleted: true };
  });

  handle(app, deps, pickFromBank, async ({ caller, body }) => {
    await refresh(caller.userId);
    return pickEntries(pool, caller.userId, body);
  });
}
