import type { ContentRow } from '#app/storage/rows.ts';
import type { Core } from './core.ts';

/** What an attempt shows, as far as this device has it. */
export async function contentOf(core: Core, attemptId: string): Promise<ContentRow | null> {
  return (
    (await core.main.read(['contents'], (tx) => tx.get('contents', attemptId)).catch(() => null)) ??
    (await core.overflow.read(['contents'], (tx) => tx.get('contents', attemptId)))
  );
}
