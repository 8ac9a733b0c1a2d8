import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import type { SignedIn } from '#contract/auth.ts';
import type { StoredOffer } from '#app/storage/offer-database.ts';
import type { DeviceKeyRow, DeviceRow, SessionRow } from '#app/storage/rows.ts';
import type { ChannelMessage, TextStore } from '#app/outbox/environment.ts';
import { createLockRegistry, type LockRegistry } from './locks.ts';
import type { NetworkLine } from './network.ts';
import type { SimulatedPerson } from './server.ts';
import { createPower, type Power } from './power.ts';
import { createDeviceClock, type SimulatedClock, type Timeline } from './timeline.ts';

/** An offer on a device, and the code that opens it. */
export interface PreparedOffer {
  readonly stored: StoredOffer;
  readonly code: string;
}

type DeviceSession = { readonly person: SimulatedPerson; readonly signedIn: SignedIn };

/** What a copy of a browser's profile contains before an attempt. */
export interface SavedProfile {
  readonly session: DeviceSession | null;
  readonly offers: ReadonlyMap<string, PreparedOffer>;
  readonly rows: {
    readonly session: readonly SessionRow[];
    readonly device: readonly DeviceRow[];
    readonly deviceKeys: readonly DeviceKeyRow[];
  };
}

/** A phone, tablet or computer: the state that outlives its pages. */
export interface Device {
  readonly label: string;
  readonly line: NetworkLine;
  readonly clock: SimulatedClock;
  readonly locks: LockRegistry;
  readonly power: Power;
  readonly hasWebLocks: boolean;
  /** Listeners of its open pages. */
  readonly channel: Set<Set<(message: ChannelMessage) => void>>;
  factory: IDBFactory;
  /** A page of the former app was opened: the present one has raised the database version since. */
  isUpdated: boolean;
  /** Number of pages opened so far. */
  pagesOpened: number;
  /** Prepared attempts, by owner and test. */
  readonly offers: Map<string, PreparedOffer>;
  /** A copy of it that may be put back; null: none. */
  savedProfile: SavedProfile | null;
  /** Typed text in localStorage. */
  readonly texts: TextStore;
  /** The sign-in in localStorage. */
  session: DeviceSession | null;
  /** No space for new rows. */
  isFull: boolean;
  /** Data from replies may not have been stored either. */
  wasFull: boolean;
  /** Permanently out of use. */
  isLost: boolean;
  /** True time of the last change of its wall clock. */
  clockChangedAt: number;
}

function createTexts(): TextStore {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

export function createDevice(
  label: string,
  timeline: Timeline,
  traits: { skewMs: number; hasWebLocks: boolean },
): Device {
  return {
    label,
    line: { device: label, online: true, badness: 0, rate: null },
    clock: createDeviceClock(timeline, traits.skewMs),
    locks: createLockRegistry(),
    power: createPower(),
    hasWebLocks: traits.hasWebLocks,
    channel: new Set(),
    offers: new Map(),
    savedProfile: null,
    texts: createTexts(),
    factory: new IDBFactory(),
    isUpdated: false,
    pagesOpened: 0,
    session: null,
    isFull: false,
    wasFull: false,
    isLost: false,
    clockChangedAt: timeline.now(),
  };
}
