import type { TestSettings } from '#contract/authoring.ts';
import { reaches } from '#domain/access-level.ts';
import { formatDuration } from '#domain/duration.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { nameKey } from '#server/db/name-order.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { TEST_FACTS, type TestAccess } from '#server/tests/access.ts';
import { levelOf } from '#server/tests/level.ts';

async function attemptsOf(db: Client, testId: string, now: Date) {
  const found = await one<{ attempts: number; mostAttempts: number; runningAttempts: number }>(
    db,
    `select coalesce(sum(made), 0) as attempts,
       coalesce(max(made - trials), 0) as "mostAttempts",
       coalesce(sum(runs), 0) as "runningAttempts"
     from (
       select count(*) as made, count(*) filter (where trial) as trials,
         count(*) filter (where ended is null and deadline > $2) as runs
       from attempts where test_id = $1 and deleted_at is null group by user_id
     ) people`,
    [testId, now],
  );
  return found ?? { attempts: 0, mostAttempts: 0, runningAttempts: 0 };
}

/** People whom the test is assigned to by name. */
function readAssignedUsers(db: Client, testId: string): Promise<TestSettings['assignedUsers']> {
  return rows<TestSettings['assignedUsers'][number]>(
    db,
    `select u.id as "userId", u.user_name as "userName"
     from assignments a join users u on u.id = a.user_id where a.test_id = $1
     order by ${nameKey('u.user_name')}, u.id`,
    [testId],
  );
}

function readAssignedGroups(db: Client, testId: string): Promise<TestSettings['assignedGroups']> {
  return rows<TestSettings['assignedGroups'][number]>(
    db,
    `select g.id as "groupId", g.name, u.user_name as owner,
       (select count(*) from group_members m where m.group_id = g.id) as "memberCount"
     from assignments a join groups g on g.id = a.group_id join users u on u.id = g.owner_id
     where a.test_id = $1
     order by ${nameKey('g.name')}, g.id`,
    [testId],
  );
}

async function readPersonalTerms(
  db: Client,
  testId: string,
): Promise<TestSettings['personalTerms']> {
  const personal = await rows<
    Omit<TestSettings['personalTerms'][number], 'startTestTime' | 'endTestTime'> & {
      startTime: Date | null;
      endTime: Date | null;
    }
  >(
    db,
    `select p.user_id as "userId", u.user_name as "userName", p.extra_seconds / 60 as "extraMinutes",
       p.attempts_count as "attemptsCount", p.start_time as "startTime", p.end_time as "endTime"
     from personal_terms p join users u on u.id = p.user_id where p.test_id = $1
     order by ${nameKey('u.user_name')}, u.id`,
    [testId],
  );
  return personal.map(({ startTime, endTime, ...term }) => ({
    ...term,
    startTestTime: startTime?.toISOString() ?? null,
    endTestTime: endTime?.toISOString() ?? null,
  }));
}

/** All of a test except its questions. Throws NOT_FOUND for a caller who may not even see its results. */
export async function readSettings(
  db: Client,
  caller: AuthenticatedUser,
  testId: string,
  now: Date,
): Promise<TestSettings> {
  const test = await one<TestAccess & { updatedAt: Date }>(
    db,
    // The test's own dates, not those of the caller.
    `select facts.*, t.start_time as "startTime", t.end_time as "endTime", t.updated_at as "updatedAt"
     from (${TEST_FACTS} where t.id = $2) facts join tests t on t.id = facts.id`,
    [caller.userId, testId],
  );
  const level = test && levelOf(caller, test);
  if (!level) throw new Refusal('NOT_FOUND');
  // Only those who may change the terms see everybody's.
  const mayChange = reaches(level, 'edit');
  return {
    id: test.id,
    version: test.version,
    lifecycle: test.lifecycle,
    level,
    ownerId: test.ownerId,
    owner: test.ownerName,
    name: test.name,
    description: test.description,
    theme: test.theme,
    difficulty: test.difficulty,
    topic: test.topic,
    language: test.language,
    attemptsCount: test.attemptsCount,
    startTestTime: test.startTime?.toISOString() ?? null,
    endTestTime: test.endTime?.toISOString() ?? null,
    passTestTime: formatDuration(test.passSeconds * 1000),
    maxPoints: test.maxPoints,
    totalQuestions: test.questionCount,
    openToAll: test.openToAll,
    lateWindow: formatDuration(test.windowSeconds * 1000),
    offlineStart: test.offlineStart,
    offlineWindow:
      test.offlineWindowSeconds === null ? null : formatDuration(test.offlineWindowSeconds * 1000),
    countedAttempt: test.countedAttempt,
    visibility: test.visibility,
    assignedUsers: mayChange ? await readAssignedUsers(db, testId) : [],
    assignedGroups: await readAssignedGroups(db, testId),
    personalTerms: mayChange ? await readPersonalTerms(db, testId) : [],
    ...(await attemptsOf(db, testId, now)),
    updatedAt: test.updatedAt.toISOString(),
  };
}
