import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import * as v from 'valibot';
import { CALLS_PER_MINUTE } from '#contract/limits.ts';
import { WIRE_VERSION } from '#contract/version.ts';
import { Q } from '#tests/school.ts';
import { HttpConnection, type HttpReply } from './http.ts';
import type { BenchStudent, Load, BenchTask } from './tasks.ts';

/** The load program: a separate process, so that its processor time is not part of the server's. */

/** Below the rate limit per account, which a sequential student would reach. */
const CALLS_EACH = CALLS_PER_MINUTE - 200;
/** Of tasks that end by themselves. */
const PATIENCE_SECONDS = 60;

/** Makes one call; false: the runner stops. */
type Runner = () => Promise<boolean>;

class Measured {
  readonly latencies: number[] = [];
  readonly failures: Record<string, number> = {};

  /** Runs one call and records its duration since it was due; a failure is recorded under the name that `check` returns. */
  async call<T>(
    run: () => Promise<T>,
    check: (result: T) => string | null,
    from = performance.now(),
  ): Promise<void> {
    const failure = await run().then(check, (error: Error) => error.message);
    this.latencies.push(performance.now() - from);
    if (failure !== null) this.failures[failure] = (this.failures[failure] ?? 0) + 1;
  }
}

/** Runs all runners concurrently until the time is over, and aggregates the results. */
async function measure(
  runners: readonly Runner[],
  measured: Measured,
  seconds: number,
): Promise<Load> {
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  const from = performance.now();
  const until = from + seconds * 1000;
  await Promise.all(
    runners.map(async (run) => {
      while (performance.now() < until && (await run()));
    }),
  );
  const ms = performance.now() - from;
  const used = process.cpuUsage(cpu);
  return {
    calls: measured.latencies.length,
    ms,
    latencies: measured.latencies.toSorted((a, b) => a - b),
    failures: measured.failures,
    cpuUs: used.user + used.system,
    busy: performance.eventLoopUtilization(loop).utilization,
  };
}

const notOk = ({ status, body }: HttpReply) =>
  status === 200 ? null : `${status} ${body.slice(0, 200)}`;

/** Bodies as sent by the app; the reply is below the compression threshold. */
const common = (token: string, encodings = 'gzip, deflate, br') =>
  `authorization: Bearer ${token}\r\naccept-encoding: ${encodings}\r\nx-app-version: ${WIRE_VERSION}\r\n`;

const bodies = [
  (n: number) => ({ questionId: Q.open, kind: 'open', text: `${n}` }),
  (n: number) => ({ questionId: Q.single, kind: 'variant', optionIds: [n % 2 === 0 ? 'a' : 'b'] }),
  () => ({
    questionId: Q.matching,
    kind: 'compliance',
    pairs: [
      { leftId: '1', rightId: 'b' },
      { leftId: '2', rightId: 'c' },
    ],
  }),
  (n: number) => ({
    questionId: Q.essay,
    kind: 'open',
    text: `${n}: ${'тело падает. '.repeat(8)}`,
  }),
];

/** Answers of a student, one after another. Each resolves with its reply and the id of its operation. */
function answering({ token, attemptId, stream, epoch }: BenchStudent, connection: HttpConnection) {
  const fixed = `POST /api/TestPassing/${attemptId}/answer HTTP/1.1\r\n${common(token)}x-operation-stream: ${stream}\r\nx-operation-epoch: ${epoch}\r\nx-operation-age: 40\r\n`;
  let sequence = 0;
  return async () => {
    sequence += 1;
    const id = randomUUID();
    const own = `idempotency-key: ${id}\r\nx-operation-sequence: ${sequence}\r\nx-operation-head: ${sequence}\r\n`;
    const body = JSON.stringify(bodies[sequence % bodies.length]?.(sequence));
    return { id, sequence, reply: await connection.call(fixed + own, body) };
  };
}

const noReceipt = ({ id, reply }: { id: string; reply: HttpReply }) =>
  notOk(reply) ?? (reply.body.includes(`"operationId":"${id}"`) ? null : 'no receipt');

function saver(
  student: BenchStudent,
  connection: HttpConnection,
  measured: Measured,
  { students, callsEach = CALLS_EACH, perSecond }: Extract<BenchTask, { kind: 'saves' }>,
): Runner {
  const answer = answering(student, connection);
  const everyMs = perSecond === undefined ? 0 : (students.length / perSecond) * 1000;
  let due = performance.now() + Math.random() * everyMs;
  let calls = 0;
  return async () => {
    calls += 1;
    if (perSecond === undefined) await measured.call(answer, noReceipt);
    else {
      await pause(Math.max(0, due - performance.now()));
      await measured.call(answer, noReceipt, due);
      due += everyMs;
    }
    return calls < callsEach;
  };
}

const StartReply = v.object({ userTestId: v.string(), stream: v.string(), epoch: v.number() });

/** A whole attempt: start, answers, finish, result. Null, or what failed. */
async function sit(
  { testId, answers }: Extract<BenchTask, { kind: 'attempts' }>,
  token: string,
  connection: HttpConnection,
): Promise<string | null> {
  const started = await connection.call(
    `POST /api/TestPassing/${testId}/start HTTP/1.1\r\n${common(token, 'identity')}idempotency-key: ${randomUUID()}\r\nx-operation-stream: ${randomUUID()}\r\n`,
  );
  if (started.status !== 200) return notOk(started);
  const { userTestId: attemptId, stream, epoch } = v.parse(StartReply, JSON.parse(started.body));
  const answer = answering({ token, attemptId, stream, epoch }, connection);
  for (let count = 0; count < answers; count += 1) {
    const failure = noReceipt(await answer());
    if (failure !== null) return failure;
  }
  const last = `${answers + 1}`;
  const finished = await connection.call(
    `POST /api/TestPassing/${attemptId}/finish HTTP/1.1\r\n${common(token)}x-operation-stream: ${stream}\r\nx-operation-epoch: ${epoch}\r\nx-operation-age: 40\r\nidempotency-key: ${randomUUID()}\r\nx-operation-sequence: ${last}\r\nx-operation-head: ${last}\r\n`,
  );
  return (
    notOk(finished) ??
    notOk(await connection.call(`GET /api/Test/results/${attemptId} HTTP/1.1\r\n${common(token)}`))
  );
}

function reader(student: BenchStudent, connection: HttpConnection, measured: Measured): Runner {
  const head = `GET /api/TestPassing/${student.attemptId}/answers HTTP/1.1\r\n${common(student.token)}`;
  let calls = 0;
  return async () => {
    calls += 1;
    await measured.call(() => connection.call(head), notOk);
    return calls < CALLS_EACH;
  };
}

async function overHttp<T>(
  port: number,
  callers: readonly T[],
  seconds: number,
  runner: (caller: T, connection: HttpConnection, measured: Measured) => Runner,
): Promise<Load> {
  const connected = await Promise.all(
    callers.map(async (caller) => ({ caller, connection: await HttpConnection.open(port) })),
  );
  const measured = new Measured();
  const load = await measure(
    connected.map(({ caller, connection }) => runner(caller, connection, measured)),
    measured,
    seconds,
  );
  for (const { connection } of connected) connection.close();
  return load;
}

/** Like pgbench: one durable transaction of one row, by prepared statement. */
const upsert = {
  name: 'upsert',
  text: `insert into bench_upserts (id, body, updated_at) values ($1, $2, $3)
         on conflict (id) do update set body = excluded.body, updated_at = excluded.updated_at`,
};

async function upserts(task: Extract<BenchTask, { kind: 'upserts' }>): Promise<Load> {
  const pool = new pg.Pool({ connectionString: task.url, max: task.connections });
  await Promise.all(
    Array.from({ length: task.connections }, () => pool.query('select pg_sleep(0.05)')),
  );
  const measured = new Measured();
  const callers = Array.from({ length: task.callers }, (): Runner => {
    const ids = bodies.map(() => randomUUID());
    let n = 0;
    return async () => {
      n += 1;
      const at = n % bodies.length;
      const values = [ids[at], JSON.stringify(bodies[at]?.(n)), new Date()];
      await measured.call(
        () => pool.query({ ...upsert, values }),
        ({ rowCount }) => (rowCount === 1 ? null : 'no row'),
      );
      return true;
    };
  });
  const load = await measure(callers, measured, task.seconds);
  await pool.end();
  return load;
}

function run(task: BenchTask): Promise<Load> {
  switch (task.kind) {
    case 'saves':
      return overHttp(task.port, task.students, task.seconds, (student, connection, measured) =>
        saver(student, connection, measured, task),
      );
    case 'reads':
      return overHttp(task.port, task.students, task.seconds, reader);
    case 'attempts': {
      const waiting = [...task.tokens];
      const callers = Array.from({ length: task.callers }, (_, index) => index);
      return overHttp(
        task.port,
        callers,
        PATIENCE_SECONDS,
        (_, connection, measured) => async () => {
          const token = waiting.pop();
          if (token === undefined) return false;
          await measured.call(
            () => sit(task, token, connection),
            (failure) => failure,
          );
          return true;
        },
      );
    }
    case 'offers':
    case 'starts': {
      const { port, tokens, testId } = task;
      const route = task.kind === 'offers' ? 'offer' : 'start';
      return overHttp(port, tokens, PATIENCE_SECONDS, (token, connection, measured) => async () => {
        const head = `POST /api/TestPassing/${testId}/${route} HTTP/1.1\r\n${common(token)}`;
        const own = `idempotency-key: ${randomUUID()}\r\nx-operation-stream: ${randomUUID()}\r\n`;
        await measured.call(() => connection.call(head + own), notOk);
        return false;
      });
    }
    case 'signIns': {
      const { port, emails, password } = task;
      return overHttp(port, emails, PATIENCE_SECONDS, (email, connection, measured) => async () => {
        const body = JSON.stringify({ email, password });
        await measured.call(
          () => connection.call('POST /api/auth/login HTTP/1.1\r\n', body),
          notOk,
        );
        return false;
      });
    }
    case 'upserts':
      return upserts(task);
  }
}

process.on('message', (task: BenchTask) => {
  void run(task).then((load) => process.send?.(load));
});
