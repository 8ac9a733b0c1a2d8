import { setTimeout as pause } from 'node:timers/promises';

/** Between two batches others get the database for themselves. */
const BETWEEN_MS = 20;

export interface Progress {
  /** The server stops: no further batch. */
  isStopped(): boolean;
}

/** For work that is done at once, to its end. */
export const unstopped: Progress = { isStopped: () => false };

export const pauseBetween = (): Promise<void> => pause(BETWEEN_MS);
