import type { NewTest } from '#contract/authoring.ts';
import { parseDuration } from '#domain/duration.ts';
import { termsProblems } from '#domain/test-terms.ts';
import { type AuthenticatedUser, lockCaller } from '#server/auth/caller.ts';
import { execute, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { attachPictures } from '#server/files/lend.ts';
import { invalid } from '#server/http/refusal.ts';
import { addContent } from './content.ts';

/** Creates a draft of the caller from the payload. Returns its id. */
export function createTestAs(
  deps: Deps,
  caller: AuthenticatedUser,
  payload: NewTest,
  now: Date,
): Promise<string> {
  const { startTestTime, endTestTime } = payload;
  const startTime = startTestTime === null ? null : new Date(startTestTime);
  const endTime = endTestTime === null ? null : new Date(endTestTime);
  const problems = termsProblems(
    {
      startTime: startTime?.getTime() ?? null,
      endTime: endTime?.getTime() ?? null,
      attemptsCount: payload.attemptsCount,
      lateWindowMs: 0,
      personalTerms: [],
    },
    new Map(),
  );
  if (problems.length > 0) throw invalid(problems);
  return transaction(deps.pool, async (client) => {
    await lockCaller(client, caller.userId);
    const id = deps.newId();
    await execute(
      client,
      `insert into tests (id, owner_id, name, description, theme, topic, difficulty, attempts_count,
         start_time, end_time, pass_seconds, created_at, updated_at, updated_by, language)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $2, $13)`,
      [
        id,
        caller.userId,
        payload.name,
        payload.description,
        payload.theme,
        payload.topic ?? '',
        payload.difficulty,
        payload.attemptsCount,
        startTime,
        endTime,
        parseDuration(payload.passTestTime) / 1000,
        now,
        payload.language ?? '',
      ],
    );
    const { questions } = payload;
    await addContent(client, deps, id, { questions, now });
    await attachPictures(client, { testId: id, written: JSON.stringify(questions), caller });
    return id;
  });
}
