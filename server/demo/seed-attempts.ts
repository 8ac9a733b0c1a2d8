import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import type { Answer, FileAnswer } from '#contract/answers.ts';
import { grade } from '#server/attempts/grade.ts';
import { execute, one } from '#server/db/query.ts';
import { lockAttempt, type Attempt } from '#server/passing/attempt.ts';
import { rebuildAnswers, rescore } from '#server/passing/counting.ts';
import { insertOperation, type FinishBody } from '#server/passing/journal.ts';
import { bodyDigest } from '#server/passing/seal.ts';
import { addStream } from '#server/passing/streams.ts';
import { stableId } from '#server/ids.ts';
import { plannedDeadline, type PlannedAttempt } from './plan.ts';
import type { PlannedTest } from './plan-tests.ts';
import { personId } from './demo-accounts.ts';
import { picturesFolder, storedQuestions, testId } from './seed-tests.ts';

const nameOf = ({ testKey, studentEmail, number }: PlannedAttempt) =>
  `attempt/${testKey}/${studentEmail}/${number}`;
export const attemptId = (planned: PlannedAttempt): string => stableId(nameOf(planned));

export const streamId = (attempt: string): string => stableId(`${attempt}/stream`);
/** Id of the operation at a position of the attempt, 1, 2 … */
export const operationId = (attempt: string, place: number): string =>
  stableId(`${attempt}/operation/${place}`);

/** The running attempt of this account has no stream yet: opening it needs no take-over. */
const isHeld = ({ studentEmail, finishedAt, closedAt }: PlannedAttempt): boolean =>
  studentEmail !== 'student@demo.ru' || finishedAt !== null || closedAt !== null;

interface PlantContext {
  client: PoolClient;
  test: PlannedTest;
  planned: PlannedAttempt;
  id: string;
  stream: string;
  /** 1, or 0 without a stream: then its answers have no sequence either. */
  epoch: number;
  dataDir: string;
}

async function insertAttempt({ client, test, planned, id, stream, epoch }: PlantContext) {
  const content = await one<{ content_id: string }>(
    client,
    'select content_id from tests where id = $1',
    [testId(test.key)],
  );
  await execute(
    client,
    `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
       late_window_seconds, default_stream, active_stream, active_epoch)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, 0)`,
    [
      id,
      testId(test.key),
      personId(planned.studentEmail),
      content?.content_id,
      planned.number,
      planned.startedAt,
      plannedDeadline(test, planned),
      test.lateWindowSeconds,
      stream,
    ],
  );
  if (epoch > 0) await addStream(client, id, stream, epoch, planned.startedAt);
}

interface PlantedOperation {
  kind: 'answer' | 'finish';
  questionId: string | null;
  body: Answer | FinishBody;
  at: Date;
}

async function enter(
  { client, id, stream, epoch }: PlantContext,
  place: number,
  written: PlantedOperation,
) {
  const digest = bodyDigest(written.body);
  await insertOperation(
    client,
    id,
    {
      ...written,
      id: operationId(id, place),
      stream,
      epoch,
      sequence: epoch > 0 ? place : null,
      ageMs: 0,
      seenServerTime: null,
      digest,
      receivedAt: written.at,
      byHandover: false,
    },
    {
      outcome: 'stored',
      refusal: null,
      afterResult: false,
      receivedLate: false,
      writtenAt: written.at,
    },
  );
}

async function insertFiles({ client, planned, id, dataDir }: PlantContext): Promise<void> {
  const folder = join(dataDir, 'uploads');
  const described = new Map(
    planned.answers
      .map(({ answer }) => answer)
      .filter((answer): answer is FileAnswer => answer.kind === 'file')
      .map((answer) => [answer.fileId, answer]),
  );
  for (const { fileId, file, at } of planned.files) {
    const answer = described.get(fileId);
    if (!answer) throw new Error(`demo file ${fileId} belongs to no answer`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(join(picturesFolder(), file), join(folder, fileId));
    await chmod(join(folder, fileId), 0o600);
    await execute(
      client,
      `insert into uploads (id, attempt_id, question_id, name, mime_type, size, sha256, received,
         completed_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $6, $8, $8, $8)`,
      [fileId, id, answer.questionId, answer.name, answer.mimeType, answer.size, answer.sha256, at],
    );
  }
}

async function locked(client: PoolClient, id: string): Promise<Attempt> {
  const attempt = await lockAttempt(client, id, 'update');
  if (!attempt) throw new Error(`demo attempt ${id} is not there right after it was made`);
  return attempt;
}

/** Ends it and grades it, each mark computed by the rules and logged like any other. */
async function endAndGrade(planting: PlantContext, finish: string | null): Promise<void> {
  const { client, test, planned, id } = planting;
  const endedAt = planned.finishedAt ?? planned.closedAt;
  if (endedAt === null) return;
  const ended = planned.finishedAt ? 'finished' : 'closed';
  await execute(
    client,
    'update attempts set ended = $2, ended_at = $3, finish_operation = $4 where id = $1',
    [id, ended, endedAt, finish],
  );
  await rescore(client, await locked(client, id), ended, endedAt);
  const questions = storedQuestions(test);
  for (const { questionIndex, points, comment, at } of planned.grades) {
    const questionId = questions[questionIndex]?.questionId;
    if (questionId === undefined) throw new Error(`demo attempt ${id} grades no question`);
    const by = { at, actorId: personId(test.owner) };
    await grade(client, await locked(client, id), { questionId, points, comment, reason: '' }, by);
  }
}

/** Plants one attempt as if its student had passed it: journal, files, answers that count, mark, grades. */
export async function plantAttempt(
  client: PoolClient,
  test: PlannedTest,
  planned: PlannedAttempt,
  dataDir: string,
): Promise<void> {
  const id = attemptId(planned);
  const planting: PlantContext = {
    client,
    test,
    planned,
    id,
    stream: streamId(id),
    epoch: isHeld(planned) ? 1 : 0,
    dataDir,
  };
  await insertAttempt(planting);
  await insertFiles(planting);
  const written: PlantedOperation[] = planned.answers.map(({ answer, at }) => ({
    kind: 'answer',
    questionId: answer.questionId,
    body: answer,
    at,
  }));
  if (planned.finishedAt)
    written.push({
      kind: 'finish',
      questionId: null,
      body: { reason: 'student' },
      at: planned.finishedAt,
    });
  let place = 0;
  for (const operation of written) await enter(planting, (place += 1), operation);
  await rebuildAnswers(client, id);
  const lastAt = written.at(-1)?.at ?? planned.startedAt;
  await execute(
    client,
    'update streams set head = $2, head_at = $3, last_heard_at = $3 where attempt_id = $1',
    [id, written.length, lastAt],
  );
  await endAndGrade(planting, planned.finishedAt ? operationId(id, place) : null);
}
