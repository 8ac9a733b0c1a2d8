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

/** The configured remote store; null: this machine's disk. */
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

/** The configured file store; `findProblem` returns to the operator in Russian why it is unavailable. */
export async function openBlobs(
  environment: S3Environment & Pick<Environment, 'DATA_DIR'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<{ blobs: BlobStore; findProblem: () => Promise<string | null>; close: () => void }> {
  const settings = s3Of(environment);
  if (!settings) {
    return {
      blobs: diskBlobs(environment.DATA_DIR),
      findProblem: () => Promise.resolve(null),
      close: () => undefined,
    };
  }
  const { s3Blobs } = await import('./s3.ts');
  const blobs = await s3Blobs(settings, environment.DATA_DIR, log);
  return { blobs, findProblem: () => blobs.findProblem(), close: () => blobs.close() };
}
