import type { AttemptRow } from '#app/storage/rows.ts';
import { attemptsOf } from './attempts.ts';
import { readBoth, type Core } from './core.ts';
import { OutboxRefusal } from './types.ts';
import { writeFinish } from './write.ts';

/** The page finishes at zero itself, after storing what is typed; this is for attempts nobody has open. */
const PATIENCE_MS = 5_000;

/** A finish on its way is enough; one refused for good is tried again by a person only. */
async function hasFinish(core: Core, attempt: AttemptRow): Promise<boolean> {
  const all = await readBoth(core, ['operations'], (tx) =>
    tx.all('operations', 'attempt', attempt.attemptId),
  );
  return all.some(
    (one) => one.kind === 'finish' && one.stream === attempt.stream && one.state !== 'dropped',
  );
}

/** Queues the finish of attempts whose deadline passed while the app was closed or asleep. */
export async function queueMissedFinishes(core: Core, owner: string): Promise<void> {
  const now = core.keeper.serverNow();
  if (now === null) return;
  for (const row of await attemptsOf(core, owner)) {
    const isOpen = row.state !== 'finished' && !row.takenOver && !row.gone;
    const isMissed = isOpen && now >= row.deadline + PATIENCE_MS;
    if (!isMissed || (await hasFinish(core, row))) continue;
    try {
      await writeFinish(core, row.attemptId, 'deadline');
    } catch (error) {
      // Finished or taken over in the meantime.
      if (!(error instanceof OutboxRefusal)) throw error;
    }
  }
}
