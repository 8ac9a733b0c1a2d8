import type { createFilePicks } from '#app/questions/file/file-picks.ts';
import type { createSeriesReader } from '#app/lib/qr-series/series-reader.ts';
import type { createTyping } from '#app/features/passing/typing.ts';
import type { TextStore } from '#app/outbox/environment.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { Transport } from '#app/outbox/transport.ts';
import type { Storage } from '#app/storage/storage.ts';
import type { Statement } from './database.ts';
import type { Device } from './device.ts';
import type { SimulatedServer } from './server.ts';

/** `former`: release 1.0.0. `unserved`: one that the server refuses as too old. */
export type AppVersion = 'current' | 'former' | 'unserved';

/** The page that contains a planted bug. */
export interface PlantedPage {
  readonly device: Device;
  /** The page's own storage, planted bugs included. */
  readonly storage: Storage;
  readonly transport: Transport;
}

type Fetch = typeof globalThis.fetch;

/** Hooks for planted bugs, around the product's dependencies, never in the product. */
export interface Plant {
  readonly storage?: (storage: Storage, device: Device, version: AppVersion) => Storage;
  readonly transport?: (page: PlantedPage) => Transport;
  readonly fetch?: (fetch: Fetch, device: Device) => Fetch;
  readonly outbox?: (outbox: Outbox, page: PlantedPage) => Outbox;
  readonly createFilePicks?: typeof createFilePicks;
  readonly createTyping?: typeof createTyping;
  readonly createSeriesReader?: typeof createSeriesReader;
  /** Around the place of typed text. */
  readonly texts?: (texts: TextStore) => TextStore;
  /** Changes a statement before it is sent to the database. */
  readonly statement?: (statement: Statement) => Statement;
  /**
   * The bug removes rows like the product itself: the page must not treat them as cleared by the browser, and write
   * them again.
   */
  readonly removesRows?: true;
  /** Around the server: how it reads a request, and what it replies. */
  readonly server?: (server: SimulatedServer) => SimulatedServer['deliver'];
  /** Runs when the shell signs the user out. */
  readonly signOut?: (storage: Storage) => Promise<void>;
}

export const NO_PLANT: Plant = {};
