import type { DatabaseFault } from './database.ts';

/** Network faults of one call, with their rough frequency. */
export const CALL_FAULTS = {
  requestLost: 6,
  replyLost: 10,
  /** The same request arrives twice at the same moment. */
  parallelDuplicate: 5,
  /** A copy of the request arrives much later. */
  lateDuplicate: 6,
  /** The request arrives later, after others; its reply is lost. */
  delayed: 6,
  timeoutBefore: 3,
  timeoutAfter: 5,
  portalPage: 4,
  redirect: 2,
  emptyOk: 3,
  foreignJson: 3,
  status408: 1,
  status429: 3,
  status500: 3,
  status502: 3,
  status503: 3,
  /** The connection breaks after a part of the bytes. */
  uploadCut: 25,
  uploadCorrupted: 25,
  databaseAway: 4,
  diskFull: 3,
  killedBeforeCommit: 4,
  killedAfterCommit: 4,
  /** The server continues without knowing that its commit succeeded. */
  commitUnknown: 3,
} as const;

export type CallFault = keyof typeof CALL_FAULTS;

/** All other faults, of users, devices and the school. */
export type WorldFault =
  | 'offline'
  | 'slowLine'
  | 'poisoned'
  | 'pageKilled'
  | 'powerCut'
  | 'browserRestarted'
  | 'pageReloaded'
  | 'storageFull'
  | 'storageFreed'
  | 'clockSet'
  | 'schoolClockSet'
  | 'slept'
  | 'tokenRevoked'
  | 'blocked'
  | 'signedOut'
  | 'otherUserSignedIn'
  | 'takenOver'
  | 'deadlineMoved'
  | 'deadlinePassed'
  | 'testEdited'
  | 'attemptDeleted'
  | 'backupRestored'
  | 'serverRestarted'
  | 'databaseCleared'
  | 'deviceWiped';

export type FaultKind = CallFault | WorldFault;

export const DATABASE_FAULTS: Partial<Record<CallFault, DatabaseFault>> = {
  databaseAway: 'away',
  diskFull: 'diskFull',
  killedBeforeCommit: 'diesBeforeCommit',
  killedAfterCommit: 'diesAfterCommit',
  commitUnknown: 'diesAfterCommit',
};
