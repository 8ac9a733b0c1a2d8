import type { Answer, SavedAnswers } from '#contract/answers.ts';
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
  const saved: SavedAnswers = {
    openAnswers: [],
    variantAnswers: [],
    complianceAnswers: [],
    orderingAnswers: [],
    gapsAnswers: [],
    fileAnswers: [],
  };
  for (const { body, receivedAt, ...position } of found) {
    const at = { ...position, receivedAt: receivedAt.toISOString() };
    switch (body.kind) {
      case 'open':
        saved.openAnswers.push({ ...body, ...at });
        break;
      case 'variant':
        saved.variantAnswers.push({ ...body, ...at });
        break;
      case 'compliance':
        saved.complianceAnswers.push({ ...body, ...at });
        break;
      case 'ordering':
        saved.orderingAnswers.push({ ...body, ...at });
        break;
      case 'gaps':
        saved.gapsAnswers.push({ ...body, ...at });
        break;
      case 'file':
        saved.fileAnswers.push({ ...body, ...at });
        break;
    }
  }
  return saved;
}
