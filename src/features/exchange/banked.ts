import { findImported } from '#contract/bank.ts';
import { call } from '#app/api/call.ts';
import type { ImportedTest } from './messages.ts';

/** Sources of a file's items that the teacher's bank contains; null: the server did not reply. */
export async function readBanked(
  { items }: ImportedTest,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const sources = [...new Set(items.map(({ source }) => source))];
  try {
    return new Set((await call(findImported, { body: { sources } }, { signal })).sources);
  } catch {
    return null;
  }
}
