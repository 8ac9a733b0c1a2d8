import { connect, type Socket } from 'node:net';

/** A reply: status and body, as text. */
export interface HttpReply {
  readonly status: number;
  readonly body: string;
}

interface Waiting {
  resolve(reply: HttpReply): void;
  reject(error: Error): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Decodes the body of a chunked message; null while it is incomplete. */
function chunked(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (bytes.length < from + size + 2) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}

/** Parses a reply; null while it is incomplete. */
function parseReply(bytes: Buffer): HttpReply | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const rest = bytes.subarray(headEnd + HEAD_END.length);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const body = chunked(rest);
    return body && { status, body: body.toString() };
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return rest.length < length ? null : { status, body: rest.toString('utf8', 0, length) };
}

/**
 * One keep-alive HTTP/1.1 connection, one call at a time. Hand-written because on a machine with
 * two cores a general client would use the processor time that is measured.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private waiting: Waiting | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
    });
  }

  /** `head`: request line and headers, each with its line end, without those of the body. */
  call(head: string, body = ''): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      const kind = body === '' ? '' : 'content-type: application/json\r\n';
      this.socket.write(
        `${head}host: 127.0.0.1\r\n${kind}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  }

  close(): void {
    this.waiting = null;
    this.socket.destroy();
  }

  private take(bytes: Buffer): void {
    this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes]);
    const reply = parseReply(this.received);
    if (!reply) return;
    this.received = Buffer.alloc(0);
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve(reply);
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = null;
  }
}
