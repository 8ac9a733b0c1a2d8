import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { inGroup } from '#server/grading/taught-test.ts';
import { unlessTrial } from '#server/passing/trial.ts';
import { requireLevel } from '#server/tests/level.ts';

/** A test with statistics that the caller may see. */
export interface AnalysedTest {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly countedAttempt: 'best' | 'last' | 'average';
  /** Of the newest content; null: no question yet. */
  readonly contentId: string | null;
  readonly maxPoints: number;
}

/**
 * @throws {Refusal} NOT_FOUND for a deleted test or somebody else's
 */
export async function readAnalysedTest(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
): Promise<AnalysedTest> {
  await requireLevel(db, caller, id, 'results');
  const test = await one<AnalysedTest>(
    db,
    `select t.id, t.owner_id as "ownerId", t.name, t.counted_attempt as "countedAttempt",
       t.content_id as "contentId", coalesce(c.max_points, 0) as "maxPoints"
     from tests t left join test_contents c on c.id = t.content_id where t.id = $1`,
    [id],
  );
  if (!test) throw new Refusal('NOT_FOUND');
  return test;
}

/** Selects attempts. */
export interface AttemptChoice {
  readonly groupId?: string | undefined;
  /** `counted`: only those attempts of each person that make the mark. */
  readonly attempts: 'counted' | 'all';
  /** Includes trials of teachers and administrators. */
  readonly trials?: '1' | undefined;
}

/** Parameters of `CHOSEN_ATTEMPTS`, in its order. */
export const chosenParameters = (test: AnalysedTest, choice: AttemptChoice) => [
  test.id,
  test.countedAttempt,
  choice.groupId ?? null,
  choice.attempts === 'counted',
  choice.trials === '1',
];

/**
 * The selected attempts, each with whether it makes the mark (as `domain/counted-attempts` decides: of equally
 * good ones the first). Takes $1 to $5, see `chosenParameters`. Trials compete only with trials of the same
 * person, and never make a mark. With 2,000 attempts: one index scan of the test's attempts, hash joins to
 * people and contents (one row a version), finishes by primary key, one window sort; no row is read twice.
 */
export const CHOSEN_ATTEMPTS = `
select * from (
  select x.id, x.xmin::text as version, x.user_id, u.user_name, x.content_id, c.max_points, x.number, x.started_at, x.deadline,
    x.ended, x.ended_at, x.points, x.points_without_late, x.graded_max, x.trial,
    case when x.ended = 'finished' then round(extract(epoch from greatest(
      least(coalesce(f.written_at, x.ended_at), x.ended_at) - x.started_at, interval '0'))) end as used,
    x.ended is not null and ($2 = 'average' or x.id = first_value(x.id) over (
      partition by x.user_id, x.trial order by x.ended is null,
        case when $2 = 'best' then x.points end desc nulls last,
        case when $2 = 'last' then x.started_at end desc,
        case when $2 = 'last' then -x.number end, x.started_at, x.number)) as counted
  from attempts x
    join users u on u.id = x.user_id
    join test_contents c on c.id = x.content_id
    left join operations f on f.attempt_id = x.id and f.id = x.finish_operation
  where x.test_id = $1 and x.deleted_at is null and not x.begin_held
    and ${unlessTrial('$5')}
) chosen
where ${inGroup('chosen.user_id', '$3')}
  and (not $4::boolean or counted)`;
