import * as v from 'valibot';
import type { AttemptRow, ContentRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import type { Transaction } from '#app/storage/storage.ts';

/** Everything of one attempt but the bytes of its files: what is encrypted and comes back as one. */
export interface Bundle {
  readonly attempt: AttemptRow | null;
  readonly content: ContentRow | null;
  readonly operations: readonly OperationRow[];
  readonly files: readonly FileRow[];
}

export const BUNDLE_STORES = ['attempts', 'contents', 'operations', 'files'] as const;

export async function readBundle(tx: Transaction, attemptId: string): Promise<Bundle> {
  return {
    attempt: await tx.get('attempts', attemptId),
    content: await tx.get('contents', attemptId),
    operations: await tx.all('operations', 'attempt', attemptId),
    files: await tx.all('files', 'attempt', attemptId),
  };
}

/** In a transaction over `BUNDLE_STORES`. */
export async function deleteBundle(
  tx: Transaction,
  attemptId: string,
  { operations, files }: Bundle,
): Promise<void> {
  for (const { operationId } of operations) await tx.delete('operations', operationId);
  for (const { fileId } of files) await tx.delete('files', fileId);
  await tx.delete('contents', attemptId);
  await tx.delete('attempts', attemptId);
}

const Shape = v.object({
  attempt: v.nullable(v.looseObject({ attemptId: v.string() })),
  content: v.nullable(v.looseObject({ attemptId: v.string() })),
  operations: v.array(v.looseObject({ operationId: v.string() })),
  files: v.array(v.looseObject({ fileId: v.string() })),
});

/** A bundle out of its text; its rows are put back as they were, and read with care as any other. */
export function parseBundle(text: string): Bundle {
  return v.parse(Shape, JSON.parse(text)) as unknown as Bundle;
}

const BYTES = '\u0000bytes';

function isPlain(value: unknown): boolean {
  if (value === null || value instanceof ArrayBuffer) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  const isBare = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isBare && Object.values(value).every(isPlain);
}

/** Any row as text; null: something in it would not come back the same. */
export function toText(value: unknown): string | null {
  if (!isPlain(value)) return null;
  return JSON.stringify(value, (_key, part: unknown) =>
    part instanceof ArrayBuffer ? { [BYTES]: Array.from(new Uint8Array(part)) } : part,
  );
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_key, part: unknown) => {
    const bytes = v.safeParse(v.object({ [BYTES]: v.array(v.number()) }), part);
    return bytes.success ? Uint8Array.from(bytes.output[BYTES] ?? []).buffer : part;
  });
}
