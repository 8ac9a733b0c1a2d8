import { HEADER } from '#contract/headers.ts';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import { CALL_FAULTS, DATABASE_FAULTS, type CallFault, type FaultKind } from './faults.ts';
import type { Random } from './random.ts';
import type { SimulatedServer, WireReply, WireRequest } from './server.ts';
import type { Timeline } from './timeline.ts';

export const ORIGIN = 'http://school.test';

/** One device's way to the server. */
export interface Line {
  readonly device: string;
  online: boolean;
  /** Chance of a fault per call. */
  badness: number;
}

export type CallKind = 'start' | 'answer' | 'finish' | 'file' | 'savedAnswers' | 'other';

/** A request and what it is about. */
export interface Sending {
  readonly device: string;
  readonly kind: CallKind;
  readonly token: string | null;
  /** Idempotency key of an operation or a start. */
  readonly key: string | null;
  readonly request: WireRequest;
}

export interface NetworkObserver {
  /** A request came to the server, and this is what it replied. */
  delivered(sending: Sending, reply: WireReply, isStale: boolean): void;
  /** The server's own reply came to the device. */
  answered(sending: Sending, reply: WireReply): void;
  fault(kind: FaultKind, about: string): void;
}

export interface Network {
  /** The `fetch` of a device. */
  fetchOver(line: Line): typeof fetch;
  /** Operations that the server answers with 500 for ever. */
  readonly poisoned: Set<string>;
  /** Requests still on their way. */
  onTheWay(): number;
  /** The server works on a call: how long that takes is not the run's time. */
  isBusy(): boolean;
  /** One of them arrives now; which one is chance. */
  arrive(): Promise<void>;
  /** Faults to choose from instead of all. */
  choose(weights: Partial<Record<CallFault, number>>): void;
  /** The next calls of a kind suffer these faults, one each. */
  force(kind: CallKind, ...faults: readonly CallFault[]): void;
}

const KINDS: readonly (readonly [RegExp, CallKind])[] = [
  [/^\/api\/TestPassing\/[^/]+\/start$/, 'start'],
  [/^\/api\/TestPassing\/[^/]+\/answer$/, 'answer'],
  [/^\/api\/TestPassing\/[^/]+\/finish$/, 'finish'],
  [/^\/api\/TestPassing\/[^/]+\/files\//, 'file'],
  [/^\/api\/TestPassing\/[^/]+\/answers$/, 'savedAnswers'],
];

const kindOf = (path: string): CallKind =>
  KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';

function sendingOf(device: string, input: unknown, init: RequestInit | undefined): Sending {
  const url = new URL(String(input), ORIGIN);
  const headers = Object.fromEntries(new Headers(init?.headers).entries());
  const body = init?.body;
  const payload =
    body instanceof Uint8Array ? Buffer.from(body) : ((body as string | null) ?? null);
  return {
    device,
    kind: kindOf(url.pathname),
    token: headers['authorization']?.replace(/^Bearer /, '') ?? null,
    key: headers[HEADER.idempotencyKey] ?? null,
    request: { method: init?.method ?? 'GET', url: url.pathname + url.search, headers, payload },
  };
}

const page = (status: number, text: string, headers: Record<string, string> = {}): WireReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  text,
});

const PORTAL = '<!doctype html><title>Wi-Fi</title><p>Примите условия';

/** Replies that are not our server's. */
const STRANGERS: Partial<Record<CallFault, WireReply>> = {
  portalPage: page(200, PORTAL),
  redirect: page(302, '', { location: 'http://portal.test/' }),
  emptyOk: page(200, ''),
  foreignJson: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    text: '{"ok":true}',
  },
  status408: page(408, 'Request Timeout'),
  status429: page(429, 'Too Many Requests', { 'retry-after': '7' }),
  status500: page(500, 'Internal Server Error'),
  status502: page(502, 'Bad Gateway'),
  status503: page(503, 'Service Unavailable', { 'retry-after': '3' }),
};

const toResponse = ({ status, headers, text }: WireReply): Response =>
  new Response(text, { status, headers });

const never = (): Promise<never> => new Promise(() => undefined);

const cut = (): TypeError => new TypeError('Failed to fetch');

/** The part of an upload that came before the connection broke, or the same length with wrong bytes. */
function damaged(sending: Sending, fault: CallFault, random: Random): Sending {
  const bytes = Buffer.from(sending.request.payload as Buffer);
  const at = random.int(bytes.length);
  if (fault === 'uploadCorrupted') bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
  const payload = fault === 'uploadCut' ? bytes.subarray(0, at) : bytes;
  const { 'content-length': _length, ...headers } = sending.request.headers;
  return { ...sending, request: { ...sending.request, headers, payload } };
}

export function createNetwork(parts: {
  server: SimulatedServer;
  timeline: Timeline;
  random: Random;
  observer: NetworkObserver;
}): Network {
  const { server, timeline, random, observer } = parts;
  const late: Sending[] = [];
  const forced: { kind: CallKind; fault: CallFault }[] = [];
  const poisoned = new Set<string>();
  let weights: Partial<Record<CallFault, number>> = CALL_FAULTS;
  let working = 0;

  const pass = (): void => timeline.advance(random.between(5, 120));

  async function deliver(sending: Sending, isStale = false): Promise<WireReply> {
    pass();
    const isPoisoned = sending.key !== null && poisoned.has(sending.key);
    const reply = isPoisoned ? poisonedReply() : await work(sending.request);
    observer.delivered(sending, reply, isStale);
    return reply;
  }

  async function work(request: WireRequest): Promise<WireReply> {
    working += 1;
    try {
      return await server.deliver(request);
    } finally {
      working -= 1;
    }
  }

  function poisonedReply(): WireReply {
    const body = {
      code: 'INTERNAL',
      message: 'На сервере произошла ошибка',
      requestId: 'poisoned',
    };
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      [HEADER.serverTime]: new Date(timeline.now()).toISOString(),
      [HEADER.serverEpoch]: String(server.deps.state.epoch),
    };
    return { status: 500, headers, text: JSON.stringify(body) };
  }

  function answer(sending: Sending, reply: WireReply): Response {
    pass();
    observer.answered(sending, reply);
    return toResponse(reply);
  }

  function fits(fault: CallFault, { kind, request }: Sending): boolean {
    const isUpload = fault === 'uploadCut' || fault === 'uploadCorrupted';
    if (!isUpload) return true;
    const size = Buffer.isBuffer(request.payload) ? request.payload.length : 0;
    return kind === 'file' && size > 1;
  }

  function chooseFault(sending: Sending): CallFault {
    const possible = Object.entries(weights) as [CallFault, number][];
    return random.weighted(
      possible.map(([fault, weight]) => [fits(fault, sending) ? weight : 0, fault] as const),
    );
  }

  /** Null: the call goes well. */
  function faultOf(sending: Sending, badness: number): CallFault | null {
    const place = forced.findIndex(({ kind }) => kind === sending.kind);
    const [due] = place === -1 ? [] : forced.splice(place, 1);
    if (due) return due.fault;
    return random.chance(badness) ? chooseFault(sending) : null;
  }

  async function withDatabaseFault(fault: CallFault, sending: Sending): Promise<Response> {
    server.database.fail(DATABASE_FAULTS[fault] ?? null);
    const reply = await deliver(sending);
    server.database.fail(null);
    const isKilled = fault === 'killedBeforeCommit' || fault === 'killedAfterCommit';
    if (isKilled) throw cut();
    return answer(sending, reply);
  }

  async function suffer(fault: CallFault, sending: Sending): Promise<Response> {
    const stranger = STRANGERS[fault];
    if (stranger) {
      pass();
      return toResponse(stranger);
    }
    switch (fault) {
      case 'replyLost':
        await deliver(sending);
        throw cut();
      case 'parallelDuplicate': {
        const [reply] = await Promise.all([deliver(sending), deliver(sending)]);
        return answer(sending, reply);
      }
      case 'lateDuplicate':
        late.push(sending);
        return answer(sending, await deliver(sending));
      case 'delayed':
        late.push(sending);
        timeline.advance(HTTP_TIMEOUT_MS + 1);
        return never();
      case 'timeoutBefore':
        timeline.advance(HTTP_TIMEOUT_MS + 1);
        return never();
      case 'timeoutAfter':
        await deliver(sending);
        timeline.advance(HTTP_TIMEOUT_MS + 1);
        return never();
      case 'uploadCut':
        await deliver(damaged(sending, fault, random));
        throw cut();
      case 'uploadCorrupted':
        return answer(sending, await deliver(damaged(sending, fault, random)));
      default:
        if (DATABASE_FAULTS[fault]) return withDatabaseFault(fault, sending);
        throw cut();
    }
  }

  return {
    poisoned,
    onTheWay: () => late.length,
    isBusy: () => working > 0,
    arrive: async () => {
      const [sending] = late.splice(random.int(late.length), 1);
      if (sending) await deliver(sending, true);
    },
    choose: (chosen) => {
      weights = chosen;
    },
    force: (kind, ...faults) => {
      for (const fault of faults) forced.push({ kind, fault });
    },
    fetchOver: (line) => async (input, init) => {
      const sending = sendingOf(line.device, input, init);
      if (!line.online) {
        observer.fault('offline', sending.kind);
        throw cut();
      }
      const fault = faultOf(sending, line.badness);
      if (fault === null) return answer(sending, await deliver(sending));
      observer.fault(fault, sending.kind);
      return suffer(fault, sending);
    },
  };
}
