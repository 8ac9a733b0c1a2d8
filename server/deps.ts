import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';

export interface Settings {
  /** Build version of the product, `0.1.0+abcdef12`. */
  version: string;
  schoolTimezone: string;
  /** `code`: only with the join code of a class. */
  registration: 'open' | 'code' | 'closed';
  /** Absolute lifetime of a sign-in. */
  sessionDays: number;
  /** Address people use, without a trailing slash; null: unknown. */
  publicUrl: string | null;
  /** People reach the server over TLS, its own or a proxy's. */
  secure: boolean;
  /** As Fastify takes it: whose `X-Forwarded-*` are believed. */
  trustProxy: boolean | string[];
  /** Folder of the built app; null serves the API alone. */
  clientDir: string | null;
  /** Bearer that opens `/metrics` from elsewhere; null: this machine only. */
  metricsToken: string | null;
}

/** What belongs to the database as a whole; `epoch` rises when a backup was restored. */
export interface ServerState {
  epoch: number;
  sealKey: Buffer;
}

/** Everything the rooms of the server get from outside. */
export interface Deps {
  pool: Pool;
  /** The only source of time. */
  clock: () => Date;
  /** UUIDv7. */
  newId: () => string;
  /** Uploads lie in `${dataDir}/uploads`. */
  dataDir: string;
  state: ServerState;
  settings: Settings;
  log: FastifyBaseLogger;
}
