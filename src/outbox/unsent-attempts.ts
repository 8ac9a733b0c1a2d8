import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import { attemptsOf, unsentOf } from './attempts.ts';
import type { Core } from './core.ts';

/** An answer or finish that is not on the server. */
export interface UnsentOperation {
  operationId: string;
  /** The question's number from 1; null for the finish, or if the content is not stored. */
  questionNumber: number | null;
  kind: 'answer' | 'finish';
  /** `unsaved`: in memory only, a closed page loses it. */
  state: 'device' | 'setAside' | 'unsaved';
  isStored: boolean;
  /** It is sent again without the user. */
  isWaiting: boolean;
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
  { storage }: Core,
  row: OperationRow,
  numbers: ReadonlyMap<string, number>,
): UnsentOperation {
  const { operationId, questionId, kind, state, poisoned, writtenServer } = row;
  const isStored = storage.durable && !storage.unsaved.has(operationId);
  const isSetAside = state === 'setAside' || poisoned;
  return {
    operationId,
    questionNumber: questionId === null ? null : (numbers.get(questionId) ?? null),
    kind,
    state: isSetAside ? 'setAside' : isStored ? 'device' : 'unsaved',
    isStored,
    isWaiting: state === 'waiting',
    at: writtenServer,
  };
}

const byNumber = (a: UnsentOperation, b: UnsentOperation) =>
  (a.questionNumber ?? Number.POSITIVE_INFINITY) - (b.questionNumber ?? Number.POSITIVE_INFINITY);

/** A device that cannot be read hides its own rows, but not those in memory. */
async function readOperations({ storage }: Core, owner: string): Promise<OperationRow[]> {
  try {
    return await unsentOf(owner, storage.readEvery);
  } catch (error) {
    const inMemory = await unsentOf(owner, storage.readAll);
    if (inMemory.length === 0) throw error;
    return inMemory;
  }
}

/**
 * All unsent operations of one person by attempt; the newest attempt first. Throws `StorageFailure` when the device
 * cannot be read and nothing is in memory.
 */
export async function readUnsentAttempts(core: Core, owner: string): Promise<UnsentAttempt[]> {
  await core.ready();
  const operations = await readOperations(core, owner);
  const read = async ({ attemptId, testId, title }: AttemptRow): Promise<UnsentAttempt> => {
    const { content } = await core.storage.readRecords(attemptId);
    const numbers = new Map(
      content?.questions.map(({ questionId }, index) => [questionId, index + 1]),
    );
    const own = operations.filter((one) => one.attemptId === attemptId);
    const unsent = own.map((one) => toUnsentOperation(core, one, numbers)).sort(byNumber);
    return { attemptId, testId, title, operations: unsent };
  };
  const attempts = await attemptsOf(core, owner);
  const unsentAttempts = attempts.filter(({ attemptId }) =>
    operations.some((operation) => operation.attemptId === attemptId),
  );
  return Promise.all(unsentAttempts.reverse().map(read));
}
