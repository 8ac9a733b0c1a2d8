import type { DatabaseFault } from './database.ts';

/** What can happen to one call on its way, with its rough frequency. */
export const CALL_FAULTS = {
  requestLost: 6,
  replyLost: 10,
  /** The same request comes twice at the same moment. */
  parallelDuplicate: 5,
  /** A copy of the request comes again much later. */
  lateDuplicate: 6,
  /** The request itself comes later, after others; its reply finds nobody. */
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
  /** Only a part of the bytes came, then the connection broke. */
  uploadCut: 25,
  uploadCorrupted: 25,
  databaseAway: 4,
  diskFull: 3,
  killedBeforeCommit: 4,
  killedAfterCommit: 4,
  /** The server lived on, and did not learn that its commit stood. */
  commitUnknown: 3,
} as const;

export type CallFault = keyof typeof CALL_FAULTS;

/** Everything else that is done to people, devices and the school. */
export type WorldFault =
  | 'offline'
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
  | 'deviceWiped';

export type FaultKind = CallFault | WorldFault;

export const DATABASE_FAULTS: Partial<Record<CallFault, DatabaseFault>> = {
  databaseAway: 'away',
  diskFull: 'diskFull',
  killedBeforeCommit: 'diesBeforeCommit',
  killedAfterCommit: 'diesAfterCommit',
  commitUnknown: 'diesAfterCommit',
};
