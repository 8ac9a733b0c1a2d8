import type { AttemptRow, ContentRow, FileRow, OperationRow } from './rows.ts';
import type { Transaction } from './storage.ts';

/** If the browser cleared the database under a page, the page writes its known rows again. */

/** Rows of one attempt. */
export interface AttemptRecords {
  readonly operations: readonly OperationRow[];
  readonly files: readonly FileRow[];
  readonly content: ContentRow | null;
}

/** Whether rows that were there before are gone. */
export function lacks(fresh: AttemptRecords, last: AttemptRecords): boolean {
  const ids = new Set(fresh.operations.map(({ operationId }) => operationId));
  const isContentGone = last.content !== null && fresh.content === null;
  return isContentGone || last.operations.some(({ operationId }) => !ids.has(operationId));
}

/** Existing rows are newer: another tab has written them. */
export async function putMissing(
  tx: Transaction,
  row: AttemptRow,
  { operations, files, content }: AttemptRecords,
): Promise<void> {
  if (!(await tx.get('attempts', row.attemptId))) await tx.put('attempts', row);
  if (content && !(await tx.get('contents', row.attemptId))) await tx.put('contents', content);
  for (const one of operations)
    if (!(await tx.get('operations', one.operationId))) await tx.put('operations', one);
  for (const one of files) if (!(await tx.get('files', one.fileId))) await tx.put('files', one);
}
