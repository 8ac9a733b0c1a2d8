import { setImmediate } from 'node:timers/promises';

/** Enough event loop turns for what a page does unawaited, as storing its clock. */
const BACKGROUND_TURNS = 50;

/** Otherwise it depends on the speed of the database how much of that work comes before what follows. */
export async function endBackgroundWork(): Promise<void> {
  for (let turn = 0; turn < BACKGROUND_TURNS; turn += 1) await setImmediate();
}
