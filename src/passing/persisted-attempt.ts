import type { QueryClient } from '@tanstack/react-query';
import { NO_SAVED_ANSWERS, type SavedAnswer, type SavedAnswers } from '#contract/answers.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { getPassing } from '#contract/tests.ts';
import { isAnswered } from '#domain/answered.ts';
import { listSaved, mergeSaved } from '#app/outbox/overlay.ts';
import type { QuestionView } from '#app/outbox/types.ts';

type Passing = ReplyOf<typeof getPassing>;

/** What the persisted queries know of a running attempt; for display only. */
export interface PersistedAttempt {
  readonly passing: Passing;
  /** Answers that were on the server, in the order of their arrival. */
  readonly answers: readonly SavedAnswer[];
}

/**
 * The attempt of a test that the server last called running, out of the queries that outlive a
 * reload: for a device whose own rows are gone or do not answer. Null from the moment it is closed.
 */
export function findPersistedAttempt(
  client: QueryClient,
  testId: string,
  now: number,
): PersistedAttempt | null {
  const [passing] = client
    .getQueriesData<Passing | null>({ queryKey: ['test/passing'] })
    .flatMap(([, data]) => data ?? [])
    .filter((one) => one.testId === testId && one.state === 1 && Date.parse(one.countsUntil) > now)
    .sort((a, b) => b.attemptNumber - a.attemptNumber);
  if (!passing) return null;
  const saved = client.getQueryData<SavedAnswers>(['test/savedAnswers', passing.userTestId]);
  const answers = listSaved(saved ?? NO_SAVED_ANSWERS)
    .filter(isAnswered)
    .sort((a, b) => Date.parse(a.receivedAt) - Date.parse(b.receivedAt));
  return { passing, answers };
}

/**
 * Saved answers with those that receipts have named since: a reload shows no less than was shown.
 * Undefined where there is nothing to add.
 */
export function withReceipts(
  known: SavedAnswers | undefined,
  shown: readonly QuestionView[],
): SavedAnswers | undefined {
  const there = new Set(listSaved(known ?? NO_SAVED_ANSWERS).map((one) => one.operationId));
  const missing = shown.filter(
    ({ receipt }) => receipt?.outcome === 'stored' && !there.has(receipt.operationId),
  );
  if (missing.length === 0) return undefined;
  const fresh = structuredClone(NO_SAVED_ANSWERS);
  for (const { answer, receipt } of missing) {
    if (answer === null || receipt === null) continue;
    const { operationId, epoch, sequence, receivedAt, receivedLate } = receipt;
    const place = { operationId, epoch, sequence, receivedAt, receivedLate };
    switch (answer.kind) {
      case 'open':
        fresh.openAnswers.push({ ...answer, ...place });
        break;
      case 'variant':
        fresh.variantAnswers.push({ ...answer, ...place });
        break;
      case 'compliance':
        fresh.complianceAnswers.push({ ...answer, ...place });
        break;
      case 'file':
        fresh.fileAnswers.push({ ...answer, ...place });
    }
  }
  return mergeSaved(known ?? null, fresh);
}
