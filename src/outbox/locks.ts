import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import type { Timers } from './surroundings.ts';

/** Held while a task runs; may be lost under a lease (frozen page, changed clock). */
export interface Held {
  valid(): boolean;
}

export type Ran<T> = { readonly ran: true; readonly value: T } | { readonly ran: false };

/** One holder of a name at a time, over all tabs and the worker. */
export interface Locks {
  /** Waits for the name for a while, then runs; `ran: false` when it did not get it. */
  run<T>(name: string, task: (held: Held) => Promise<T>): Promise<Ran<T>>;
  /** Takes the name until released, if nobody has it; null otherwise. */
  hold(name: string): Promise<(() => void) | null>;
}

const WAIT_MS = 20_000;

/** Web Locks; only in a secure context. */
export function webLocks(manager: LockManager, timers: Timers): Locks {
  return {
    run: async (name, task) => {
      const patience = new AbortController();
      const timer = timers.set(() => patience.abort(), WAIT_MS);
      let began = false;
      try {
        const value = await manager.request(name, { signal: patience.signal }, async () => {
          began = true;
          timers.clear(timer);
          return task({ valid: () => true });
        });
        return { ran: true, value };
      } catch (error) {
        if (!began && patience.signal.aborted) return { ran: false };
        throw error;
      } finally {
        timers.clear(timer);
      }
    },
    hold: (name) =>
      new Promise((resolve, reject) => {
        const taken = manager.request(name, { ifAvailable: true }, (lock) => {
          if (!lock) {
            resolve(null);
            return undefined;
          }
          return new Promise<void>((release) => resolve(release));
        });
        taken.catch(reject);
      }),
  };
}

export interface LeaseEnvironment {
  readonly storage: Storage;
  readonly wall: () => number;
  readonly timers: Timers;
  readonly newId: () => string;
  /** Same over reloads of one tab, so that a reload does not wait for its own old lease. */
  readonly tabId?: string;
}

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const POLL_MS = 250;

/** A lease in IndexedDB, renewed while held: the fallback without Web Locks. */
export function leaseLocks({ storage, wall, timers, newId, tabId }: LeaseEnvironment): Locks {
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      timers.set(resolve, ms);
    });

  /** True: taken or renewed. An expiry absurdly far ahead comes from a clock set back since. */
  async function take(name: string, holder: string, onlyRenew: boolean): Promise<boolean> {
    return storage.write(['leases'], async (tx) => {
      const row = await tx.get('leases', name);
      const now = wall();
      const isMine = row?.holder === holder;
      const isTaken = row !== null && row.expiresAt > now && row.expiresAt <= now + 2 * LEASE_MS;
      if (onlyRenew ? !isMine : isTaken && !isMine) return false;
      await tx.put('leases', { name, holder, expiresAt: now + LEASE_MS });
      return true;
    });
  }

  async function give(name: string, holder: string): Promise<void> {
    await storage.write(['leases'], async (tx) => {
      if ((await tx.get('leases', name))?.holder === holder) await tx.delete('leases', name);
    });
  }

  /** Renews until stopped; `valid` ends with the expiry or when somebody else took over. */
  function keep(name: string, holder: string): Held & { stop(): Promise<void> } {
    let expiresAt = wall() + LEASE_MS;
    let isLost = false;
    let timer: unknown;
    const renew = (): void => {
      timer = timers.set(() => {
        void take(name, holder, true).then(
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
        await give(name, holder).catch(() => undefined);
      },
    };
  }

  return {
    run: async (name, task) => {
      const holder = newId();
      try {
        let waited = 0;
        while (!(await take(name, holder, false))) {
          if (waited >= WAIT_MS) return { ran: false };
          await pause(POLL_MS);
          waited += POLL_MS;
        }
      } catch (error) {
        if (!(error instanceof StorageFailure)) throw error;
        // No room for a lease: sending twice is harmless, not sending is not.
        return { ran: true, value: await task({ valid: () => true }) };
      }
      const held = keep(name, holder);
      try {
        return { ran: true, value: await task(held) };
      } finally {
        await held.stop();
      }
    },
    hold: async (name) => {
      const holder = tabId ?? newId();
      if (!(await take(name, holder, false))) return null;
      const held = keep(name, holder);
      return () => void held.stop();
    },
  };
}
