import type { ProjectListItem, listProjects } from '#contract/projects.ts';
import type { QueryOf } from '#contract/route.ts';
import { inAlphabet } from '#domain/alphabet.ts';
import { type Client, one, rows } from '#server/db/query.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import { projectItems } from './rows.ts';

type Query = QueryOf<typeof listProjects>;

/** Filters projects by owner, and by whether they are hidden; null: both. */
interface Scope {
  readonly ownerId: string | null;
  readonly isHidden: boolean | null;
}

const FOUND = `from projects p join users u on u.id = p.owner_id
  where ($1::uuid is null or p.owner_id = $1)
    and ($2::boolean is null or (p.hidden_at is not null) = $2)
    and (cardinality($3::text[]) = 0
      or ${folded(`concat_ws(' ', p.name, p.short_description, p.description, u.user_name)`)}
        like all ($3::text[]))`;

/** Best first: by the mean, then by the number of ratings; unrated ones last. */
const ORDERS = {
  new: 'p.created_at desc, p.id desc',
  high_rating: `p.rating_count = 0, p.rating_sum::float8 / nullif(p.rating_count, 0) desc,
    p.rating_count desc, p.id desc`,
  high_views: 'p.views desc, p.id desc',
} as const;

interface Page {
  readonly ids: readonly string[];
  readonly total: number;
}

async function orderedPage(
  db: Client,
  values: readonly unknown[],
  order: keyof typeof ORDERS,
  { page, pageSize }: Query,
): Promise<Page> {
  const found = await rows<{ id: string; total: number }>(
    db,
    `select p.id, count(*) over () as total ${FOUND}
     order by ${ORDERS[order]} limit $4 offset $5`,
    [...values, pageSize, (page - 1) * pageSize],
  );
  const [first] = found;
  if (first || page === 1) return { ids: found.map(({ id }) => id), total: first?.total ?? 0 };
  const counted = await one<{ total: number }>(db, `select count(*) as total ${FOUND}`, values);
  return { ids: [], total: counted?.total ?? 0 };
}

/** The database's locale may not sort Russian. */
async function pageByName(
  db: Client,
  values: readonly unknown[],
  { page, pageSize }: Query,
): Promise<Page> {
  const found = await rows<{ id: string; name: string }>(
    db,
    `select p.id, p.name ${FOUND}`,
    values,
  );
  const ids = inAlphabet(found, (project) => project)
    .slice((page - 1) * pageSize, page * pageSize)
    .map(({ id }) => id);
  return { ids, total: found.length };
}

/** One page of projects in the requested order. */
export async function projectPage(
  db: Client,
  { ownerId, isHidden }: Scope,
  query: Query,
): Promise<{ items: ProjectListItem[]; total: number }> {
  const values = [ownerId, isHidden, wordPatterns(query.searchQuery)];
  const { ids, total } =
    query.sortOrder === 'name'
      ? await pageByName(db, values, query)
      : await orderedPage(db, values, query.sortOrder, query);
  return { items: await projectItems(db, ids), total };
}
