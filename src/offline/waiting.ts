import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { Storage } from '#app/storage/storage.ts';

/** One answer or finish that the server does not have. */
export interface WaitingOperation {
  operationId: string;
  /** The question's number from 1; null for the finish, or where the content is not at hand. */
  questionNumber: number | null;
  kind: 'answer' | 'finish';
  state: 'device' | 'setAside';
  /** When it was written, server time in milliseconds; null where unknown. */
  at: number | null;
}

/** What waits of one attempt. */
export interface WaitingAttempt {
  attemptId: string;
  testId: string;
  title: string;
  operations: readonly WaitingOperation[];
}

function waitingOf(
  operation: OperationRow,
  numbers: ReadonlyMap<string, number>,
): WaitingOperation {
  return {
    operationId: operation.operationId,
    questionNumber:
      operation.questionId === null ? null : (numbers.get(operation.questionId) ?? null),
    kind: operation.kind,
    state: operation.state === 'setAside' || operation.poisoned ? 'setAside' : 'device',
    at: operation.writtenServer,
  };
}

const byNumber = (a: WaitingOperation, b: WaitingOperation) =>
  (a.questionNumber ?? Number.POSITIVE_INFINITY) - (b.questionNumber ?? Number.POSITIVE_INFINITY);

/** Everything of one person that the server does not have, by attempt; the newest attempt first. */
export async function readWaiting(storage: Storage, owner: string): Promise<WaitingAttempt[]> {
  return storage.read(['attempts', 'operations', 'contents'], async (tx) => {
    const [waiting, setAside] = await Promise.all([
      tx.all('operations', 'ownerState', [owner, 'waiting']),
      tx.all('operations', 'ownerState', [owner, 'setAside']),
    ]);
    const operations = [...waiting, ...setAside];
    const read = async (attempt: AttemptRow): Promise<WaitingAttempt> => {
      const content = await tx.get('contents', attempt.attemptId);
      const numbers = new Map(
        content?.questions.map(({ questionId }, index) => [questionId, index + 1]),
      );
      return {
        attemptId: attempt.attemptId,
        testId: attempt.testId,
        title: attempt.title,
        operations: operations
          .filter(({ attemptId }) => attemptId === attempt.attemptId)
          .map((operation) => waitingOf(operation, numbers))
          .sort(byNumber),
      };
    };
    const attempts = await tx.all('attempts', 'owner', owner);
    const holding = attempts.filter(({ attemptId }) =>
      operations.some((operation) => operation.attemptId === attemptId),
    );
    return Promise.all(holding.sort((a, b) => b.startedAt - a.startedAt).map(read));
  });
}
