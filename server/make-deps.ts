import { fileURLToPath } from 'node:url';
import { ADDED_CONTENT } from '#domain/needed-version.ts';
import type { AiSettings, Deps } from './deps.ts';
import { PASSING_LIMITS } from './deps.ts';
import type { Environment } from './environment.ts';
import { createFreeBytesReader } from './files/disk-reserve.ts';
import { createIds } from './ids.ts';
import { productVersion } from './version.ts';

function aiOf(environment: Environment): AiSettings | null {
  const { AI_BASE_URL, AI_API_KEY, AI_MODEL, AI_REQUESTS_PER_DAY, AI_TIMEOUT_SECONDS } =
    environment;
  if (AI_BASE_URL === undefined || AI_MODEL === undefined) return null;
  return {
    baseUrl: AI_BASE_URL,
    apiKey: AI_API_KEY ?? null,
    model: AI_MODEL,
    timeoutMs: AI_TIMEOUT_SECONDS * 1_000,
    requestsPerDay: AI_REQUESTS_PER_DAY,
  };
}

/** The dependencies of one process. */
export function makeDeps(
  environment: Environment,
  rest: Pick<Deps, 'pool' | 'state' | 'log' | 'blobs'>,
): Deps {
  const { PUBLIC_URL, TLS_CERT } = environment;
  return {
    ...rest,
    clock: () => new Date(),
    newId: createIds(),
    dataDir: environment.DATA_DIR,
    freeBytes: createFreeBytesReader(environment.DATA_DIR),
    addedContent: ADDED_CONTENT,
    settings: {
      version: productVersion(),
      schoolTimezone: environment.SCHOOL_TIMEZONE,
      registration: environment.REGISTRATION,
      sessionDays: environment.SESSION_DAYS,
      publicUrl: PUBLIC_URL ?? null,
      secure: TLS_CERT !== undefined || PUBLIC_URL?.startsWith('https:') === true,
      trustProxy: environment.TRUST_PROXY,
      clientDir: fileURLToPath(new URL('../client', import.meta.url)),
      apiDocs: environment.API_DOCS,
      metricsToken: environment.METRICS_TOKEN ?? null,
      backupDir: environment.BACKUP_DIR ?? null,
      ai: aiOf(environment),
      limits: PASSING_LIMITS,
      diskReserveBytes: environment.DISK_RESERVE_MB * 1024 * 1024,
    },
  };
}
