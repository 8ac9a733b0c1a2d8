import { readableText } from '#domain/format-gaps.ts';
import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import type { decideTestHeld, HeldOfAttempt, listTestHeld } from '#contract/grading.ts';
import type { BodyOf, QueryOf, ReplyOf } from '#contract/route.ts';
import { formatAnswer } from '#domain/format-answer.ts';
import { actOnAttempt, recordActs } from '#server/admin/audit.ts';
import { nameKey } from '#server/db/name-order.ts';
import { one, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { ATTEMPT_COLUMNS, attemptClosesAt, type Attempt } from '#server/passing/attempt.ts';
import { closeIfDue } from '#server/passing/close.ts';
import { loadContent, type TestContent } from '#server/passing/content.ts';
import {
  loadEvidence,
  markOf,
  MARKS_BY_DECISION,
  marksFrom,
  rebuildAnswers,
  storeMarks,
  type MarkEvidence,
  type AttemptMark,
} from '#server/passing/counting.ts';
import { heldOperations } from '#server/passing/journal.ts';
import { unlessTrial } from '#server/passing/trial.ts';
import { lockRescoring } from './lock.ts';
import { groupNames, inGroup, type TaughtTest } from './taught-test.ts';

type HeldRow = Attempt & {
  readonly userName: string;
  readonly groups: string[];
  readonly points: number | null;
};

type Decision = 'accepted' | 'refused';

const isHeld = (operation: MarkEvidence['journal'][number]) => operation.outcome === 'held';

/** The mark as it would be if all held answers had one decision. */
function scoreIf(content: TestContent, evidence: MarkEvidence, decision: Decision): number {
  const journal = evidence.journal.map((each) => (isHeld(each) ? { ...each, decision } : each));
  return marksFrom(content.questions, { ...evidence, journal }).withLate.points;
}

type HeldOperation = Awaited<ReturnType<typeof heldOperations>>[number];

function heldAnswers(
  content: TestContent,
  operations: readonly HeldOperation[],
): HeldOfAttempt['answers'] {
  const numbers = new Map(content.questions.map((each, index) => [each.questionId, index + 1]));
  return operations
    .map((operation) => {
      const question = content.byId.get(operation.questionId);
      return {
        operationId: operation.id,
        questionId: operation.questionId,
        number: numbers.get(operation.questionId) ?? 0,
        questionText: question ? readableText(question) : '',
        answer: operation.body as Answer,
        answerText: formatAnswer(operation.body as Answer, question),
        writtenAt: operation.writtenAt?.toISOString() ?? null,
        seenServerAt: operation.seenServerAt?.toISOString() ?? null,
        receivedAt: operation.receivedAt.toISOString(),
        afterResult: operation.afterResult,
        decision: operation.decision,
      };
    })
    .toSorted((a, b) => a.number - b.number);
}

async function heldOf(
  db: Client,
  row: HeldRow,
  evidence: MarkEvidence,
  operations: readonly HeldOperation[],
): Promise<HeldOfAttempt> {
  const content = await loadContent(db, row.contentId);
  const isOver = row.ended !== null;
  return {
    attemptId: row.id,
    attemptNumber: row.number,
    userId: row.userId,
    userName: row.userName,
    groups: row.groups,
    trial: row.trial,
    deadline: row.deadline.toISOString(),
    countsUntil: attemptClosesAt(row).toISOString(),
    score: isOver ? row.points : null,
    scoreIfAccepted: isOver ? scoreIf(content, evidence, 'accepted') : null,
    scoreIfRefused: isOver ? scoreIf(content, evidence, 'refused') : null,
    maxScore: content.maxPoints,
    answers: heldAnswers(content, operations),
  };
}

/** Held answers by attempt, paged; undecided attempts come first. Five queries and contents. */
export async function testHeld(
  db: Client,
  test: TaughtTest,
  { groupId, trials, page, pageSize }: QueryOf<typeof listTestHeld>,
): Promise<ReplyOf<typeof listTestHeld>> {
  const from = `from attempts x join lateral (
      select count(*) as count, count(*) filter (where o.decision is null) as open
      from operations o where o.attempt_id = x.id and o.outcome = 'held' and o.kind = 'answer'
    ) held on held.count > 0
    where x.test_id = $1 and x.deleted_at is null and ${inGroup('x.user_id', '$2')}
      and ${unlessTrial('$3')}`;
  const found = await rows<HeldRow>(
    db,
    `select a.*, u.user_name as "userName", ${groupNames('u.id', '$4')} as groups
     from (
       select ${ATTEMPT_COLUMNS}, points, held.open ${from}
     ) a join users u on u.id = a."userId"
     order by a.open > 0 desc, ${nameKey('u.user_name')}, u.id, a.number limit $5 offset $6`,
    [test.id, groupId ?? null, trials === '1', test.ownerId, pageSize, (page - 1) * pageSize],
  );
  const all = await one<{ count: number }>(db, `select count(*) as count ${from}`, [
    test.id,
    groupId ?? null,
    trials === '1',
  ]);
  const ids = found.map((row) => row.id);
  const evidence = await loadEvidence(db, ids, null, MARKS_BY_DECISION);
  const held = await heldOperations(db, ids);
  const items: HeldOfAttempt[] = [];
  for (const row of found) {
    const own = evidence.get(row.id);
    const listed = held.filter(({ attemptId }) => attemptId === row.id);
    if (own) items.push(await heldOf(db, row, own, listed));
  }
  return { items, total: all?.count ?? 0 };
}

/** The attempts of the named held answers, locked in the order of their ids: no two calls deadlock. */
async function lockHeldAttempts(
  client: PoolClient,
  testId: string,
  operationIds: readonly string[],
): Promise<Attempt[]> {
  return rows<Attempt>(
    client,
    `select ${ATTEMPT_COLUMNS} from attempts
     where test_id = $1 and deleted_at is null and id in (
       select attempt_id from operations
       where id = any($2) and outcome = 'held' and kind = 'answer'
     ) order by id for update`,
    [testId, operationIds],
  );
}

/** Decides held answers of a test; those of other tests are ignored. */
export async function decideHeldOfTest(
  deps: Pick<Deps, 'pool' | 'newId'>,
  test: TaughtTest,
  { operationIds, decision }: BodyOf<typeof decideTestHeld>,
  by: { readonly at: Date; readonly actorId: string },
): Promise<ReplyOf<typeof decideTestHeld>> {
  return transaction(deps.pool, async (client) => {
    await lockRescoring(client, test.id);
    const locked = await lockHeldAttempts(client, test.id, operationIds);
    if (locked.length === 0) throw new Refusal('NOT_FOUND');
    const attempts: Attempt[] = [];
    for (const attempt of locked) attempts.push(await closeIfDue(client, attempt, by.at));
    const ids = attempts.map((attempt) => attempt.id);
    const decided = await rows<{ attemptId: string }>(
      client,
      `update operations set decision = $3, decided_by = $4, decided_at = $5
       where attempt_id = any($1) and id = any($2) and outcome = 'held' and kind = 'answer'
       returning attempt_id as "attemptId"`,
      [ids, operationIds, decision, by.actorId, by.at],
    );
    const acts = attempts.map((attempt) => {
      const answers = decided.filter(({ attemptId }) => attemptId === attempt.id).length;
      const details = { decision, answers };
      return actOnAttempt(attempt, { actorId: by.actorId, act: 'heldDecided', details });
    });
    await recordActs(client, deps, acts, by.at);
    for (const id of ids) await rebuildAnswers(client, id);
    const marks = await marksOf(client, attempts);
    await storeMarks(client, marks, { ...by, reason: `held:${decision}` });
    return {
      decided: decided.length,
      attempts: ids.map((attemptId) => ({
        attemptId,
        score: marks.get(attemptId)?.points ?? null,
      })),
    };
  });
}

/** Marks of the ended attempts: a running one has none yet. */
async function marksOf(
  db: Client,
  attempts: readonly Attempt[],
): Promise<Map<string, AttemptMark>> {
  const over = attempts.filter((attempt) => attempt.ended !== null);
  const evidence = await loadEvidence(
    db,
    over.map((attempt) => attempt.id),
  );
  const marks = new Map<string, AttemptMark>();
  for (const attempt of over) {
    const own = evidence.get(attempt.id);
    const { questions } = await loadContent(db, attempt.contentId);
    if (own) marks.set(attempt.id, markOf(marksFrom(questions, own)));
  }
  return marks;
}
