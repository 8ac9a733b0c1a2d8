import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { scoreAttempt } from '#domain/scoring.ts';
import { createRandom } from '#simulation/random.ts';
import type { AnsweringStudent } from '#tests/answering-student.ts';
import { liveCall } from '#tests/live-call.ts';
import { type Blow, ServerUnderFire } from '#tests/server-under-fire.ts';
import { smallTest } from '#tests/school.ts';

/** Two servers at once, each on a database of its own, fifty kills together. */
const SEEDS = [20_260_302, 20_260_303];
const KILLS_EACH = 25;
const STUDENTS_EACH = 12;
/** The first is always a power cut: the database had the shortest time to write things down. */
const blowsOf = (seed: number): Blow[] => {
  const random = createRandom(seed, 'blows');
  return Array.from({ length: KILLS_EACH }, (_, index) =>
    index === 0 || random.chance(0.2) ? 'power' : 'server',
  ).flatMap((blow, index) => (index % 10 === 5 ? [blow, 'database' as const] : [blow]));
};

const opened: ServerUnderFire[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((fire) => fire.close()));
});

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

/** Every receipt stands in the journal, each operation once, and the greatest sequence counts. */
async function checkDatabase(client: pg.Client, student: AnsweringStudent): Promise<void> {
  const attemptId = student.attempt.userTestId;
  const journal = await client.query<JournalRow>(
    'select id, sequence, outcome, received_at from operations where attempt_id = $1 order by sequence',
    [attemptId],
  );
  expect(
    journal.rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() })),
  ).toEqual(
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
  expect(new Map(counting.rows.map((row) => [row.question_id, row]))).toEqual(
    new Map(
      [...student.greatest()].map(([questionId, { id, sequence, body }]) => [
        questionId,
        { question_id: questionId, operation_id: id, sequence, body },
      ]),
    ),
  );
}

/** What the student is shown, a finish whose barrier finds no gap, and one score of what counts. */
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
  expect(ids.toSorted()).toEqual([...student.greatest().values()].map(({ id }) => id).toSorted());

  const finished = await student.finish(base);
  expect(finished).toMatchObject({ status: 200, body: { outcome: 'stored' } });
  const bodies = new Map([...student.greatest()].map(([id, { body }]) => [id, body]));
  const { rows } = await client.query<{ ended: string; points: string }>(
    'select ended, points from attempts where id = $1',
    [attemptId],
  );
  const { points } = scoreAttempt(smallTest, bodies, new Map());
  expect(rows.map((row) => ({ ...row, points: Number(row.points) }))).toEqual([
    { ended: 'finished', points },
  ]);
}

test('rows 27, 28 and 29: fifty kills under load lose no acknowledged answer', async () => {
  const servers = await Promise.all(
    SEEDS.map(async (seed) => {
      const fire = await ServerUnderFire.open(createRandom(seed), STUDENTS_EACH);
      opened.push(fire);
      await fire.endure(blowsOf(seed));
      return fire;
    }),
  );
  for (const fire of servers) {
    expect(fire.violations).toEqual([]);
    const client = new pg.Client({ connectionString: await fire.databaseUrl() });
    await client.connect();
    const base = await fire.up();
    for (const student of fire.students) {
      await checkDatabase(client, student);
      for (const answer of student.written.slice(-3)) await student.deliver(answer);
      await checkDatabase(client, student);
      await checkJourney(base, client, student);
    }
    await client.end();
    expect(fire.violations).toEqual([]);
  }
  const tolls = servers.map(({ toll }) => toll);
  const sum = (of: (toll: (typeof tolls)[number]) => number) =>
    tolls.reduce((total, toll) => total + of(toll), 0);
  expect(sum(({ blows }) => blows.server + blows.power)).toBe(50);
  // both moments were met, and every blow fell on calls under way
  expect(sum(({ storedUntold }) => storedUntold)).toBeGreaterThan(0);
  expect(sum(({ neverStored }) => neverStored)).toBeGreaterThan(0);
  expect(tolls.flatMap(({ inFlight }) => inFlight).every((calls) => calls > 0)).toBe(true);
}, 300_000);
