import type { Answer, SavedAnswers } from '#contract/answers.ts';
import { groupSaved } from '#domain/saved-answers.ts';
import { rows, type Client } from '#server/db/query.ts';

interface Row {
  readonly body: Answer;
  readonly operationId: string;
  readonly epoch: number;
  readonly sequence: number | null;
  readonly receivedAt: Date;
  readonly receivedLate: boolean;
}

/** The answers of an attempt that count, in the four groups of the specification and one each for orders and gaps. */
export async function savedAnswers(db: Client, attemptId: string): Promise<SavedAnswers> {
  const found = await rows<Row>(
    db,
    `select body, operation_id as "operationId", epoch, sequence, received_at as "receivedAt",
       received_late as "receivedLate"
     from answers where attempt_id = $1 order by ordinal`,
    [attemptId],
  );
  return groupSaved(
    found.map(({ body, receivedAt, ...position }) => ({
      ...body,
      ...position,
      receivedAt: receivedAt.toISOString(),
    })),
  );
}
