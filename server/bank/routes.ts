import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import {
  type BankEntry,
  deleteBankEntry,
  findImported,
  getBankFacets,
  listBank,
  pickFromBank,
  saveBankEntry,
} from '#contract/bank.ts';
import { Question } from '#contract/questions.ts';
import { lockCaller } from '#server/auth/caller.ts';
import { storedForm } from '#server/authoring/stored-form.ts';
import { execute, transaction, one, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { refuseOlderApp } from '#server/older-apps.ts';
import { refreshFigures } from './figures.ts';
import { importedSources } from './imported.ts';
import { entryFields, writeEntries } from './index-questions.ts';
import { listEntries } from './list.ts';
import { pickEntries } from './pick.ts';
import { readableBank, sharedBanks } from './shared.ts';
import type { ReplyOf } from '#contract/route.ts';
import { folded } from '#server/db/search.ts';

/** A native select offers no more beside «all»; the most frequent ones are listed. */
const MAX_VALUES = 299;

const counts = (values: string, order: string) => `(
  select coalesce(json_agg(json_build_object('value', value, 'count', count) order by ${order}), '[]')
  from (select value, count(*) as count from (${values}) given where value <> ''
    group by value order by count(*) desc, value limit ${MAX_VALUES}) named)`;

const BY_COUNT = 'count desc, value';
const BY_NAME = `${folded('value')}, value`;

/** The filters of a teacher's bank, in one query; `theme` null: every subject. */
async function readFacets(
  db: Client,
  ownerId: string,
  theme: string | null,
): Promise<Omit<ReplyOf<typeof getBankFacets>, 'shared'>> {
  const found = await one<Omit<ReplyOf<typeof getBankFacets>, 'shared'>>(
    db,
    `with own as materialized (
       select theme, topic, difficulty, kind, tags from bank_entries
       where owner_id = $1 and removed_at is null
     ), shelf as materialized (select * from own where $2::text is null or theme = $2)
     select (select count(*) from own) as total,
       ${counts('select theme as value from own', BY_COUNT)} as themes,
       ${counts('select topic as value from shelf', BY_NAME)} as topics,
       ${counts('select difficulty as value from shelf', BY_COUNT)} as difficulties,
       ${counts('select kind as value from shelf', BY_COUNT)} as kinds,
       ${counts('select unnest(tags) as value from shelf', BY_NAME)} as tags`,
    [ownerId, theme],
  );
  if (!found) throw new Error('facets are one row');
  return found;
}

const withoutUses = (entry: BankEntry): BankEntry => ({ ...entry, uses: [] });

const questionsOf = (entries: readonly BankEntry[]) => entries.map(({ question }) => question);

/** Scored during a request for a list; the index job does the rest. */
const ATTEMPTS_A_CALL = 300;

/** A teacher's questions, inside and outside of tests. */
export function registerBank(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;
  const refresh = (ownerId: string) =>
    refreshFigures(pool, { ownerId, most: ATTEMPTS_A_CALL, least: 0 });

  handle(app, deps, listBank, async ({ caller, query, wireVersion }) => {
    const ownerId = await readableBank(pool, caller, query.bankOf);
    await refresh(ownerId);
    const page = await listEntries(pool, ownerId, query);
    refuseOlderApp(deps, questionsOf(page.items), wireVersion());
    // The tests of a colleague are not shown.
    return ownerId === caller.userId ? page : { ...page, items: page.items.map(withoutUses) };
  });

  handle(app, deps, getBankFacets, async ({ caller, query }) => ({
    ...(await readFacets(
      pool,
      await readableBank(pool, caller, query.bankOf),
      query.theme ?? null,
    )),
    shared: await sharedBanks(pool, caller),
  }));

  handle(app, deps, saveBankEntry, async ({ caller, params, body, now, wireVersion }) => {
    const { entryId } = params;
    const question = storedForm(body.question);
    const fields = entryFields(question, entryId, { topic: '', difficulty: '' });
    await transaction(pool, async (client) => {
      await lockCaller(client, caller.userId);
      const stored = await one<{ question: unknown }>(
        client,
        'select question from bank_entries where owner_id = $1 and entry_id = $2',
        [caller.userId, entryId],
      );
      if (stored) refuseOlderApp(deps, [v.parse(Question, stored.question)], wireVersion());
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

  handle(app, deps, pickFromBank, async ({ caller, body, wireVersion }) => {
    await refresh(caller.userId);
    const picked = await pickEntries(pool, caller.userId, body);
    refuseOlderApp(deps, questionsOf(picked.items), wireVersion());
    return picked;
  });

  handle(app, deps, findImported, async ({ caller, body }) => ({
    sources: await importedSources(pool, caller.userId, body.sources),
  }));
}
