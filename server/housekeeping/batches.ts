import { setTimeout as pause } from 'node:timers/promises';

/** The pause between two batches leaves the database to others. */
const BETWEEN_MS = 20;

export interface StopSignal {
  /** The server is stopping: no further batch. */
  isStopped(): boolean;
}

/** For work without pauses, to its end. */
export const unstopped: StopSignal = { isStopped: () => false };

export const pauseBetween = (): Promise<void> => pause(BETWEEN_MS);
