import { ROLE } from '#contract/auth.ts';
import type { ProjectDetails, ProjectFile, ProjectListItem } from '#contract/projects.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { type Client, one, rows } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly ratingSum: number;
  readonly ratingCount: number;
  readonly views: number;
  readonly createdAt: Date;
  readonly hiddenAt: Date | null;
  readonly logo: ProjectFile | null;
}

interface DetailsRow extends ProjectRow {
  readonly description: string;
  readonly landingURL: string;
  readonly updatedAt: Date;
  readonly documentation: ProjectFile | null;
  readonly myRating: number | null;
}

const fileOf = (role: string) => `(
  select json_build_object('key', f.key, 'name', f.name, 'mimeType', f.mime_type, 'size', f.size)
  from project_files f where f.project_id = p.id and f.role = '${role}')`;

const COLUMNS = `p.id, p.name, p.short_description as "shortDescription", p.owner_id as "ownerId",
  u.user_name as "ownerName", p.rating_sum as "ratingSum", p.rating_count as "ratingCount", p.views,
  p.created_at as "createdAt", p.hidden_at as "hiddenAt", ${fileOf('logo')} as logo`;

const item = ({ ratingSum, hiddenAt, createdAt, ...row }: ProjectRow): ProjectListItem => ({
  ...row,
  rating: meanRating(ratingSum, row.ratingCount),
  createdAt: createdAt.toISOString(),
  isHidden: hiddenAt !== null,
});

/** Mean of the ratings; null: unrated. */
export const meanRating = (sum: number, count: number): number | null =>
  count === 0 ? null : sum / count;

/** Cards of some projects, in the order of their ids. */
export async function projectItems(db: Client, ids: readonly string[]): Promise<ProjectListItem[]> {
  const found = await rows<ProjectRow>(
    db,
    `select ${COLUMNS} from projects p join users u on u.id = p.owner_id
     where p.id = any($1) order by array_position($1::uuid[], p.id)`,
    [ids],
  );
  return found.map(item);
}

/**
 * SQL condition: the caller may see project `p`; the caller's id is parameter `$n`, whether they are an admin
 * `$n+1`.
 */
export const mayRead = (n: number): string =>
  `(p.hidden_at is null or p.owner_id = $${n} or $${n + 1})`;

export const isAdmin = (caller: AuthenticatedUser): boolean => caller.role === ROLE.admin;

/**
 * One project as the caller sees it.
 * @throws {Refusal} NOT_FOUND also for a hidden one, except for its owner and administrators
 */
export async function projectDetails(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
): Promise<ProjectDetails> {
  const row = await one<DetailsRow>(
    db,
    `select ${COLUMNS}, p.description, p.landing_url as "landingURL", p.updated_at as "updatedAt",
       ${fileOf('documentation')} as documentation,
       (select r.stars from project_ratings r where r.project_id = p.id and r.user_id = $2)
         as "myRating"
     from projects p join users u on u.id = p.owner_id where p.id = $1 and ${mayRead(2)}`,
    [id, caller.userId, isAdmin(caller)],
  );
  if (!row) throw new Refusal('NOT_FOUND');
  const { description, landingURL, updatedAt, documentation, myRating, ...card } = row;
  const isMine = row.ownerId === caller.userId;
  return {
    ...item(card),
    description,
    landingURL,
    documentation,
    updatedAt: updatedAt.toISOString(),
    myRating,
    isMine,
    mayEdit: isMine || isAdmin(caller),
  };
}
