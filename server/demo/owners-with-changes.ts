import type { PoolClient } from 'pg';
import { rows } from '#server/db/query.ts';
import { durationMs, type DemoPlan, type PlannedAttempt } from './plan.ts';
import { attemptId, operationId, streamId } from './seed-attempts.ts';
import { testId } from './seed-tests.ts';

interface FoundOperation {
  id: string;
  owner: string;
  started_at: Date;
  deadline: Date;
  deleted_at: Date | null;
  operations: string[];
  decided: boolean;
  streams: string[];
  /** When answers were graded, in milliseconds since the start. */
  graded: number[];
}

const findAttempts = `
  select a.id, a.test_id || '/' || a.user_id as owner, a.started_at, a.deadline, a.deleted_at,
    array(select o.id::text from operations o where o.attempt_id = a.id) as operations,
    exists(select from operations o where o.attempt_id = a.id and o.decided_at is not null) as decided,
    array(select s.id::text from streams s where s.attempt_id = a.id) as streams,
    array(select (extract(epoch from g.graded_at - a.started_at) * 1000)::float8
            from grades g where g.attempt_id = a.id) as graded
  from attempts a where a.test_id = any($1::uuid[])`;

/** Answers that a student may change, and the finish. */
const MAX_OPERATIONS = 60;
const ROUNDING_MS = 2;

/** Longest time that the plan gives the attempt, whatever its dates. */
function allowedMs(plan: DemoPlan, planned: PlannedAttempt): number {
  const test = plan.tests.find(({ key }) => key === planned.testKey);
  if (!test) throw new Error(`an attempt is planned on an unknown test ${planned.testKey}`);
  const extra = test.personalTerms.find(({ email }) => email === planned.studentEmail);
  return durationMs(test.passTime) + (extra?.extraSeconds ?? 0) * 1000;
}

/** Compared by contents and not by dates: the dates of a planted attempt may be of any earlier start. */
function isAsPlanted(found: FoundOperation, planned: PlannedAttempt, plan: DemoPlan): boolean {
  const operations = new Set(
    Array.from({ length: MAX_OPERATIONS }, (_, place) => operationId(found.id, place + 1)),
  );
  const offsets = planned.grades.map(({ at }) => at.getTime() - planned.startedAt.getTime());
  return (
    found.deleted_at === null &&
    !found.decided &&
    found.operations.every((id) => operations.has(id)) &&
    found.streams.every((id) => id === streamId(found.id)) &&
    found.graded.every((ms) => offsets.some((offset) => Math.abs(offset - ms) <= ROUNDING_MS)) &&
    found.deadline.getTime() - found.started_at.getTime() <= allowedMs(plan, planned)
  );
}

/** `testId/userId` of everybody with attempts on a test that differ from the plan: people changed something. */
export async function ownersWithChanges(client: PoolClient, plan: DemoPlan): Promise<Set<string>> {
  const planned = new Map(plan.attempts.map((attempt) => [attemptId(attempt), attempt]));
  const found = await rows<FoundOperation>(client, findAttempts, [
    plan.tests.map(({ key }) => testId(key)),
  ]);
  const touched = found.filter((attempt) => {
    const original = planned.get(attempt.id);
    return !original || !isAsPlanted(attempt, original, plan);
  });
  return new Set(touched.map(({ owner }) => owner));
}
