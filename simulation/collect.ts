import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { rows } from '#server/db/query.ts';
import type { Cheat } from './cheat.ts';
import type { AttemptFacts, StudentEvidence, StoredBegin, DeviceOperation } from './evidence.ts';
import { operationsOn } from './device-operations.ts';
import { MS, readJournal } from './journal.ts';
import type { World } from './world.ts';

/** Collects the evidence for the checker: the database, the files, the devices. */

interface AttemptRow extends Omit<AttemptFacts, 'streams' | 'answers' | 'spares' | 'files'> {
  readonly startedAt: number;
}

async function filesOf(world: World, attemptId: string): Promise<AttemptFacts['files']> {
  const { pool, deps } = world.server;
  const found = await rows<{ id: string; sha256: string; complete: boolean; setAside: boolean }>(
    pool,
    `select id, sha256, completed_at is not null as complete, set_aside as "setAside"
     from uploads where attempt_id = $1`,
    [attemptId],
  );
  return Promise.all(
    found.map(async ({ id, sha256, complete, setAside }) => {
      const bytes = await readFile(join(deps.dataDir, 'uploads', id)).catch(() => Buffer.alloc(0));
      const intact = createHash('sha256').update(bytes).digest('hex') === sha256;
      return { fileId: id, complete, setAside, intact };
    }),
  );
}

async function readAttempts(world: World, ids: readonly string[]): Promise<AttemptFacts[]> {
  const { pool } = world.server;
  const attempts = await rows<AttemptRow>(
    pool,
    `select id as "attemptId", test_id as "testId", user_id as "userId", content_id as "contentId", number,
       ${MS('started_at')} as "startedAt", ${MS('deadline')} as deadline,
       late_window_seconds * 1000 as "windowMs", ended, ${MS('ended_at')} as "endedAt",
       finish_operation as "finishOperation", active_stream as "activeStream", points,
       deleted_at is not null as deleted, ${MS('recovered_at')} as "recoveredAt"
     from attempts where user_id = any($1) order by started_at, id`,
    [ids],
  );
  return Promise.all(
    attempts.map(async (attempt) => {
      const of = [attempt.attemptId];
      const [streams, answers, spares, files] = await Promise.all([
        rows<AttemptFacts['streams'][number]>(
          pool,
          `select id, epoch, ${MS('created_at')} as "createdAt" from streams where attempt_id = $1`,
          of,
        ),
        rows<AttemptFacts['answers'][number]>(
          pool,
          `select question_id as "questionId", operation_id as "operationId" from answers
           where attempt_id = $1`,
          of,
        ),
        rows<AttemptFacts['spares'][number]>(
          pool,
          `select stream, sequence, reason, operation_id as "operationId" from spare_sequences
           where attempt_id = $1`,
          of,
        ),
        filesOf(world, attempt.attemptId),
      ]);
      return { ...attempt, streams, answers, spares, files };
    }),
  );
}

async function readDeviceOperations(world: World): Promise<DeviceOperation[]> {
  const operations: DeviceOperation[] = [];
  for (const device of world.devices) {
    for (const row of await operationsOn(device, world.server)) {
      const { refusal, receipt, ...rest } = row;
      operations.push({
        ...rest,
        device: device.label,
        refusal: refusal?.code ?? null,
        receipt: receipt?.outcome ?? null,
      });
    }
  }
  return operations;
}

async function readContents(world: World): Promise<Map<string, readonly Question[]>> {
  const found = await rows<{ id: string; questions: unknown }>(
    world.server.pool,
    'select id, questions from test_contents where test_id = any($1)',
    [world.tests.map(({ testId }) => testId)],
  );
  return new Map(found.map(({ id, questions }) => [id, v.parse(v.array(Question), questions)]));
}

const readBegins = (world: World, ids: readonly string[]): Promise<StoredBegin[]> =>
  rows<StoredBegin>(
    world.server.pool,
    `select b.attempt_id as "attemptId", b.stream, b.hold, b.age_ms::float8 as "ageMs",
       ${MS('b.received_at')} as "receivedAt", b.decision, ${MS('b.decided_at')} as "decidedAt",
       o.replaced_at is distinct from o.code_replaced_at
         or o.source_id is distinct from t.content_id as "isReplaced"
     from begins b join attempts x on x.id = b.attempt_id join tests t on t.id = x.test_id
       left join offers o on o.id = x.id
     where x.user_id = any($1) order by b.received_at, b.stream`,
    [ids],
  );

async function readOffers(world: World, ids: readonly string[]): Promise<Set<string>> {
  const { pool } = world.server;
  const found = await rows<{ id: string }>(pool, 'select id from offers where user_id = any($1)', [
    ids,
  ]);
  return new Set(found.map(({ id }) => id));
}

export async function collectEvidence(
  world: World,
  undrained: readonly string[],
  cheat: Cheat,
): Promise<StudentEvidence> {
  const { record, network, devices, tests, students, server } = world;
  const ids = students.map(({ userId }) => userId);
  const strays = await rows<StudentEvidence['strays'][number]>(
    server.pool,
    'select id as "operationId", user_id as "userId" from stray_operations where user_id = any($1)',
    [ids],
  );
  return {
    ...record,
    strays,
    undrained,
    storedBegins: await readBegins(world, ids),
    knownOffers: await readOffers(world, ids),
    journal: await readJournal(server.pool, ids),
    attempts: await readAttempts(world, ids),
    onDevices: await readDeviceOperations(world),
    contents: await readContents(world),
    tests,
    lostDevices: new Set(devices.filter((one) => one.isLost).map((one) => one.label)),
    poisoned: network.poisoned,
    cheat: {
      events: cheat.events,
      journal: await readJournal(server.pool, [cheat.userId]),
      attempts: await readAttempts(world, [cheat.userId]),
    },
    crowd: {
      answers: world.crowd?.answers ?? [],
      journal: await readJournal(server.pool, world.crowd?.userIds ?? []),
    },
    startKeys: new Map([...record.startKeys].map(([of, keys]) => [of, keys.size])),
  };
}
