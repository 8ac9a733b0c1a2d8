import type { SyncState as ShownState } from '#domain/labels-answer.ts';
import type { SyncState } from '#app/outbox/types.ts';

const NAMES: Readonly<Record<SyncState['kind'], ShownState>> = {
  delivered: 'delivered',
  sending: 'sending',
  offlineWaiting: 'offline',
  offline: 'offline',
  serverSilent: 'silent',
  signedOut: 'signedOut',
  setAside: 'setAside',
  cannotStore: 'unstorable',
  secondTab: 'secondTab',
  takenOver: 'takenOver',
};

/** The outbox's state as the indicator names it. */
export function shownSync(sync: SyncState): { state: ShownState; count: number } {
  return { state: NAMES[sync.kind], count: 'count' in sync ? sync.count : 0 };
}
