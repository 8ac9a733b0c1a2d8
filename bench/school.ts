import type { Pool } from 'pg';
import { hashPassword } from '#server/auth/passwords.ts';
import { makeLiveSchool, startLive } from '#tests/live-school.ts';
import type { BenchStudent } from './tasks.ts';

export const PASSWORD = 'Bench2026';

/** Students with the shared password, and those who have started the test. */
export interface BenchSchool {
  readonly emails: readonly string[];
  /** Returns this many students that no load has used yet. */
  take(count: number): readonly BenchStudent[];
  readonly testId: string;
  /** Tokens of students who have not started. */
  readonly unstarted: readonly string[];
}

/** Creates the students by SQL and starts this number of attempts over HTTP, a few at a time. */
export async function makeBenchSchool(
  pool: Pool,
  base: string,
  count: number,
  unstarted: number,
): Promise<BenchSchool> {
  const passwordHash = await hashPassword(PASSWORD);
  const { students, testId } = await makeLiveSchool(pool, count + unstarted, passwordHash);
  const waiting = students.slice(0, count);
  const free: BenchStudent[] = [];
  const startSome = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { userTestId, stream, epoch } = await startLive(base, next, testId);
      free.push({ token: next.token, attemptId: userTestId, stream, epoch });
    }
  };
  await Promise.all(Array.from({ length: 8 }, startSome));
  return {
    emails: students.map(({ email }) => email),
    testId,
    unstarted: students.slice(count).map(({ token }) => token),
    take(wanted) {
      if (free.length < wanted) throw new Error(`only ${free.length} students are left`);
      return free.splice(0, wanted);
    },
  };
}
