import * as v from 'valibot';
import type { DeviceClock, Timers } from '#app/api/timers.ts';
import type { DeviceKeyRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure, type Storage } from '#app/storage/storage.ts';
import type { Transport } from './transport.ts';

/** What the outbox needs from its surroundings: clocks, timers, messages between pages, and locks. */

/** Everything the outbox needs from its environment: page, worker or simulation. */
export interface OutboxEnvironment {
  readonly storage: Storage;
  readonly transport: Transport;
  readonly locks: Locks;
  readonly clock: DeviceClock;
  readonly timers: Timers;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** UUID. */
  readonly newId: () => string;
  /** Questions sent at the same time; 1 is fully deterministic. */
  readonly concurrency?: number;
  /** `navigator.onLine`: only a hint for the displayed message. */
  readonly online?: () => boolean;
  /** Frees test caches when the device has no space for an answer. */
  readonly freeSpace?: () => Promise<void>;
  /** Notifies the other tabs and the worker; absent: there are none. */
  readonly channel?: Channel;
  readonly log?: (event: OutboxLog) => void;
  /** Whether the page still works for this person: then missing rows were cleared by the browser. */
  readonly isOwner?: (owner: string) => boolean;
  /** Stores typed text until the database has it; absent in the worker, where nobody types. */
  readonly texts?: TextStore;
  /** Encrypts this person's data outside of the outbox; false: some is still in plain. */
  readonly encryptElse?: (deviceKey: DeviceKeyRow) => Promise<boolean>;
  /** Lower-case hex of SHA-256; absent: WebCrypto, or plain JavaScript in an insecure context. */
  readonly digest?: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
}

/** Synchronous storage that survives the page: localStorage. Every call may throw. */
export interface TextStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface OutboxLog {
  readonly event: string;
  readonly operationId?: string;
  readonly attemptId?: string;
  readonly detail?: string;
}

/** Messages between pages and the worker. Their versions may differ: unknown kinds are ignored. */
const Message = v.variant('kind', [
  v.object({ kind: v.literal('changed'), attemptId: v.nullable(v.string()) }),
  /** The finish of an attempt has its receipt. */
  v.object({ kind: v.literal('finished'), attemptId: v.string() }),
  /** Requests an immediate flush. */
  v.object({ kind: v.literal('wake') }),
  v.object({ kind: v.literal('sessionChanged') }),
]);
export type ChannelMessage = v.InferOutput<typeof Message>;

export interface Channel {
  post(message: ChannelMessage): void;
  /** Returns the function that unsubscribes. */
  listen(listener: (message: ChannelMessage) => void): () => void;
}

/** Name of the BroadcastChannel. */
export const CHANNEL = 'exam-room-outbox';

export function broadcastChannel(port: BroadcastChannel): Channel {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener) => {
      const onMessage = (event: MessageEvent<unknown>): void => {
        const parsed = v.safeParse(Message, event.data);
        if (parsed.success) listener(parsed.output);
      };
      port.addEventListener('message', onMessage);
      return () => port.removeEventListener('message', onMessage);
    },
  };
}

/** A lease may be lost while its task runs (frozen page, changed clock). */
export interface LockHandle {
  valid(): boolean;
}

export type LockResult<T> = { readonly ran: true; readonly value: T } | { readonly ran: false };

/** Named locks, exclusive over all tabs and the worker. */
export interface Locks {
  /** Runs the task under the lock; `ran: false` when the lock was not granted in time. */
  run<T>(name: string, task: (lock: LockHandle) => Promise<T>): Promise<LockResult<T>>;
  /** Acquires the lock if it is free and returns its release; null otherwise. */
  hold(name: string): Promise<(() => void) | null>;
}

const WAIT_MS = 20_000;

/** Web Locks; only in a secure context. */
export function webLocks(manager: LockManager, timers: Timers): Locks {
  return {
    run: async (name, task) => {
      const waitLimit = new AbortController();
      const timer = timers.set(() => waitLimit.abort(), WAIT_MS);
      let began = false;
      try {
        const value = await manager.request(name, { signal: waitLimit.signal }, async () => {
          began = true;
          timers.clear(timer);
          return task({ valid: () => true });
        });
        return { ran: true, value };
      } catch (error) {
        if (!began && waitLimit.signal.aborted) return { ran: false };
        throw error;
      } finally {
        timers.clear(timer);
      }
    },
    hold: (name) =>
      new Promise((resolve, reject) => {
        const request = manager.request(name, { ifAvailable: true }, (lock) => {
          if (!lock) {
            resolve(null);
            return undefined;
          }
          return new Promise<void>((release) => resolve(release));
        });
        request.catch(reject);
      }),
  };
}

export interface LeaseEnvironment {
  readonly storage: Storage;
  readonly wall: () => number;
  readonly timers: Timers;
  readonly newId: () => string;
  /** Stable over reloads of one tab, so that a reload does not wait for its own old lease. */
  readonly tabId?: string;
}

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const POLL_MS = 250;

/** True: acquired or renewed. An expiry implausibly far ahead was written before the clock was set back. */
async function acquireLease(
  { storage, wall }: LeaseEnvironment,
  name: string,
  holder: string,
  onlyRenew: boolean,
): Promise<boolean> {
  return storage.write(['leases'], async (tx) => {
    const row = await tx.get('leases', name);
    const now = wall();
    const isMine = row?.holder === holder;
    const isLeased = row !== null && row.expiresAt > now && row.expiresAt <= now + 2 * LEASE_MS;
    if (onlyRenew ? !isMine : isLeased && !isMine) return false;
    await tx.put('leases', { name, holder, expiresAt: now + LEASE_MS });
    return true;
  });
}

async function releaseLease(storage: Storage, name: string, holder: string): Promise<void> {
  await storage.write(['leases'], async (tx) => {
    if ((await tx.get('leases', name))?.holder === holder) await tx.delete('leases', name);
  });
}

/** Renews until stopped; `valid` turns false at the expiry or when another holder took the lease. */
function renewLease(
  env: LeaseEnvironment,
  name: string,
  holder: string,
): LockHandle & { stop(): Promise<void> } {
  const { storage, wall, timers } = env;
  let expiresAt = wall() + LEASE_MS;
  let isLost = false;
  let timer: unknown;
  const renew = (): void => {
    timer = timers.set(() => {
      void acquireLease(env, name, holder, true).then(
        (renewed) => {
          if (!renewed) isLost = true;
          else if (!isLost) expiresAt = wall() + LEASE_MS;
        },
        () => undefined,
      );
      renew();
    }, RENEW_MS);
  };
  renew();
  return {
    valid: () => !isLost && wall() < expiresAt && expiresAt - wall() <= 2 * LEASE_MS,
    stop: async () => {
      timers.clear(timer);
      await releaseLease(storage, name, holder).catch(() => undefined);
    },
  };
}

/** A lease in IndexedDB, renewed while held; the fallback without Web Locks. */
export function leaseLocks(env: LeaseEnvironment): Locks {
  const { timers, newId, tabId } = env;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      timers.set(resolve, ms);
    });

  return {
    run: async (name, task) => {
      const holder = newId();
      try {
        let waited = 0;
        while (!(await acquireLease(env, name, holder, false))) {
          if (waited >= WAIT_MS) return { ran: false };
          await pause(POLL_MS);
          waited += POLL_MS;
        }
      } catch (error) {
        ignoreStorageFailure(error);
        // No space for a lease: sending twice is harmless, not sending is not.
        return { ran: true, value: await task({ valid: () => true }) };
      }
      const lease = renewLease(env, name, holder);
      try {
        return { ran: true, value: await task(lease) };
      } finally {
        await lease.stop();
      }
    },
    hold: async (name) => {
      const holder = tabId ?? newId();
      if (!(await acquireLease(env, name, holder, false))) return null;
      const lease = renewLease(env, name, holder);
      return () => void lease.stop();
    },
  };
}
