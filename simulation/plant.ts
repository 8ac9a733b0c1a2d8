import type { Outbox } from '#app/outbox/outbox.ts';
import type { Transport } from '#app/outbox/transport.ts';
import type { Storage } from '#app/storage/storage.ts';
import type { Statement } from './database.ts';
import type { Device } from './device.ts';

/** `former`: the app before its last update. `unserved`: one so old that the server refuses it. */
export type AppVersion = 'current' | 'former' | 'unserved';

/** The page that a planted bug sits in. */
export interface Page {
  readonly device: Device;
  /** The page's own storage, as honest as the page is. */
  readonly storage: Storage;
  readonly transport: Transport;
}

type Fetch = typeof globalThis.fetch;

/** Where a planted bug may sit: around what the product gets from outside, never in the product. */
export interface Plant {
  readonly storage?: (storage: Storage, device: Device, version: AppVersion) => Storage;
  readonly transport?: (page: Page) => Transport;
  readonly fetch?: (fetch: Fetch, device: Device) => Fetch;
  readonly outbox?: (outbox: Outbox, page: Page) => Outbox;
  /** A statement on its way to the database. */
  readonly statement?: (statement: Statement) => Statement;
  /** The shell signs somebody out. */
  readonly signOut?: (storage: Storage) => Promise<void>;
}

export const NO_PLANT: Plant = {};
