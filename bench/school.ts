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
}

/** Creates the students by SQL and starts their attempts over HTTP, a few at a time. */
export async function makeBenchSchool(
  pool: Pool,
  base: string,
  count: number,
): Promise<BenchSchool> {
  const { students, testId } = await makeLiveSchool(pool, count, await hashPassword(PASSWORD));
  const waiting = [...students];
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
    take(wanted) {
      if (free.length < wanted) throw new Error(`only ${free.length} students are left`);
      return free.splice(0, wanted);
    },
  };
}
