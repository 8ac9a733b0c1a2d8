import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import type { SignedIn } from '#contract/auth.ts';
import type { ChannelMessage } from '#app/outbox/channel.ts';
import { createLockHouse, type LockHouse } from './locks.ts';
import type { Line } from './network.ts';
import type { Person } from './server.ts';
import { createPower, type Power } from './power.ts';
import { createDeviceClock, type SimulatedClock, type Timeline } from './timeline.ts';

/** A phone, tablet or computer: what outlives its pages. */
export interface Device {
  readonly label: string;
  readonly line: Line;
  readonly clock: SimulatedClock;
  readonly locks: LockHouse;
  readonly power: Power;
  readonly hasWebLocks: boolean;
  /** Listeners of its open pages. */
  readonly channel: Set<Set<(message: ChannelMessage) => void>>;
  factory: IDBFactory;
  /** How many pages were ever opened. */
  pagesOpened: number;
  /** What localStorage says. */
  session: { readonly person: Person; readonly signedIn: SignedIn } | null;
  /** No room for anything new. */
  isFull: boolean;
  /** What replies told it may have found no room either. */
  wasFull: boolean;
  /** Nobody will ever switch it on again. */
  isLost: boolean;
  /** True time of the last change of its wall clock. */
  clockChangedAt: number;
}

export function createDevice(
  label: string,
  timeline: Timeline,
  traits: { skewMs: number; hasWebLocks: boolean },
): Device {
  return {
    label,
    line: { device: label, online: true, badness: 0 },
    clock: createDeviceClock(timeline, traits.skewMs),
    locks: createLockHouse(),
    power: createPower(),
    hasWebLocks: traits.hasWebLocks,
    channel: new Set(),
    factory: new IDBFactory(),
    pagesOpened: 0,
    session: null,
    isFull: false,
    wasFull: false,
    isLost: false,
    clockChangedAt: timeline.now(),
  };
}
