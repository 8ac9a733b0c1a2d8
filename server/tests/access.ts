import type { CountedAttempt, TestLifecycle, Visibility } from '#contract/tests.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, type Client } from '#server/db/query.ts';
import { mayManage, sharedAsSql, type SharedTest } from './level.ts';

/** The columns of a row of `tests`. */
export interface TestColumns {
  readonly id: string;
  readonly ownerId: string;
  readonly lifecycle: TestLifecycle;
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly theme: string;
  readonly topic: string;
  readonly difficulty: string;
  /** Empty: that of the subject. */
  readonly language: string;
  readonly attemptsCount: number;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  /** When it ends for the last person, by the longest own term; null: it has no end. */
  readonly lastEndTime: Date | null;
  readonly passSeconds: number;
  readonly windowSeconds: number;
  readonly offlineStart: boolean;
  /** How late answers count after a begin without a network; null: until the end of the school's day. */
  readonly offlineWindowSeconds: number | null;
  readonly openToAll: boolean;
  readonly countedAttempt: CountedAttempt;
  readonly visibility: Visibility;
  readonly contentId: string | null;
}

/** When test `t` ends for the last person. */
export const LAST_END = `case when t.end_time is not null then greatest(t.end_time,
  (select max(own.end_time) from personal_terms own where own.test_id = t.id)) end`;

const columns = (startTime: string, endTime: string) => `t.id, t.owner_id as "ownerId", t.lifecycle,
  t.version, t.name, t.description, t.theme, t.topic, t.difficulty, t.language,
  t.attempts_count as "attemptsCount", ${startTime} as "startTime", ${endTime} as "endTime",
  ${LAST_END} as "lastEndTime", t.pass_seconds as "passSeconds",
  t.late_window_seconds as "windowSeconds", t.offline_start as "offlineStart",
  t.offline_window_seconds as "offlineWindowSeconds", t.open_to_all as "openToAll",
  t.counted_attempt as "countedAttempt", t.visibility, t.content_id as "contentId"`;

/** The columns of `TestColumns`, of a row named `t`. */
export const TEST_COLUMNS = columns('t.start_time', 't.end_time');

/** The dates of test `t` for the person of the personal terms `p`. */
export const OWN_START = 'coalesce(p.start_time, t.start_time)';
export const OWN_END = 'coalesce(p.end_time, t.end_time)';

/** A test as the rules of access, start and results read it. */
export interface TestAccess extends TestColumns, SharedTest {
  readonly ownerName: string;
  /** Of the newest content. */
  readonly maxPoints: number;
  readonly questionCount: number;
  /** The caller's personal terms. */
  readonly extraSeconds: number;
  readonly ownAttemptsCount: number | null;
  readonly isAssigned: boolean;
  /** The caller has an attempt on it, even if no longer assigned. */
  readonly hasAttempt: boolean;
}

/** Needs the caller's id as $1, and has the caller's dates; a condition on `t` is appended. */
export const TEST_FACTS = `
select ${columns(OWN_START, OWN_END)}, u.user_name as "ownerName",
  ${sharedAsSql('$1')} as "sharedAs",
  coalesce(c.max_points, 0) as "maxPoints",
  coalesce(c.asked, jsonb_array_length(c.questions), 0) as "questionCount",
  coalesce(p.extra_seconds, 0) as "extraSeconds", p.attempts_count as "ownAttemptsCount",
  -- Apart, so that neither reads what is assigned to all the others.
  exists (select 1 from assignments a where a.test_id = t.id and a.user_id = $1)
  or exists (
    select 1 from group_members m
    join assignments a on a.group_id = m.group_id and a.test_id = t.id
    where m.user_id = $1
  ) as "isAssigned",
  exists (
    select 1 from attempts x where x.test_id = t.id and x.user_id = $1 and x.deleted_at is null
  ) as "hasAttempt"
from tests t
  join users u on u.id = t.owner_id
  left join test_contents c on c.id = t.content_id
  left join personal_terms p on p.test_id = t.id and p.user_id = $1`;

/** Assigned, or open to everyone, and published. */
export function mayTake(test: TestAccess): boolean {
  return test.lifecycle === 'active' && (test.isAssigned || test.openToAll);
}

function mayRead(caller: AuthenticatedUser, test: TestAccess): boolean {
  if (mayManage(caller, test, 'results') || test.hasAttempt) return true;
  return test.lifecycle !== 'draft' && (test.isAssigned || test.openToAll);
}

/** Planned once for each connection: planning it takes longer than running it. */
const READ_TEST = { name: 'read-test', text: `${TEST_FACTS} where t.id = $2` };

/** The test as the rules read it, also for a person who may no longer read it. */
export const testFacts = (db: Client, userId: string, id: string): Promise<TestAccess | null> =>
  one<TestAccess>(db, READ_TEST, [userId, id]);

/** The test if the caller may read it, else null, so that an id reveals nothing. */
export async function readableTest(
  db: Client,
  caller: AuthenticatedUser,
  id: string,
): Promise<TestAccess | null> {
  const test = await testFacts(db, caller.userId, id);
  return test && mayRead(caller, test) ? test : null;
}

/** Total attempts that the caller may make. */
export function allowedAttempts(
  test: Pick<TestAccess, 'ownAttemptsCount' | 'attemptsCount'>,
): number {
  return test.ownAttemptsCount ?? test.attemptsCount;
}
