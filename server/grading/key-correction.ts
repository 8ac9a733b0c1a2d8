import type { Pool, PoolClient } from 'pg';
import type { correctKey } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import type { BodyOf, ReplyOf } from '#contract/route.ts';
import { keyProblems } from '#domain/key-correction.ts';
import { recordAct } from '#server/admin/audit.ts';
import { execute, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/http/refusal.ts';
import { mendWorkingCopy } from '#server/authoring/mended-key.ts';
import {
  loadEvidence,
  markOf,
  marksFrom,
  storeMarks,
  type Mark,
  type Marks,
} from '#server/passing/counting.ts';
import { lockRescoring } from './lock.ts';
import {
  closeContents,
  insertContents,
  mendedContents,
  newIds,
  oldIds,
  repointDraws,
  repointTest,
  type Mended,
} from './mended-contents.ts';
import type { TaughtTest } from './taught-test.ts';

type Reply = ReplyOf<typeof correctKey>;

/** As many attempts at a time as their journals fit into memory at ease. */
const AT_ONCE = 500;

interface Correction {
  readonly question: Question;
  readonly reason: string;
  readonly dryRun: boolean;
  readonly at: Date;
  readonly actorId: string;
}

/** An attempt that is over and pins one of the contents. */
interface Ended {
  readonly id: string;
  readonly contentId: string;
  readonly userName: string;
  readonly points: number | null;
  readonly withoutLate: number | null;
  readonly gradedMax: number | null;
  /** Nobody is told of deleted attempts and of trials. */
  readonly isHidden: boolean;
}

interface Scored extends Ended {
  readonly newPoints: number | null;
}

const sum = (stored: number, old: number, corrected: number) =>
  Math.round((stored - old + corrected) * 100) / 100;

/** Null: the stored mark is not there, or cannot have had the old key's points in it. */
function shiftedMark(
  { points, withoutLate, gradedMax }: Ended,
  old: Marks,
  corrected: Marks,
): Mark | null {
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
): Promise<Mark | null> {
  const whole = (await loadEvidence(client, [attemptId])).get(attemptId);
  return whole ? markOf(marksFrom(questions, whole)) : null;
}

/** The marks with the mended key: what the one question gives by the old key is taken off, by the new put on. */
async function newMarks(
  client: PoolClient,
  attempts: readonly Ended[],
  mended: readonly Mended[],
  { questionId }: Question,
): Promise<Map<string, Mark>> {
  const byContent = new Map(mended.map((each) => [each.oldId, each]));
  const ids = attempts.map((attempt) => attempt.id);
  const evidence = await loadEvidence(client, ids, questionId);
  const marks = new Map<string, Mark>();
  for (const attempt of attempts) {
    const content = byContent.get(attempt.contentId);
    const own = evidence.get(attempt.id);
    // As this content has it: its parts may have other ids than those that were sent.
    const corrected = content?.questions.find(({ questionId: id }) => id === questionId);
    if (!content || !own || !corrected) continue;
    const mark =
      shiftedMark(attempt, marksFrom([content.old], own), marksFrom([corrected], own)) ??
      (await wholeMark(client, attempt.id, content.questions));
    if (mark) marks.set(attempt.id, mark);
  }
  return marks;
}

/** Leads attempts, locked by the caller, from the old contents to the new ones. */
async function repoint(
  client: PoolClient,
  mended: readonly Mended[],
  attemptIds: readonly string[],
): Promise<void> {
  await execute(
    client,
    `update attempts x set content_id = m.new_id
     from unnest($1::uuid[], $2::uuid[]) as m (old_id, new_id)
     where x.content_id = m.old_id and x.id = any($3)`,
    [oldIds(mended), newIds(mended), attemptIds],
  );
}

/**
 * Scores the attempts that are over and still pin an old content, locked in the order of their ids,
 * and leads them to the new one. A dry run locks and writes nothing.
 */
async function scoreEnded(
  client: PoolClient,
  mended: readonly Mended[],
  { question, dryRun, at, actorId }: Correction,
): Promise<Scored[]> {
  const ended = await rows<Ended>(
    client,
    `select x.id, x.content_id as "contentId", u.user_name as "userName", x.points,
       x.points_without_late as "withoutLate", x.graded_max as "gradedMax",
       (x.deleted_at is not null or x.trial) as "isHidden"
     from attempts x join users u on u.id = x.user_id
     where x.content_id = any($1) and x.ended is not null order by x.id
     ${dryRun ? '' : 'for update of x'}`,
    [oldIds(mended)],
  );
  const scored: Scored[] = [];
  for (let from = 0; from < ended.length; from += AT_ONCE) {
    const some = ended.slice(from, from + AT_ONCE);
    const marks = await newMarks(client, some, mended, question);
    for (const each of some)
      scored.push({ ...each, newPoints: marks.get(each.id)?.points ?? null });
    if (!dryRun) await storeMarks(client, marks, { reason: 'keyCorrected', at, actorId });
  }
  if (!dryRun) {
    const ids = ended.map((each) => each.id);
    await repoint(client, mended, ids);
  }
  return scored;
}

/** Leads whatever still pins an old content to the new one: attempts that run. */
async function repointRest(client: PoolClient, mended: readonly Mended[]): Promise<void> {
  const rest = await rows<{ id: string }>(
    client,
    'select id from attempts where content_id = any($1) order by id for update',
    [oldIds(mended)],
  );
  await repoint(
    client,
    mended,
    rest.map((each) => each.id),
  );
}

async function record(
  client: PoolClient,
  deps: Deps,
  testId: string,
  mended: readonly Mended[],
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
      JSON.stringify(mended.at(-1)?.old ?? question),
      JSON.stringify(question),
      rescored,
      changed.length,
    ],
  );
  const subject = { kind: 'test', id: testId } as const;
  await recordAct(
    client,
    deps,
    { actorId, act: 'keyCorrected', subject, details: { rescored } },
    at,
  );
}

/** Deleted attempts are scored too, since they can be restored, and trials; nobody is told of either. */
function replyOf(scored: readonly Scored[]): Reply {
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
      .toSorted((a, b) => a.userName.localeCompare(b.userName, 'ru')),
  };
}

async function apply(
  client: PoolClient,
  deps: Deps,
  testId: string,
  mended: readonly Mended[],
  correction: Correction,
): Promise<Reply> {
  await insertContents(client, testId, mended, correction.at);
  const scored = await scoreEnded(client, mended, correction);
  // Those that run are locked last, so that their saves wait for nothing heavy.
  await client.query('select 1 from attempts where content_id = any($1) order by id for update', [
    oldIds(mended),
  ]);
  const endedMeanwhile = await scoreEnded(client, mended, correction);
  await repointRest(client, mended);
  await repointTest(client, testId, mended, correction);
  await closeContents(client, mended);
  await mendWorkingCopy(client, testId, mended, correction);
  await repointDraws(client, deps, testId, mended);
  // A start of this very moment held the test in share until now: its attempt follows.
  await repointRest(client, mended);
  const reply = replyOf([...scored, ...endedMeanwhile]);
  await record(client, deps, testId, mended, correction, reply);
  return reply;
}

/**
 * Mends a wrong key once, in every content of the test that shows the question alike. Contents stay as
 * they are: attempts are led to new ones, those that are over are scored again, grades of persons stay.
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
      // Nobody saves other questions until the end: those would keep the wrong key.
      await client.query('select 1 from tests where id = $1 for key share', [test.id]);
    }
    const mended = await mendedContents(client, deps, test.id, question);
    const correction: Correction = { question, reason, dryRun, ...by };
    if (mended.length === 0) return replyOf([]);
    if (dryRun) return replyOf(await scoreEnded(client, mended, correction));
    return apply(client, deps, test.id, mended, correction);
  });
}
