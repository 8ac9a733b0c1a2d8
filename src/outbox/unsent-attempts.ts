import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { Storage } from '#app/storage/storage.ts';

/** An answer or finish that is not on the server. */
export interface UnsentOperation {
  operationId: string;
  /** The question's number from 1; null for the finish, or if the content is not stored. */
  questionNumber: number | null;
  kind: 'answer' | 'finish';
  state: 'device' | 'setAside';
  /** When it was written, server time in milliseconds; null if unknown. */
  at: number | null;
}

/** The unsent operations of one attempt. */
export interface UnsentAttempt {
  attemptId: string;
  testId: string;
  title: string;
  operations: readonly UnsentOperation[];
}

function toUnsentOperation(
  operation: OperationRow,
  numbers: ReadonlyMap<string, number>,
): UnsentOperation {
  return {
    operationId: operation.operationId,
    questionNumber:
      operation.questionId === null ? null : (numbers.get(operation.questionId) ?? null),
    kind: operation.kind,
    state: operation.state === 'setAside' || operation.poisoned ? 'setAside' : 'device',
    at: operation.writtenServer,
  };
}

const byNumber = (a: UnsentOperation, b: UnsentOperation) =>
  (a.questionNumber ?? Number.POSITIVE_INFINITY) - (b.questionNumber ?? Number.POSITIVE_INFINITY);

/** All unsent operations of one person by attempt; the newest attempt first. */
export async function readUnsentOperations(
  storage: Storage,
  owner: string,
): Promise<UnsentAttempt[]> {
  return storage.read(['attempts', 'operations', 'contents'], async (tx) => {
    const [waiting, setAside] = await Promise.all([
      tx.all('operations', 'ownerState', [owner, 'waiting']),
      tx.all('operations', 'ownerState', [owner, 'setAside']),
    ]);
    const operations = [...waiting, ...setAside];
    const read = async (attempt: AttemptRow): Promise<UnsentAttempt> => {
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
          .map((operation) => toUnsentOperation(operation, numbers))
          .sort(byNumber),
      };
    };
    const attempts = await tx.all('attempts', 'owner', owner);
    const unsentAttempts = attempts.filter(({ attemptId }) =>
      operations.some((operation) => operation.attemptId === attemptId),
    );
    return Promise.all(unsentAttempts.sort((a, b) => b.startedAt - a.startedAt).map(read));
  });
}
