import type { Pool, PoolClient } from 'pg';
import type { correctKey } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import type { BodyOf, ReplyOf } from '#contract/route.ts';
import { compareNames } from '#domain/alphabet.ts';
import { keyProblems } from '#domain/key-correction.ts';
import { maxPoints } from '#domain/scoring.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import { execute, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/http/refusal.ts';
import { correctWorkingCopy } from '#server/authoring/corrected-key.ts';
import {
  loadEvidence,
  markOf,
  marksFrom,
  storeMarks,
  type AttemptMark,
  type AttemptMarks,
} from '#server/passing/counting.ts';
import { lockRescoring } from './lock.ts';
import {
  closeContents,
  insertContents,
  findCorrectedContents,
  newIds,
  oldIds,
  repointDraws,
  repointTest,
  type ContentReplacement,
} from './corrected-contents.ts';
import type { TaughtTest } from './taught-test.ts';

type Reply = ReplyOf<typeof correctKey>;

const NOTHING_LEFT = 'Без этого вопроса в тесте не остаётся баллов. Засчитайте его всем.';

/** Attempts per batch, so that their journals fit into memory. */
const AT_ONCE = 500;

interface Correction {
  readonly question: Question;
  readonly reason: string;
  readonly dryRun: boolean;
  readonly at: Date;
  readonly actorId: string;
}

/** An ended attempt that pins one of the contents. */
interface AttemptToRescore {
  readonly id: string;
  readonly contentId: string;
  readonly userName: string;
  readonly points: number | null;
  readonly withoutLate: number | null;
  readonly gradedMax: number | null;
  /** Deleted attempts and trials are not reported. */
  readonly isHidden: boolean;
}

interface RescoredAttempt extends AttemptToRescore {
  readonly newPoints: number | null;
}

const sum = (stored: number, old: number, corrected: number) =>
  Math.round((stored - old + corrected) * 100) / 100;

/** Null: the stored mark is missing, or cannot include the old key's points. */
function shiftedMark(
  { points, withoutLate, gradedMax }: AttemptToRescore,
  old: AttemptMarks,
  corrected: AttemptMarks,
): AttemptMark | null {
  if (points === null || withoutLate === null || gradedMax === null) return null;
  const [off, on] = [markOf(old), markOf(corrected)];
  const mark = {
    points: sum(points, off.points, on.points),
    withoutLate: sum(withoutLate, off.withoutLate, on.withoutLate),
    gradedMax: sum(gradedMax, off.gradedMax, on.gradedMax),
  };
  return Object.values(mark).some((each) => each < 0) ? null : mark;
}

async function wholeMark(
  client: PoolClient,
  attemptId: string,
  questions: readonly Question[],
): Promise<AttemptMark | null> {
  const whole = (await loadEvidence(client, [attemptId])).get(attemptId);
  return whole ? markOf(marksFrom(questions, whole)) : null;
}

/**
 * The marks with the corrected key: the question's points by the old key are subtracted, those by the new one
 * added.
 */
async function newMarks(
  client: PoolClient,
  attempts: readonly AttemptToRescore[],
  replacements: readonly ContentReplacement[],
  { questionId }: Question,
): Promise<Map<string, AttemptMark>> {
  const byContent = new Map(replacements.map((each) => [each.oldId, each]));
  const ids = attempts.map((attempt) => attempt.id);
  const evidence = await loadEvidence(client, ids, questionId);
  const marks = new Map<string, AttemptMark>();
  for (const attempt of attempts) {
    const content = byContent.get(attempt.contentId);
    const own = evidence.get(attempt.id);
    // In the ids of this content: its parts may have other ids than those that were sent.
    const corrected = content?.questions.find(({ questionId: id }) => id === questionId);
    if (!content || !own || !corrected) continue;
    const mark =
      shiftedMark(attempt, marksFrom([content.old], own), marksFrom([corrected], own)) ??
      (await wholeMark(client, attempt.id, content.questions));
    if (mark) marks.set(attempt.id, mark);
  }
  return marks;
}

/** Moves attempts, locked by the caller, from the old contents to the new ones. */
async function repoint(
  client: PoolClient,
  replacements: readonly ContentReplacement[],
  attemptIds: readonly string[],
): Promise<void> {
  await execute(
    client,
    `update attempts x set content_id = m.new_id
     from unnest($1::uuid[], $2::uuid[]) as m (old_id, new_id)
     where x.content_id = m.old_id and x.id = any($3)`,
    [oldIds(replacements), newIds(replacements), attemptIds],
  );
}

/**
 * Rescores the ended attempts that still pin an old content, locked in the order of their ids, and moves them
 * to the new one. A dry run locks and writes nothing.
 */
async function scoreEnded(
  client: PoolClient,
  replacements: readonly ContentReplacement[],
  { question, dryRun, at, actorId }: Correction,
): Promise<RescoredAttempt[]> {
  const ended = await rows<AttemptToRescore>(
    client,
    `select x.id, x.content_id as "contentId", u.user_name as "userName", x.points,
       x.points_without_late as "withoutLate", x.graded_max as "gradedMax",
       (x.deleted_at is not null or x.trial) as "isHidden"
     from attempts x join users u on u.id = x.user_id
     where x.content_id = any($1) and x.ended is not null order by x.id
     ${dryRun ? '' : 'for update of x'}`,
    [oldIds(replacements)],
  );
  const scored: RescoredAttempt[] = [];
  for (let from = 0; from < ended.length; from += AT_ONCE) {
    const some = ended.slice(from, from + AT_ONCE);
    const marks = await newMarks(client, some, replacements, question);
    for (const each of some)
      scored.push({ ...each, newPoints: marks.get(each.id)?.points ?? null });
    if (!dryRun) await storeMarks(client, marks, { reason: 'keyCorrected', at, actorId });
  }
  if (!dryRun) {
    const ids = ended.map((each) => each.id);
    await repoint(client, replacements, ids);
  }
  return scored;
}

/** Moves the rest that still pins an old content to the new one: running attempts. */
async function repointRest(
  client: PoolClient,
  replacements: readonly ContentReplacement[],
): Promise<void> {
  const rest = await rows<{ id: string }>(
    client,
    'select id from attempts where content_id = any($1) order by id for update',
    [oldIds(replacements)],
  );
  await repoint(
    client,
    replacements,
    rest.map((each) => each.id),
  );
}

async function record(
  client: PoolClient,
  deps: Deps,
  testId: string,
  replacements: readonly ContentReplacement[],
  { question, reason, at, actorId }: Correction,
  { rescored, changed }: Reply,
): Promise<void> {
  await execute(
    client,
    `insert into key_corrections (id, test_id, question_id, at, actor_id, reason, old_question,
       new_question, rescored, changed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      deps.newId(),
      testId,
      question.questionId,
      at,
      actorId,
      reason,
      JSON.stringify(replacements.at(-1)?.old ?? question),
      JSON.stringify(question),
      rescored,
      changed.length,
    ],
  );
  const act = actOn('test', testId, { actorId, act: 'keyCorrected', details: { rescored } });
  await recordAct(client, deps, act, at);
}

/** Deleted attempts are rescored too, since they can be restored, and so are trials; neither is reported. */
function replyOf(scored: readonly RescoredAttempt[]): Reply {
  const shown = scored.filter((each) => !each.isHidden);
  return {
    rescored: shown.length,
    changed: shown
      .filter((each) => each.newPoints !== each.points)
      .map(({ id, userName, points, newPoints }) => ({
        attemptId: id,
        userName,
        oldPoints: points,
        newPoints,
      }))
      .toSorted((a, b) => compareNames(a.userName, b.userName)),
  };
}

async function apply(
  client: PoolClient,
  deps: Deps,
  testId: string,
  replacements: readonly ContentReplacement[],
  correction: Correction,
): Promise<Reply> {
  await insertContents(client, testId, replacements, correction.at);
  const scored = await scoreEnded(client, replacements, correction);
  // Running ones are locked last, so that their saves wait for nothing slow.
  await client.query('select 1 from attempts where content_id = any($1) order by id for update', [
    oldIds(replacements),
  ]);
  const endedMeanwhile = await scoreEnded(client, replacements, correction);
  await repointRest(client, replacements);
  await repointTest(client, testId, replacements, correction);
  await closeContents(client, replacements);
  await correctWorkingCopy(client, testId, replacements, correction);
  await repointDraws(client, deps, testId, replacements);
  // A concurrent start held the test in share mode until now: its attempt follows.
  await repointRest(client, replacements);
  const reply = replyOf([...scored, ...endedMeanwhile]);
  await record(client, deps, testId, replacements, correction, reply);
  return reply;
}

/**
 * Corrects a wrong key once, in every content of the test that shows the same question. Contents are immutable:
 * attempts move to new ones, ended ones are rescored, manual grades stay.
 */
export async function correctTheKey(
  pool: Pool,
  deps: Deps,
  test: TaughtTest,
  { question, reason, dryRun }: BodyOf<typeof correctKey>,
  by: { readonly at: Date; readonly actorId: string },
): Promise<Reply> {
  const problems = keyProblems(question);
  if (problems.length > 0) throw invalid(problems);
  return transaction(pool, async (client) => {
    if (!dryRun) {
      await lockRescoring(client, test.id);
      // Locks out other saves of questions until the end: they would store the wrong key.
      await client.query('select 1 from tests where id = $1 for key share', [test.id]);
    }
    const replacements = await findCorrectedContents(client, deps, test.id, question);
    const correction: Correction = { question, reason, dryRun, ...by };
    if (replacements.length === 0) return replyOf([]);
    if (replacements.some(({ questions }) => maxPoints(questions) === 0))
      throw invalid([{ field: 'question.credit', message: NOTHING_LEFT }]);
    if (dryRun) return replyOf(await scoreEnded(client, replacements, correction));
    return apply(client, deps, test.id, replacements, correction);
  });
}
