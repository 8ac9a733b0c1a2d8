import type { CrowdAnswer, StudentEvidence, JournalRow } from '#simulation/evidence.ts';

/** Answers of several students that one statement stores: each with its own verdict. */

function problemOf(answer: CrowdAnswer, row: JournalRow | undefined): string | null {
  const { receipt } = answer;
  // The school replies in time; only a call to a failed server may be repeated.
  if (answer.status >= 500) return null;
  if (answer.status !== 200) return answer.isValid ? `was refused with ${answer.status}` : null;
  if (!receipt) return 'was acknowledged without a receipt';
  const isOwn =
    receipt.operationId === answer.operationId &&
    receipt.stream === answer.stream &&
    receipt.sequence === answer.sequence;
  if (!isOwn) return `got the receipt of ${receipt.operationId} in ${receipt.stream}`;
  if (!answer.isValid) return 'answers no question and was acknowledged';
  if (!row) return 'was acknowledged and is not stored';
  if (row.body !== answer.body || row.attemptId !== answer.attemptId)
    return 'is stored as an answer of somebody else';
  return row.outcome === receipt.outcome ? null : `is ${row.outcome}, not ${receipt.outcome}`;
}

/**
 * A valid answer is acknowledged and stored as sent; an answer without a question is not; no receipt belongs to another
 * answer.
 */
export function eachOwnVerdict({ crowd }: StudentEvidence): string[] {
  const stored = new Map(crowd.journal.map((row) => [row.operationId, row]));
  return crowd.answers.flatMap((answer) => {
    const problem = problemOf(answer, stored.get(answer.operationId));
    return problem === null ? [] : [`${answer.operationId} ${problem}`];
  });
}
