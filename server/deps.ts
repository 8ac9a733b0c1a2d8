import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import {
  ANSWER_BYTES_PER_ATTEMPT,
  ANSWER_BYTES_PER_MINUTE,
  ANSWERS_PER_ATTEMPT,
  FILE_BYTES_PER_DAY,
  FILES_PER_DAY,
  REPLACED_FILE_BYTES_PER_ATTEMPT,
  REPEATED_ANSWER_BYTES_PER_MINUTE,
  REPLACED_FILES_PER_ATTEMPT,
} from '#contract/limits.ts';
import type { AddedContent } from '#domain/needed-version.ts';
import type { BlobStore } from './files/store/blob-store.ts';

/** The provider of question drafts: any endpoint with OpenAI's chat completions API. */
export interface AiSettings {
  /** With its version, without a trailing slash. */
  baseUrl: string;
  /** Sent to the provider alone; null: it requires none. */
  apiKey: string | null;
  model: string;
  /** A silent provider is aborted after this time. */
  timeoutMs: number;
  /** Of one teacher, by the school's clock. */
  requestsPerDay: number;
}

/** Limits on what one student's devices may send; see `contract/limits.ts`. */
export interface PassingLimits {
  answersPerAttempt: number;
  answerBytesPerAttempt: number;
  answerBytesPerMinute: number;
  repeatedAnswerBytesPerMinute: number;
  replacedFilesPerAttempt: number;
  replacedFileBytesPerAttempt: number;
  filesPerDay: number;
  fileBytesPerDay: number;
}

export const PASSING_LIMITS: PassingLimits = {
  answersPerAttempt: ANSWERS_PER_ATTEMPT,
  answerBytesPerAttempt: ANSWER_BYTES_PER_ATTEMPT,
  answerBytesPerMinute: ANSWER_BYTES_PER_MINUTE,
  repeatedAnswerBytesPerMinute: REPEATED_ANSWER_BYTES_PER_MINUTE,
  replacedFilesPerAttempt: REPLACED_FILES_PER_ATTEMPT,
  replacedFileBytesPerAttempt: REPLACED_FILE_BYTES_PER_ATTEMPT,
  filesPerDay: FILES_PER_DAY,
  fileBytesPerDay: FILE_BYTES_PER_DAY,
};

export interface Settings {
  /** Build version of the product, `1.0.0+abcdef12`. */
  version: string;
  schoolTimezone: string;
  /** `code`: only with the join code of a class. */
  registration: 'open' | 'code' | 'closed';
  /** Absolute lifetime of a sign-in. */
  sessionDays: number;
  /** Public URL, without a trailing slash; null: unknown. */
  publicUrl: string | null;
  /** People reach the server over TLS, its own or a proxy's. */
  secure: boolean;
  /** Fastify's `trustProxy`: the trusted proxies. */
  trustProxy: boolean | string[];
  /** Folder of the built app; null serves the API alone. */
  clientDir: string | null;
  /** Who may read `/api/docs`. */
  apiDocs: 'admin' | 'open';
  /** Bearer token for `/metrics` from elsewhere; null: this machine only. */
  metricsToken: string | null;
  /** Folder of backups, for reporting the age of the newest; null: below `dataDir`. */
  backupDir: string | null;
  /** Null: no drafts by a provider. */
  ai: AiSettings | null;
  limits: PassingLimits;
  /** Reserved space on the disk of `dataDir` that files leave to the database and to the operator. */
  diskReserveBytes: number;
}

/** Properties of the database as a whole; `epoch` rises when a backup was restored. */
export interface ServerState {
  epoch: number;
  sealKey: Buffer;
}

/** The dependencies of the server's modules. */
export interface Deps {
  pool: Pool;
  /** The only source of time. */
  clock: () => Date;
  /** UUIDv7. */
  newId: () => string;
  /** Uploads are in `${dataDir}/uploads`. */
  dataDir: string;
  /** Free space on the disk of `dataDir`; null: unknown. */
  freeBytes: () => Promise<number | null>;
  /** Files by content: on this disk or in an S3-compatible store. */
  blobs: BlobStore;
  state: ServerState;
  settings: Settings;
  /** Parts of content that older apps do not know. */
  addedContent: readonly AddedContent[];
  log: FastifyBaseLogger;
}
