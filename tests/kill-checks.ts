import assert from 'node:assert/strict';
import pg from 'pg';
import type { Answer } from '#contract/answers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { scoreAttempt } from '#domain/scoring.ts';
import type { Random } from '#simulation/random.ts';
import type { AnsweringStudent } from './answering-student.ts';
import { liveCall } from './live-call.ts';
import { smallTest } from './school.ts';
import type { Blow, ServerUnderFire } from './server-under-fire.ts';

interface JournalRow {
  id: string;
  sequence: number;
  outcome: string;
  received_at: Date;
}
interface CountingRow {
  question_id: string;
  operation_id: string;
  sequence: number;
  body: Answer;
}

/** The first is always a power cut: the database had the shortest time to flush. */
export function drawBlows(random: Random, kills: number): Blow[] {
  return Array.from({ length: kills }, (_, index) =>
    index === 0 || random.chance(0.2) ? 'power' : 'server',
  );
}

/** Every receipt is in the journal, each operation once, and the greatest sequence counts. */
async function checkDatabase(client: pg.Client, student: AnsweringStudent): Promise<void> {
  const attemptId = student.attempt.userTestId;
  const journal = await client.query<JournalRow>(
    'select id, sequence, outcome, received_at from operations where attempt_id = $1 order by sequence',
    [attemptId],
  );
  assert.deepEqual(
    journal.rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() })),
    student.written.map(({ id, sequence, receipt }) => ({
      id,
      sequence,
      outcome: receipt?.outcome,
      received_at: receipt?.receivedAt,
    })),
  );
  const counting = await client.query<CountingRow>(
    'select question_id, operation_id, sequence, body from answers where attempt_id = $1',
    [attemptId],
  );
  assert.deepEqual(
    new Map(counting.rows.map((row) => [row.question_id, { ...row }])),
    new Map(
      [...student.greatest()].map(([questionId, { id, sequence, body }]) => [
        questionId,
        { question_id: questionId, operation_id: id, sequence, body },
      ]),
    ),
  );
}

/** Checks the student's view, a finish with a complete barrier, and the score of the answers that count. */
async function checkJourney(
  base: string,
  client: pg.Client,
  student: AnsweringStudent,
): Promise<void> {
  const attemptId = student.attempt.userTestId;
  const shown = await liveCall(
    base,
    getSavedAnswers,
    { params: { id: attemptId } },
    { token: student.user.token },
  );
  const ids = Object.values(shown.body)
    .flat()
    .map((answer) => answer.operationId);
  assert.deepEqual(ids.toSorted(), [...student.greatest().values()].map(({ id }) => id).toSorted());

  const finished = await student.finish(base);
  assert.equal(finished.status, 200);
  assert.equal(finished.body.outcome, 'stored');
  const bodies = new Map([...student.greatest()].map(([id, { body }]) => [id, body]));
  const { rows } = await client.query<{ ended: string; points: string }>(
    'select ended, points from attempts where id = $1',
    [attemptId],
  );
  const { points } = scoreAttempt(smallTest, bodies, new Map());
  assert.deepEqual(
    rows.map((row) => ({ ...row, points: Number(row.points) })),
    [{ ended: 'finished', points }],
  );
}

/** Servers that were killed under load, with their students. */
type Survivors = Pick<ServerUnderFire, 'violations' | 'students' | 'databaseUrl' | 'up'>;

/** Throws at the first acknowledged answer that a server lost, duplicated or scored wrongly. */
export async function checkAfterKills(fire: Survivors): Promise<void> {
  assert.deepEqual(fire.violations, []);
  const client = new pg.Client({ connectionString: await fire.databaseUrl() });
  await client.connect();
  try {
    const base = await fire.up();
    for (const student of fire.students) {
      await checkDatabase(client, student);
      for (const answer of student.written.slice(-3)) await student.deliver(answer);
      await checkDatabase(client, student);
      await checkJourney(base, client, student);
    }
  } finally {
    await client.end();
  }
  assert.deepEqual(fire.violations, []);
}
