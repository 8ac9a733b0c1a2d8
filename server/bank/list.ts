import type { BankEntry, BankOrder, listBank } from '#contract/bank.ts';
import type { QueryOf } from '#contract/route.ts';
import { folded } from '#server/db/search.ts';
import { one, type Client } from '#server/db/query.ts';
import { readEntries } from './entries.ts';
import { questionPatterns } from './entry.ts';

/** Sort orders of the bank of owner $1; ties go to the most recently changed. */
const ORDERS: Readonly<Record<BankOrder, { join: string; key: string; by: string }>> = {
  new: { join: '', key: 'null', by: '' },
  facility: {
    join: `left join (
      select entry_id, sum(share_sum) / sum(attempts) as facility
      from bank_uses where owner_id = $1 and attempts > 0 group by entry_id
    ) figures using (entry_id)`,
    key: 'figures.facility',
    by: 'key nulls last,',
  },
  uses: {
    join: `left join (
      select entry_id, count(*) as tests from (
        select distinct entry_id, test_id from bank_uses where owner_id = $1 and is_current
      ) current group by entry_id
    ) uses using (entry_id)`,
    key: 'coalesce(uses.tests, 0)',
    by: 'key desc,',
  },
};

type Query = QueryOf<typeof listBank>;

/** The requested filters as SQL, and no others, so that unused columns are not read. */
function conditions(query: Query): { sql: string; values: readonly unknown[] } {
  const patterns = questionPatterns(query.searchQuery);
  const filters: readonly (readonly [value: unknown, sql: (parameter: string) => string])[] = [
    [
      patterns.length === 0 ? undefined : patterns,
      (p) => `e.words || ' ' || ${folded('e.topic')} like all (${p}::text[])`,
    ],
    [query.theme, (p) => `e.theme = ${p}`],
    [query.topic, (p) => `e.topic = ${p}`],
    [query.difficulty, (p) => `e.difficulty = ${p}`],
    [query.kind, (p) => `e.kind = ${p}`],
    [query.tag, (p) => `e.tags @> array[${p}::text]`],
    [
      query.notIn,
      (p) => `not exists (select 1 from bank_uses u
        where u.test_id = ${p} and u.entry_id = e.entry_id and u.is_current)`,
    ],
  ];
  const activeConditions = filters.filter(([value]) => value !== undefined);
  return {
    sql: activeConditions.map(([, sql], index) => ` and ${sql(`$${index + 4}`)}`).join(''),
    values: activeConditions.map(([value]) => value),
  };
}

/** A page of a teacher's bank and the number of matching entries, always by two queries. */
export async function listEntries(
  db: Client,
  ownerId: string,
  query: Query,
): Promise<{ items: BankEntry[]; total: number }> {
  const { sortOrder, page, pageSize } = query;
  const order = ORDERS[sortOrder];
  const { sql, values } = conditions(query);
  const found = await one<{ total: number; ids: string[] }>(
    db,
    `with picked as materialized (
       select entry_id, e.updated_at, ${order.key} as key
       from bank_entries e ${order.join}
       where e.owner_id = $1 and e.removed_at is null${sql}
     )
     select (select count(*) from picked) as total,
       array(select entry_id from picked order by ${order.by} updated_at desc, entry_id desc
         limit $2 offset $3) as ids`,
    [ownerId, pageSize, (page - 1) * pageSize, ...values],
  );
  return {
    items: await readEntries(db, ownerId, found?.ids ?? []),
    total: found?.total ?? 0,
  };
}
