import type { PoolClient } from 'pg';
import type { UpdateTestInput } from '#contract/authoring.ts';
import { parseDuration } from '#domain/duration.ts';
import { termsProblems } from '#domain/test-terms.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { refileQuestions } from '#server/bank/index-questions.ts';
import { one, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';
import { rememberShown } from '#server/tests/visible.ts';
import { assignmentProblems, replaceAssigned, replacePersonalTerms } from './assignments.ts';
import { recordChangedKeys } from './changed-keys.ts';
import { addContent, dropOldDrafts, questionsOf, sameQuestions } from './content.ts';
import { lockEditable, type EditableTest } from './editable.ts';
import { requireReady } from './ready.ts';
import { storedForm } from './stored-form.ts';
import { readWorkingCopy, storeWorkingCopy } from './working-copy.ts';

const seconds = (duration: string) => parseDuration(duration) / 1000;
const secondsOrNull = (duration: string | null) => (duration === null ? null : seconds(duration));
const dateOf = (iso: string | null) => (iso === null ? null : new Date(iso));

/** The test after the update: absent fields stay. */
function changed(test: EditableTest, change: UpdateTestInput) {
  const { startTestTime, endTestTime, passTestTime, lateWindow, offlineWindow } = change;
  return {
    name: change.name ?? test.name,
    description: change.description ?? test.description,
    theme: change.theme ?? test.theme,
    topic: change.topic ?? test.topic,
    difficulty: change.difficulty ?? test.difficulty,
    language: change.language ?? test.language,
    attemptsCount: change.attemptsCount ?? test.attemptsCount,
    startTime: startTestTime === undefined ? test.startTime : dateOf(startTestTime),
    endTime: endTestTime === undefined ? test.endTime : dateOf(endTestTime),
    passSeconds: passTestTime === undefined ? test.passSeconds : seconds(passTestTime),
    windowSeconds: lateWindow === undefined ? test.windowSeconds : seconds(lateWindow),
    offlineStart: change.offlineStart ?? test.offlineStart,
    offlineWindowSeconds:
      offlineWindow === undefined ? test.offlineWindowSeconds : secondsOrNull(offlineWindow),
    openToAll: change.openToAll ?? test.openToAll,
    countedAttempt: change.countedAttempt ?? test.countedAttempt,
    visibility: change.visibility ?? test.visibility,
  };
}
type UpdatedTest = ReturnType<typeof changed>;

async function madeAttempts(client: PoolClient, testId: string): Promise<Map<string, number>> {
  const found = await rows<{ userId: string; count: number }>(
    client,
    `select user_id as "userId", count(*) as count from attempts
     where test_id = $1 and deleted_at is null group by user_id`,
    [testId],
  );
  return new Map(found.map(({ userId, count }) => [userId, count]));
}

const NOBODY = new Map<string, number>();

/** Without dates: those were checked when they were sent. */
const storedTerms = (client: PoolClient, testId: string) =>
  rows<{ userId: string; attemptsCount: number | null }>(
    client,
    `select user_id as "userId", attempts_count as "attemptsCount"
     from personal_terms where test_id = $1`,
    [testId],
  );

/** Refuses a contradiction only if one of its fields was sent, so that an old one never blocks the rest. */
async function check(
  client: PoolClient,
  caller: AuthenticatedUser,
  next: UpdatedTest,
  change: UpdateTestInput,
): Promise<void> {
  const { personalTerms } = change;
  const touchesAttempts = change.attemptsCount !== undefined || personalTerms !== undefined;
  const terms =
    personalTerms?.map(({ userId, attemptsCount: count, startTestTime, endTestTime }) => ({
      userId,
      attemptsCount: count,
      startTime: dateOf(startTestTime)?.getTime() ?? null,
      endTime: dateOf(endTestTime)?.getTime() ?? null,
    })) ?? (await storedTerms(client, change.id));
  const made = touchesAttempts ? await madeAttempts(client, change.id) : NOBODY;
  const problems = [
    ...termsProblems(
      {
        startTime: next.startTime?.getTime() ?? null,
        endTime: next.endTime?.getTime() ?? null,
        attemptsCount: next.attemptsCount,
        lateWindowMs: next.windowSeconds * 1000,
        offlineWindowMs: (next.offlineWindowSeconds ?? 0) * 1000,
        personalTerms: terms,
      },
      made,
    ),
    ...(await assignmentProblems(client, caller, change)),
  ];
  if (problems.length > 0) throw invalid(problems);
}

async function store(
  client: PoolClient,
  test: EditableTest,
  next: UpdatedTest,
  by: { caller: AuthenticatedUser; now: Date; setsFields: boolean },
): Promise<number> {
  const row = await one<{ version: number }>(
    client,
    `update tests set version = version + 1, name = $2, description = $3, theme = $4, topic = $5,
       difficulty = $6, attempts_count = $7, start_time = $8, end_time = $9, pass_seconds = $10,
       late_window_seconds = $11, open_to_all = $12, counted_attempt = $13, visibility = $14,
       updated_at = $15, updated_by = $16,
       fields_version = case when $17 then version + 1 else fields_version end, language = $18,
       offline_start = $19, offline_window_seconds = $20
     where id = $1 returning version`,
    [
      test.id,
      next.name,
      next.description,
      next.theme,
      next.topic,
      next.difficulty,
      next.attemptsCount,
      next.startTime,
      next.endTime,
      next.passSeconds,
      next.windowSeconds,
      next.openToAll,
      next.countedAttempt,
      JSON.stringify(next.visibility),
      by.now,
      by.caller.userId,
      by.setsFields,
      next.language,
      next.offlineStart,
      next.offlineWindowSeconds,
    ],
  );
  return row?.version ?? test.version;
}

/** New questions become a new content; those of a published test go live at once, so they must be ready. */
async function storeQuestions(
  client: PoolClient,
  deps: Deps,
  test: EditableTest,
  {
    questions: given,
    caller,
    now,
  }: { questions: UpdateTestInput['questions']; caller: AuthenticatedUser; now: Date },
): Promise<void> {
  if (given === undefined) return;
  const questions = given.map(storedForm);
  // Questions equal to the published ones are no change: the working copy stays.
  if (sameQuestions(questions, await questionsOf(client, test.contentId))) return;
  if (test.lifecycle === 'active') requireReady(questions);
  const copy = await readWorkingCopy(client, test);
  // Unpublished edits that the sender never read would be lost.
  if (copy.hasUnpublished) throw staleOf(test.version, copy);
  await recordChangedKeys(client, deps, test, { questions, caller, now });
  await storeWorkingCopy(client, test, { questions, caller, now });
  await addContent(client, deps, test.id, { questions, now });
  await dropOldDrafts(client, test, now);
}

/** Names the author and time of the newer version. */
const staleOf = (
  version: number,
  { updatedAt, updatedBy }: Pick<EditableTest, 'updatedAt' | 'updatedBy'>,
): Refusal =>
  new Refusal('STALE_VERSION', {
    details: { version, updatedAt: updatedAt.toISOString(), updatedBy },
  });

/** An edit of questions alone does not conflict with a change of other fields. */
function isStale(test: EditableTest, { version, questions }: UpdateTestInput): boolean {
  if (questions !== undefined) return version !== test.version;
  return version < test.fieldsVersion || version > test.version;
}

/** Updates a test in one transaction; a stale version changes nothing and is reported with its author. */
export function updateTestAs(
  deps: Deps,
  caller: AuthenticatedUser,
  change: UpdateTestInput,
  now: Date,
): Promise<{ version: number; updatedAt: string }> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, change.id);
    if (isStale(test, change)) {
      throw staleOf(test.version, test);
    }
    const { id: _, version: __, questions, ...fields } = change;
    const next = changed(test, change);
    await check(client, caller, next, change);
    await rememberShown(client, test, now);
    await storeQuestions(client, deps, test, { questions, caller, now });
    const { assignedUserIds, assignedGroupIds, personalTerms } = change;
    const target = { testId: test.id, now };
    if (assignedUserIds) {
      await replaceAssigned(client, deps, { ...target, column: 'user_id', ids: assignedUserIds });
    }
    if (assignedGroupIds) {
      await replaceAssigned(client, deps, { ...target, column: 'group_id', ids: assignedGroupIds });
    }
    if (personalTerms) await replacePersonalTerms(client, test.id, personalTerms);
    const version = await store(client, test, next, {
      caller,
      now,
      setsFields: Object.keys(fields).length > 0,
    });
    await refileQuestions(client, test.id, { from: test, to: next });
    return { version, updatedAt: now.toISOString() };
  });
}
