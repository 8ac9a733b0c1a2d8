import * as v from 'valibot';
import { StaleVersionDetails } from '#contract/errors.ts';
import { isRefusal } from '#app/api/failure.ts';

/** What was stored elsewhere meanwhile; null: a save failed for another reason. */
export function readStaleVersion(error: unknown): v.InferOutput<typeof StaleVersionDetails> | null {
  if (!isRefusal(error, 'STALE_VERSION')) return null;
  const details = v.safeParse(StaleVersionDetails, error.details);
  return details.success ? details.output : null;
}
