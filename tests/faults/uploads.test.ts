import { connect, type AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import { buildApp } from '#server/app.ts';
import type { Plant } from '#simulation/plant.ts';
import { drain, openClassroom, Q, shown, start, type Classroom } from './classroom.ts';

/**
 * Uploads with a connection that breaks, on a real socket, at each byte where another part of the request begins; slow
 * lines.
 */

let classroom: Classroom;
let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 50 });
  app = await buildApp(classroom.server.deps);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  await classroom.close();
});

/** A request as bytes: its head, and its body. */
interface RawRequest {
  readonly head: Buffer;
  readonly body: Buffer;
}

function rawRequest(address: string, init: RequestInit): RawRequest {
  const { pathname, search } = new URL(address);
  const body = Buffer.from(init.body as Uint8Array);
  const headers = [...new Headers(init.headers)].map(([name, value]) => `${name}: ${value}`);
  const lines = [
    `${init.method} ${pathname}${search} HTTP/1.1`,
    'host: school.test',
    `content-length: ${body.length}`,
    ...headers,
  ];
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body };
}

/** Sends the first bytes of a request and breaks the connection, or waits for the reply first. */
async function sendPart(bytes: Buffer, readsReply: boolean): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  // The server may close a broken request first.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  if (bytes.length > 0) await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  if (readsReply) await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
}

interface Cut {
  /** How many bytes of the request leave the device. */
  readonly bytes: (request: RawRequest) => number;
  readonly readsReply?: boolean;
}

const all = ({ head, body }: RawRequest): number => head.length + body.length;

const CUTS: Readonly<Record<string, Cut>> = {
  'before its first byte': { bytes: () => 0 },
  'behind its first byte': { bytes: () => 1 },
  'in the middle of its head': { bytes: ({ head }) => Math.floor(head.length / 2) },
  'at the last byte of its head': { bytes: ({ head }) => head.length - 1 },
  'between head and body': { bytes: ({ head }) => head.length },
  'behind the first byte of the file': { bytes: ({ head }) => head.length + 1 },
  'in the middle of the file': { bytes: ({ head, body }) => head.length + (body.length >> 1) },
  'with only the last byte missing': { bytes: (request) => all(request) - 1 },
  'with all bytes sent and no reply awaited': { bytes: all },
  'behind the reply': { bytes: all, readsReply: true },
};

/** Sends the n-th part of a file over the socket and cuts it off. */
function cutting(
  part: number,
  { bytes, readsReply = false }: Cut,
): { plant: Plant; cuts: number[] } {
  const cuts: number[] = [];
  let parts = 0;
  const plant: Plant = {
    fetch: (fetch) => async (input, init) => {
      const address = input instanceof Request ? input.url : input.toString();
      const isPart = address.includes('/files/') && init?.body instanceof Uint8Array;
      if (isPart) parts += 1;
      if (!isPart || parts !== part || cuts.length > 0) return fetch(input, init);
      const request = rawRequest(address, init);
      const end = bytes(request);
      cuts.push(end);
      await sendPart(Buffer.concat([request.head, request.body]).subarray(0, end), readsReply);
      throw new TypeError('Failed to fetch');
    },
  };
  return { plant, cuts };
}

/** More than one part of the usual size. */
const FILE = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >> 8)) % 256);
FILE.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);

const PLACES = Object.entries(CUTS).flatMap(([name, cut]) =>
  [1, 2].map((part) => [part, name, cut] as const),
);

test.each(PLACES)(
  'row 26: part %d of a file, cut %s, arrives whole and once',
  async (part, _name, cut) => {
    const { plant, cuts } = cutting(part, cut);
    const student = await classroom.addStudent();
    const tab = await classroom.open(classroom.device(), student, { plant });
    const { attemptId } = await start(classroom, tab);
    const file = { name: 'решение.jpg', mimeType: 'image/jpeg', bytes: FILE };
    await tab.outbox.addFile(attemptId, Q.file, file);
    await tab.outbox.finish(attemptId, 'student');
    await tab.outbox.flush();
    expect(cuts).toHaveLength(1);
    expect((await tab.outbox.attempt(attemptId))?.state).toBe('finishing');

    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect((await shown(tab, attemptId, Q.file)).stage).toBe('server');
    expect((await tab.outbox.attempt(attemptId))?.state).toBe('finished');
    expect((await classroom.journal(attemptId)).map(({ kind }) => kind)).toEqual([
      'answer',
      'finish',
    ]);
    const { pool, deps } = classroom.server;
    const { rows } = await pool.query<{ id: string; complete: boolean }>(
      'select id, completed_at is not null as complete from uploads where attempt_id = $1',
      [attemptId],
    );
    expect(rows).toMatchObject([{ complete: true }]);
    const stored = await readFile(join(deps.dataDir, 'uploads', rows[0]?.id ?? ''));
    expect(stored.equals(FILE)).toBe(true);
  },
);

/** A line of this rate on virtual time: a request that would take longer than the time limit never arrives. */
function slowLine(bitsPerSecond: () => number): { plant: Plant; timeOuts: () => number } {
  const { timeline } = classroom;
  let timeOuts = 0;
  const plant: Plant = {
    fetch: (fetch) => async (input, init) => {
      const bytes = init?.body instanceof Uint8Array ? init.body.length : 0;
      const ms = ((bytes + 1_000) * 8 * 1_000) / bitsPerSecond();
      timeline.advance(Math.min(ms, HTTP_TIMEOUT_MS + 1));
      if (ms <= HTTP_TIMEOUT_MS) return fetch(input, init);
      timeOuts += 1;
      return new Promise(() => undefined);
    },
  };
  return { plant, timeOuts: () => timeOuts };
}

test.each([50_000, 250_000, 1_000_000])(
  'row 39: at %d bit/s a file arrives whole, in at most 1.5 × the ideal time, and nothing is refused',
  async (rate) => {
    const { plant, timeOuts } = slowLine(() => rate);
    const student = await classroom.addStudent();
    const tab = await classroom.open(classroom.device(), student, { plant });
    const { attemptId } = await start(classroom, tab);
    const file = { name: 'решение.jpg', mimeType: 'image/jpeg', bytes: FILE };
    await tab.outbox.addFile(attemptId, Q.file, file);
    const from = classroom.timeline.now();
    await tab.outbox.flush();
    expect((await shown(tab, attemptId, Q.file)).stage).toBe('server');
    const idealMs = (FILE.length * 8 * 1_000) / rate;
    // The network of the classroom adds up to 0.24 s to each of the few requests of a fast line.
    expect(classroom.timeline.now() - from).toBeLessThan(1.5 * idealMs + 2_000);
    expect(timeOuts()).toBe(0);
  },
);

test('row 39: a line that becomes slow in the middle of a file costs time-outs, no refusal', async () => {
  let parts = 0;
  const { plant, timeOuts } = slowLine(() => {
    parts += 1;
    return parts > 4 ? 30_000 : 2_000_000;
  });
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device(), student, { plant });
  const { attemptId } = await start(classroom, tab);
  const file = { name: 'решение.jpg', mimeType: 'image/jpeg', bytes: FILE };
  await tab.outbox.addFile(attemptId, Q.file, file);
  await tab.outbox.finish(attemptId, 'student');
  expect((await drain(classroom, tab)).waiting).toBe(0);
  expect(timeOuts()).toBeGreaterThan(0);
  expect((await shown(tab, attemptId, Q.file)).stage).toBe('server');
  expect((await tab.outbox.attempt(attemptId))?.state).toBe('finished');
});
