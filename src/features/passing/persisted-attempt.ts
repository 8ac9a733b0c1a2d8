import type { QueryClient } from '@tanstack/react-query';
import { NO_SAVED_ANSWERS, type SavedAnswer, type SavedAnswers } from '#contract/answers.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { getPassing } from '#contract/tests.ts';
import { isAnswered } from '#domain/answered.ts';
import { groupSaved, listSaved } from '#domain/saved-answers.ts';
import { mergeSaved } from '#app/outbox/overlay.ts';
import { PASSING, queryKeys } from '#app/lib/query-keys.ts';
import type { QuestionView } from '#app/outbox/types.ts';

type Passing = ReplyOf<typeof getPassing>;

/** A running attempt as read from the persisted queries; for display only. */
export interface PersistedAttempt {
  readonly passing: Passing;
  /** Answers stored on the server, in order of arrival. */
  readonly answers: readonly SavedAnswer[];
}

/**
 * The attempt of a test that the server last reported as running, read from the persisted queries: for a device
 * whose IndexedDB is lost or does not respond. Null once it is closed.
 */
export function findPersistedAttempt(
  client: QueryClient,
  testId: string,
  now: number,
): PersistedAttempt | null {
  const [passing] = client
    .getQueriesData<Passing | null>({ queryKey: [PASSING] })
    .flatMap(([, data]) => data ?? [])
    .filter((one) => one.testId === testId && one.state === 1 && Date.parse(one.countsUntil) > now)
    .sort((a, b) => b.attemptNumber - a.attemptNumber);
  if (!passing) return null;
  const saved = client.getQueryData<SavedAnswers>(queryKeys.savedAnswers(passing.userTestId));
  const answers = listSaved(saved ?? NO_SAVED_ANSWERS)
    .filter(isAnswered)
    .sort((a, b) => Date.parse(a.receivedAt) - Date.parse(b.receivedAt));
  return { passing, answers };
}

/**
 * Saved answers merged with those that receipts confirmed since, so that a reload shows no fewer. Undefined if
 * there is nothing to add.
 */
export function withReceipts(
  known: SavedAnswers | undefined,
  shown: readonly QuestionView[],
): SavedAnswers | undefined {
  const savedIds = new Set(listSaved(known ?? NO_SAVED_ANSWERS).map((one) => one.operationId));
  const missing = shown.flatMap(({ answer, receipt }): SavedAnswer[] => {
    if (answer === null || receipt?.outcome !== 'stored') return [];
    const { operationId, epoch, sequence, receivedAt, receivedLate } = receipt;
    if (savedIds.has(operationId)) return [];
    return [{ ...answer, operationId, epoch, sequence, receivedAt, receivedLate }];
  });
  return missing.length === 0 ? undefined : mergeSaved(known ?? null, groupSaved(missing));
}
