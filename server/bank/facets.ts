import type { getBankFacets } from '#contract/bank.ts';
import type { ReplyOf } from '#contract/route.ts';
import { one, type Client } from '#server/db/query.ts';
import { folded } from '#server/db/search.ts';

/** A native select takes no more beside «all»; the most frequent ones are named. */
const VALUES_MOST = 299;

const counts = (values: string, order: string) => `(
  select coalesce(json_agg(json_build_object('value', value, 'count', count) order by ${order}), '[]')
  from (select value, count(*) as count from (${values}) given where value <> ''
    group by value order by count(*) desc, value limit ${VALUES_MOST}) named)`;

const BY_COUNT = 'count desc, value';
const BY_NAME = `${folded('value')}, value`;

/** What a teacher's bank can be filtered by, in one pass; `theme` null: every subject. */
export async function readFacets(
  db: Client,
  ownerId: string,
  theme: string | null,
): Promise<ReplyOf<typeof getBankFacets>> {
  const found = await one<ReplyOf<typeof getBankFacets>>(
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
