import type { BankEntry, BankOrder, listBank } from '#contract/bank.ts';
import type { QueryOf } from '#contract/route.ts';
import { folded } from '#server/db/search.ts';
import { one, type Client } from '#server/db/query.ts';
import { readEntries } from './entries.ts';
import { questionPatterns } from './entry.ts';

/** What all of a bank is sorted by, of owner $1; ties go to what was written last. */
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

/** A page of a teacher's bank and how many entries match, by two queries whatever the page. */
export async function listEntries(
  db: Client,
  ownerId: string,
  query: QueryOf<typeof listBank>,
): Promise<{ items: BankEntry[]; total: number }> {
  const { sortOrder, page, pageSize } = query;
  const order = ORDERS[sortOrder];
  const found = await one<{ total: number; ids: string[] }>(
    db,
    `with picked as materialized (
       select entry_id, e.updated_at, ${order.key} as key
       from bank_entries e ${order.join}
       where e.owner_id = $1 and e.removed_at is null
         and ($2 = '{}'::text[] or e.words || ' ' || ${folded('e.topic')} like all ($2))
         and ($3::text is null or e.theme = $3) and ($4::text is null or e.topic = $4)
         and ($5::text is null or e.difficulty = $5) and ($6::text is null or e.kind = $6)
         and ($7::text is null or e.tags @> array[$7])
         and ($8::uuid is null or not exists (select 1 from bank_uses u
           where u.test_id = $8 and u.entry_id = e.entry_id and u.is_current))
     )
     select (select count(*) from picked) as total,
       array(select entry_id from picked order by ${order.by} updated_at desc, entry_id desc
         limit $9 offset $10) as ids`,
    [
      ownerId,
      questionPatterns(query.searchQuery),
      query.theme ?? null,
      query.topic ?? null,
      query.difficulty ?? null,
      query.kind ?? null,
      query.tag ?? null,
      query.notIn ?? null,
      pageSize,
      (page - 1) * pageSize,
    ],
  );
  return {
    items: await readEntries(db, ownerId, found?.ids ?? []),
    total: found?.total ?? 0,
  };
}
