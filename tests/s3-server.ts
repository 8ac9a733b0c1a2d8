import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Settings } from '#server/files/store/s3.ts';

/** The faults of the store from now on. */
export type S3Mood =
  | 'well'
  | 'failing'
  | 'failingOnce'
  | 'silent'
  | 'cutting'
  | 'denying'
  | 'full'
  | 'overQuota'
  | 'noBucket';

export interface S3Server {
  /** What a server of ours would be configured with. */
  settings: S3Settings;
  /** Keys with the bytes that were stored whole. */
  objects: Map<string, Buffer>;
  /** Methods and paths of the requests. */
  requests: string[];
  mood: S3Mood;
  close(): Promise<void>;
}

const BUCKET = 'school';
const KEY_ID = 'AKIDEXAMPLE';

const words = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(words(code));
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Signed with version 4 of the protocol, for our key, with a promised hash of the body. */
function isSigned({ headers }: IncomingMessage): boolean {
  const signature =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/[\w-]+\/s3\/aws4_request, SignedHeaders=\S*host;\S*x-amz-content-sha256\S*, Signature=[0-9a-f]{64}$/;
  return signature.test(headers.authorization ?? '') && headers['x-amz-date'] !== undefined;
}

/** As much of an S3-compatible store as the server needs, on a port of this machine. */
export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();

  async function put(key: string, request: IncomingMessage, response: ServerResponse) {
    const bytes = await bytesOf(request);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (request.headers['x-amz-content-sha256'] !== hash)
      return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    objects.set(key, bytes);
    response.writeHead(200, { etag: `"${hash}"` }).end();
  }

  function get(key: string, response: ServerResponse, mood: S3Mood) {
    const bytes = objects.get(key);
    if (!bytes) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-length': bytes.length });
    if (mood !== 'cutting') return response.end(bytes);
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { mood } = store;
    const { pathname } = new URL(request.url ?? '/', 'http://store');
    store.requests.push(`${request.method} ${pathname}`);
    if (!isSigned(request)) return refuse(response, 403, 'SignatureDoesNotMatch');
    switch (mood) {
      case 'silent':
        return undefined;
      case 'failingOnce':
        store.mood = 'well';
        return refuse(response, 500, 'InternalError');
      case 'failing':
        return refuse(response, 500, 'InternalError');
      case 'denying':
        return refuse(response, 403, 'AccessDenied');
      case 'full':
        return refuse(response, 507, 'InsufficientSpace');
      case 'overQuota':
        return refuse(response, 403, 'QuotaExceeded');
      case 'noBucket':
        return refuse(response, 404, 'NoSuchBucket');
      case 'well':
      case 'cutting':
    }
    const [, bucket, ...rest] = pathname.split('/');
    if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket');
    const key = rest.join('/');
    switch (request.method) {
      case 'PUT':
        if (mood === 'well') return put(key, request, response);
        return request.once('data', () => request.destroy());
      case 'GET':
        return get(key, response, mood);
      case 'HEAD':
        return response.writeHead(key === '' || objects.has(key) ? 200 : 404).end();
      case 'DELETE':
        objects.delete(key);
        return response.writeHead(204).end();
      default:
        return refuse(response, 405, 'MethodNotAllowed');
    }
  }

  const server = createServer((request, response) => {
    // A caller's disconnect is no failure of the store.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const store: S3Server = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'ru-central1',
      bucket: BUCKET,
      accessKeyId: KEY_ID,
      secretAccessKey: 'secret',
      prefix: 'exam/',
      timeoutMs: 20_000,
    },
    objects,
    requests: [],
    mood: 'well',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return store;
}
