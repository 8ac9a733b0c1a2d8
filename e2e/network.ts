import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A device between browser and server that replies instead: a captive portal, an old proxy. */
export interface Imposter {
  contentType: string;
  body: string;
}

/**
 * The fate of a call: delivered, its request lost, only its reply lost, never answered, or answered by an
 * imposter.
 */
export type Fate = 'deliver' | 'loseRequest' | 'loseReply' | 'silence' | Imposter;

/** A network proxy between browser and server, since a browser's offline switch loses requests only. */
export interface Network {
  readonly url: string;
  /** Decides the fate of every call from now on. */
  rule: (call: { method: string; path: string }) => Fate;
  /** Replies lost after the server had answered. */
  lostReplies: number;
  close(): Promise<void>;
}

/**
 * Files that the build names by their contents, as the server of an earlier school sent them: most calls of a page ask for
 * them, and every school serves the same build.
 */
const sentFiles = new Map<string, { headers: IncomingHttpHeaders; body: Buffer }>();

/** The name of a call for a whole file; null: it is for something else. */
const fileKey = ({ method, url = '', headers }: IncomingMessage): string | null =>
  method === 'GET' && /^\/assets\/[^?]+$/.test(url) && !headers.range && !headers['if-none-match']
    ? `${url} ${headers['accept-encoding']}`
    : null;

async function rememberFile(key: string, answered: IncomingMessage): Promise<void> {
  const { headers, statusCode } = answered;
  if (statusCode !== 200) return;
  const parts: Buffer[] = [];
  answered.on('data', (part: Buffer) => parts.push(part));
  await once(answered, 'end');
  sentFiles.set(key, { headers, body: Buffer.concat(parts) });
}

function forward(
  port: number,
  incoming: IncomingMessage,
  reply: ServerResponse,
  onReply: () => boolean,
): void {
  const outgoing = send(
    {
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    },
    (answered) => {
      if (!onReply()) {
        answered.resume();
        answered.on('end', () => reply.destroy());
        return;
      }
      reply.writeHead(answered.statusCode ?? 502, answered.headers);
      const key = fileKey(incoming);
      // A reply that ends early is not remembered.
      if (key !== null) rememberFile(key, answered).catch(() => undefined);
      answered.pipe(reply);
      // A server that dies during a reply truncates it: the reply must not hang.
      answered.on('error', () => reply.destroy());
      // A client that leaves a stream disconnects from the server too, as through any proxy.
      reply.on('close', () => answered.destroy());
    },
  );
  outgoing.on('error', () => reply.destroy());
  incoming.pipe(outgoing);
}

/** Listens on a free port and forwards to the server's; null: no server listens. */
export async function openNetwork(serverPort: () => number | null): Promise<Network> {
  const server: Server = createServer((incoming, reply) => {
    const fate = network.rule({ method: incoming.method ?? 'GET', path: incoming.url ?? '/' });
    if (fate === 'loseRequest') {
      incoming.destroy();
      return;
    }
    if (fate === 'silence') {
      incoming.resume();
      return;
    }
    if (typeof fate === 'object') {
      incoming.resume();
      reply.writeHead(200, { 'content-type': fate.contentType, 'cache-control': 'no-cache' });
      reply.end(fate.body);
      return;
    }
    const port = serverPort();
    if (port === null) {
      reply.destroy();
      return;
    }
    const sent = fate === 'deliver' ? sentFiles.get(fileKey(incoming) ?? '') : undefined;
    if (sent) {
      incoming.resume();
      reply.writeHead(200, sent.headers).end(sent.body);
      return;
    }
    forward(port, incoming, reply, () => {
      if (fate === 'deliver') return true;
      network.lostReplies += 1;
      return false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network: Network = {
    url: `http://localhost:${port}`,
    rule: () => 'deliver',
    lostReplies: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return network;
}
