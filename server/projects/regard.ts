import { one, execute, transaction } from '#server/db/query.ts';
import { type AuthenticatedUser, lockCaller } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isAdmin, mayRead, meanRating } from './rows.ts';

interface ProjectRow {
  readonly caller: AuthenticatedUser;
  readonly projectId: string;
  readonly now: Date;
}

/** Locks the project while its sums change, so that no update is lost. */
const LOCK = `select p.owner_id = $2 as "isOwn" from projects p where p.id = $1 and ${mayRead(2)} for update`;

/**
 * Counts a view of the caller, once per school day.
 * @throws {Refusal} NOT_FOUND also for a hidden project, except for its owner and administrators
 */
export async function countView(
  { pool, settings }: Deps,
  { caller, projectId, now }: ProjectRow,
): Promise<void> {
  const day = [projectId, caller.userId, now, settings.schoolTimezone];
  const seen = await one(
    pool,
    `select 1 as found from project_views
     where project_id = $1 and user_id = $2 and day = ($3::timestamptz at time zone $4)::date`,
    day,
  );
  if (seen) return;
  await transaction(pool, async (client) => {
    await lockCaller(client, caller.userId);
    if (!(await one(client, LOCK, [projectId, caller.userId, isAdmin(caller)])))
      throw new Refusal('NOT_FOUND');
    const isFirst = await execute(
      client,
      `insert into project_views (project_id, user_id, day)
       values ($1, $2, ($3::timestamptz at time zone $4)::date) on conflict do nothing`,
      day,
    );
    if (isFirst > 0)
      await execute(client, 'update projects set views = views + 1 where id = $1', [projectId]);
  });
}

/**
 * Rates a project as the caller, or changes the rating.
 * @throws {Refusal} NOT_FOUND also for a hidden project, except for its owner and administrators; OWN_PROJECT
 */
export async function rate(
  { pool }: Deps,
  { caller, projectId, now }: ProjectRow,
  stars: number,
): Promise<{ rating: number | null; ratingCount: number; myRating: number }> {
  return transaction(pool, async (client) => {
    await lockCaller(client, caller.userId);
    const project = await one<{ isOwn: boolean }>(client, LOCK, [
      projectId,
      caller.userId,
      isAdmin(caller),
    ]);
    if (!project) throw new Refusal('NOT_FOUND');
    if (project.isOwn) throw new Refusal('OWN_PROJECT');
    const before = await one<{ stars: number }>(
      client,
      'select stars from project_ratings where project_id = $1 and user_id = $2',
      [projectId, caller.userId],
    );
    await execute(
      client,
      `insert into project_ratings (project_id, user_id, stars, updated_at) values ($1, $2, $3, $4)
       on conflict (project_id, user_id)
         do update set stars = excluded.stars, updated_at = excluded.updated_at`,
      [projectId, caller.userId, stars, now],
    );
    const sums = await one<{ sum: number; count: number }>(
      client,
      `update projects set rating_sum = rating_sum + $2, rating_count = rating_count + $3
       where id = $1 returning rating_sum as sum, rating_count as count`,
      [projectId, stars - (before?.stars ?? 0), before ? 0 : 1],
    );
    if (!sums) throw new Refusal('NOT_FOUND');
    return {
      rating: meanRating(sums.sum, sums.count),
      ratingCount: sums.count,
      myRating: stars,
    };
  });
}
