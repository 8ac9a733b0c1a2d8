import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { startAttempt, type Started } from '#contract/passing.ts';
import { openSession } from '#server/auth/sessions.ts';
import { execute } from '#server/db/query.ts';
import { liveCall } from './live-call.ts';
import { makeTest } from './school.ts';
import type { TestUser } from './server.ts';

/** People and a test in the database of a running server, created by SQL. */
export interface LiveSchool {
  readonly testId: string;
  readonly teacher: TestUser;
  readonly students: readonly TestUser[];
}

async function makeUser(
  pool: Pool,
  role: TestUser['role'],
  passwordHash: string,
): Promise<TestUser> {
  const id = v7();
  const now = new Date();
  const userName = role === ROLE.student ? 'Пётр Смирнов' : 'О. В. Лаптева';
  const email = `${id}@school.test`;
  await execute(
    pool,
    `insert into users (id, email, user_name, role, password_hash, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, email, userName, role, passwordHash, now],
  );
  const { token } = await openSession(pool, { id, email, user_name: userName, role }, now, 7);
  return { userId: id, userName, email, role, token };
}

/** A teacher's test of all kinds of questions, assigned to so many signed-in students. */
export async function makeLiveSchool(
  pool: Pool,
  count: number,
  passwordHash = 'none',
): Promise<LiveSchool> {
  const teacher = await makeUser(pool, ROLE.teacher, 'none');
  const students = await Promise.all(
    Array.from({ length: count }, () => makeUser(pool, ROLE.student, passwordHash)),
  );
  const ground = { pool, clock: { now: new Date() }, deps: { newId: () => v7() } };
  const testId = await makeTest(ground, teacher, { students, passMinutes: 600 });
  return { testId, teacher, students };
}

/** Starts the student's attempt over the network, in a stream of its own. */
export async function startLive(base: string, student: TestUser, testId: string): Promise<Started> {
  const headers = { [HEADER.idempotencyKey]: v7(), [HEADER.stream]: v7() };
  const input = { params: { id: testId } };
  const reply = await liveCall(base, startAttempt, input, { token: student.token, headers });
  if (reply.status !== 200) throw new Error(`start: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}
