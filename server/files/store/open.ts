import type { FastifyBaseLogger } from 'fastify';
import type { Environment } from '#server/environment.ts';
import type { BlobStore } from './blob-store.ts';
import { diskBlobs } from './disk.ts';
import type { S3Settings } from './s3.ts';

type S3Environment = Pick<
  Environment,
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_BUCKET'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_PREFIX'
>;

/** Where the environment wants files to be; null: on this machine's disk. */
function s3Of(environment: S3Environment): S3Settings | null {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null;
  return {
    endpoint: S3_ENDPOINT,
    region: environment.S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    prefix: environment.S3_PREFIX ?? '',
  };
}

/** The store of files that the environment names; `trouble` tells the operator in Russian what keeps it away. */
export async function openBlobs(
  environment: S3Environment & Pick<Environment, 'DATA_DIR'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<{ blobs: BlobStore; trouble: () => Promise<string | null>; close: () => void }> {
  const settings = s3Of(environment);
  if (!settings) {
    return {
      blobs: diskBlobs(environment.DATA_DIR),
      trouble: () => Promise.resolve(null),
      close: () => undefined,
    };
  }
  const { s3Blobs } = await import('./s3.ts');
  const blobs = await s3Blobs(settings, environment.DATA_DIR, log);
  return { blobs, trouble: () => blobs.trouble(), close: () => blobs.close() };
}
