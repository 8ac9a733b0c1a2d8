import type { BankEntry, BankOrder, listBank } from '#contract/bank.ts';
import type { QueryOf } from '#contract/route.ts';
import { folded } from '#server/db/search.ts';
import { one, type Client } from '#server/db/query.ts';
import { readEntries } from './entries.ts';
import { questionPatterns } from './entry.ts';

/** What all of a bank is sorted by; ties go to what was written last. */
const ORDERS: Readonly<Record<BankOrder, string>> = {
  new: '',
  facility: 'made.shares / nullif(made.attempts, 0) nulls last,',
  uses: 'coalesce(made.tests, 0) desc,',
};

/** Figures of all entries of owner $1, for orders that need them. */
const FIGURES = `left join (
  select entry_id, sum(attempts) as attempts, sum(share_sum) as shares,
    count(distinct test_id) filter (where is_current) as tests
  from bank_uses where owner_id = $1 group by entry_id
) made using (entry_id)`;

/** A page of a teacher's bank and how many entries match, by two queries whatever the page. */
export async function listEntries(
  db: Client,
  ownerId: string,
  query: QueryOf<typeof listBank>,
): Promise<{ items: BankEntry[]; total: number }> {
  const { sortOrder, page, pageSize } = query;
  const found = await one<{ total: number; ids: string[] }>(
    db,
    `with picked as materialized (
       select entry_id, row_number() over (
         order by ${ORDERS[sortOrder]} e.updated_at desc, entry_id desc) as place
       from bank_entries e ${sortOrder === 'new' ? '' : FIGURES}
       where e.owner_id = $1 and e.removed_at is null
         and e.words || ' ' || ${folded('e.topic')} like all ($2::text[])
         and ($3::text is null or e.theme = $3) and ($4::text is null or e.topic = $4)
         and ($5::text is null or e.difficulty = $5) and ($6::text is null or e.kind = $6)
         and ($7::text is null or e.tags @> array[$7])
         and ($8::uuid is null or not exists (select 1 from bank_uses u
           where u.test_id = $8 and u.entry_id = e.entry_id and u.is_current))
     )
     select (select count(*) from picked) as total,
       array(select entry_id from picked order by place limit $9 offset $10) as ids`,
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
