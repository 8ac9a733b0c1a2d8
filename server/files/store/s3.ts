import { setMaxListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import type { FastifyBaseLogger } from 'fastify';
import { Refusal } from '#server/http/refusal.ts';
import type { BlobStore, Incoming } from './blob-store.ts';
import { incomingFolder, storeVerified } from './incoming.ts';

/** Any store with the protocol of Amazon S3. */
export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Before every key; empty: none. */
  prefix: string;
  /** Requests without a response for this long are aborted. */
  timeoutMs?: number;
}

export interface S3Blobs extends BlobStore {
  /** Null: the bucket exists and is accessible; else the reason, in Russian, for the operator. */
  findProblem(): Promise<string | null>;
  /** Aborts pending requests, as if the store were unavailable. */
  close(): void;
}

const TIMEOUT_MS = 20_000;
const CONNECT_MS = 3_000;
/** We log failures ourselves, once each. */
const nothing = () => undefined;
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
const PUT_TRIES = 2;
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage']);

interface S3Failure {
  name?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
}

const statusOf = (error: unknown) => (error as S3Failure).$metadata?.httpStatusCode ?? 0;
const isDenied = (error: unknown) => [401, 403].includes(statusOf(error));
/** A missing bucket is a configuration error, a missing key is an answer. */
const isNoKey = (error: unknown) =>
  statusOf(error) === 404 && (error as S3Failure).name !== 'NoSuchBucket';

function refusalFor(error: unknown): Refusal {
  if (FULL.has((error as S3Failure).name ?? '') || statusOf(error) === 507)
    return new Refusal('STORAGE_FULL', { retryAfterSeconds: 60 });
  const message = isDenied(error)
    ? 'Хранилище файлов не принимает сервер. Сообщите администратору школы'
    : 'Хранилище файлов сейчас недоступно. Попробуйте ещё раз чуть позже';
  return new Refusal('UNAVAILABLE', { message, retryAfterSeconds: 5 });
}

/** The store knows the checksum from the first byte on, and refuses bytes that differ. */
function promiseHash(command: Sdk.PutObjectCommand, sha256: string): void {
  command.middlewareStack.add(
    (next) => (given) => {
      const { headers } = given.request as { headers: Record<string, string> };
      headers['x-amz-content-sha256'] = sha256;
      return next(given);
    },
    { step: 'build', name: 'promiseHash' },
  );
}

function createClient(
  { S3Client }: typeof Sdk,
  { endpoint, region, accessKeyId, secretAccessKey, timeoutMs }: S3Settings,
) {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    logger: SILENT,
    // Other stores do not know the newer checksums; the hash is sent all the same.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: timeoutMs ?? TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}

/** The calls that the store needs; `signal` aborts pending ones. */
function createBucket(sdk: typeof Sdk, settings: S3Settings, signal: AbortSignal) {
  const { bucket, prefix } = settings;
  const client = createClient(sdk, settings);
  const untilClosed = { abortSignal: signal };
  const at = (sha256: string) => ({
    Bucket: bucket,
    Key: `${prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}`,
  });

  async function send({ path, sha256, size }: Incoming): Promise<void> {
    const body = createReadStream(path);
    // The request reports it, also when it never began to read.
    body.on('error', nothing);
    try {
      const command = new sdk.PutObjectCommand({ ...at(sha256), Body: body, ContentLength: size });
      promiseHash(command, sha256);
      await client.send(command, untilClosed);
    } finally {
      body.destroy();
    }
  }

  return {
    /** The SDK does not send a stream twice. */
    async put(incoming: Incoming): Promise<void> {
      for (let tries = 1; ; tries += 1)
        try {
          return await send(incoming);
        } catch (error) {
          const mayHeal = statusOf(error) === 0 || statusOf(error) >= 500;
          if (tries >= PUT_TRIES || !mayHeal || signal.aborted) throw error;
        }
    },
    /** Null: there is no such blob. */
    async get(sha256: string): Promise<Readable | null> {
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand(at(sha256)), untilClosed);
        return (Body as Readable | undefined) ?? null;
      } catch (error) {
        if (isNoKey(error)) return null;
        throw error;
      }
    },
    async has(sha256: string): Promise<boolean> {
      try {
        await client.send(new sdk.HeadObjectCommand(at(sha256)), untilClosed);
        return true;
      } catch (error) {
        if (isNoKey(error)) return false;
        throw error;
      }
    },
    async remove(sha256: string): Promise<void> {
      await client.send(new sdk.DeleteObjectCommand(at(sha256)), untilClosed);
    },
    probe: () => client.send(new sdk.HeadBucketCommand({ Bucket: bucket })),
    destroy: () => client.destroy(),
  };
}

/** Why the bucket cannot be used, for the operator. */
function problemMessage({ endpoint, bucket }: S3Settings, error: unknown): string {
  if (isDenied(error))
    return `Хранилище файлов ${endpoint} не принимает ключ: проверьте S3_ACCESS_KEY_ID и S3_SECRET_ACCESS_KEY.`;
  if (statusOf(error) === 404)
    return `В хранилище файлов ${endpoint} нет корзины ${bucket}: проверьте S3_BUCKET.`;
  return `Хранилище файлов ${endpoint} не отвечает: файлы не сохранятся, пока оно недоступно.`;
}

/** Blobs in a bucket, under `prefix` and `ab/cdef…`; arriving files are on this disk until they are stored. */
export async function s3Blobs(
  settings: S3Settings,
  dataDir: string,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<S3Blobs> {
  // The SDK's English warnings are for developers; its version is our choice.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  // Loaded only where needed: the SDK would slow every start down.
  const sdk = await import('@aws-sdk/client-s3');
  const { receive, sweepIncoming } = incomingFolder(dataDir);
  // A pending request may occupy a database connection, and the database closes next.
  const closing = new AbortController();
  // As many as there are requests.
  setMaxListeners(0, closing.signal);
  const bucket = createBucket(sdk, settings, closing.signal);

  /** Turns a failure into a refusal and logs the cause for the operator. */
  async function mapFailure<T>(what: string, doing: () => Promise<T>): Promise<T> {
    try {
      return await doing();
    } catch (error) {
      const { name, message } = error as S3Failure;
      if (!closing.signal.aborted)
        log.error(
          { what, status: statusOf(error), failure: name, message },
          'the file store failed',
        );
      throw refusalFor(error);
    }
  }

  const store: S3Blobs = {
    where: `${settings.endpoint}/${settings.bucket}`,
    isRemote: true,
    receive,
    sweepIncoming,
    async keep(incoming) {
      await mapFailure('keep', () => bucket.put(incoming));
      await incoming.discard();
    },
    open: (sha256) => mapFailure('open', () => bucket.get(sha256)),
    has: (sha256) => mapFailure('has', () => bucket.has(sha256)),
    remove: (sha256) => mapFailure('remove', () => bucket.remove(sha256)),
    put: (sha256, size, bytes) => storeVerified(store, { sha256, size, bytes }),
    async findProblem() {
      try {
        await bucket.probe();
        return null;
      } catch (error) {
        return problemMessage(settings, error);
      }
    },
    close() {
      closing.abort();
      bucket.destroy();
    },
  };
  return store;
}
