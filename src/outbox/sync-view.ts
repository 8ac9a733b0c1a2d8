import type { Pause, Reachability, SyncView } from './types.ts';

export interface SyncFacts {
  readonly waiting: number;
  readonly setAside: number;
  /** Somebody is signed in, and the owner of what waits. */
  readonly signedIn: boolean;
  readonly pause: Pause | null;
  readonly reachability: Reachability;
  /** Answers live in memory only. */
  readonly unstorable: boolean;
  readonly secondTab: boolean;
  readonly takenOver: boolean;
}

/** The one state the indicator shows: what forbids writing first, then what needs somebody, then the way. */
export function syncView(facts: SyncFacts): SyncView {
  const { waiting } = facts;
  if (facts.secondTab) return { kind: 'secondTab', count: waiting };
  if (facts.takenOver) return { kind: 'takenOver', count: waiting };
  if (facts.unstorable) return { kind: 'unstorable', count: waiting };
  const isSignedOut = !facts.signedIn || facts.pause === 'signIn' || facts.pause === 'blocked';
  if (isSignedOut && waiting > 0) return { kind: 'signedOut', count: waiting };
  if (facts.setAside > 0) return { kind: 'setAside', count: facts.setAside };
  if (facts.reachability === 'offline') return { kind: 'offline', count: waiting };
  if (facts.reachability === 'silent' || facts.pause === 'update') {
    return { kind: 'silent', count: waiting };
  }
  return waiting > 0 ? { kind: 'sending', count: waiting } : { kind: 'delivered', count: 0 };
}
