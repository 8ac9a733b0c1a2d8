import { HEADER } from '#contract/headers.ts';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import { endBackgroundWork } from './background.ts';
import { CALL_FAULTS, DATABASE_FAULTS, type CallFault, type FaultKind } from './faults.ts';
import type { Crowd } from './crowd.ts';
import type { Random } from './random.ts';
import type { SimulatedServer, WireReply, WireRequest } from './server.ts';
import type { Timeline } from './timeline.ts';

export const ORIGIN = 'http://school.test';

/** Network connection of one device. */
export interface NetworkLine {
  readonly device: string;
  online: boolean;
  /** Chance of a fault per call. */
  badness: number;
  /** Bits per second that leave the device at a time; null: no limit. */
  rate: ((now: number) => number) | null;
}

export type CallKind = 'start' | 'answer' | 'finish' | 'file' | 'savedAnswers' | 'other';

/** A request and its subject. */
export interface Sending {
  readonly device: string;
  readonly kind: CallKind;
  readonly token: string | null;
  /** Idempotency key of an operation or a start. */
  readonly key: string | null;
  readonly request: WireRequest;
}

export interface NetworkObserver {
  /** A request reached the server, which replied this. */
  delivered(sending: Sending, reply: WireReply, isStale: boolean): void;
  /** An unaltered reply of the server reached the device. */
  answered(sending: Sending, reply: WireReply): void;
  fault(kind: FaultKind, about: string): void;
  /** A fault was injected into a call, at random or by script. */
  suffered(step: number, call: number, fault: CallFault): void;
}

/** Runs during a call that has no other fault. */
export interface Interruption {
  readonly kind: CallKind;
  /** Before the request arrives, or while its reply is in flight. */
  readonly when: 'request' | 'reply';
  readonly happen: () => Promise<void>;
}

export interface Network {
  /** The `fetch` of a device. */
  fetchOver(line: NetworkLine): typeof fetch;
  /** Operations to which the server always replies 500. */
  readonly poisoned: Set<string>;
  /** Delayed requests in flight. */
  inFlight(): number;
  /** Whether the server is processing a call, which takes no simulated time. */
  isBusy(): boolean;
  /** Delivers a random one of them now. */
  arrive(): Promise<void>;
  /** Restricts the random faults to these. */
  choose(weights: Partial<Record<CallFault, number>>): void;
  /** Sets what happens at school during the next call of this kind; null: nothing. */
  interrupt(interruption: Interruption | null): void;
  /** Injects these faults into the next calls of a kind, one each. */
  force(kind: CallKind, ...faults: readonly CallFault[]): void;
  /**
   * Restarts the count of calls, each with its own random sequence: a different fault in one
   * changes nothing for the others. With `scripted` only the calls
   * named in it get faults.
   */
  beginStep(step: number, scripted: ReadonlyMap<number, CallFault> | null): void;
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

/** Foreign replies. */
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
  // A proxy's wait of an hour is not ours.
  status429: page(429, 'Too Many Requests', { 'retry-after': '3600' }),
  status500: page(500, 'Internal Server Error'),
  status502: page(502, 'Bad Gateway'),
  status503: page(503, 'Service Unavailable', { 'retry-after': '3600' }),
};

const toResponse = ({ status, headers, text }: WireReply): Response =>
  new Response(text, { status, headers });

/** Head of a request. */
const HEAD_BYTES = 1_000;
const SLICE_MS = 10;

const never = (): Promise<never> => new Promise(() => undefined);

const cut = (): TypeError => new TypeError('Failed to fetch');

/** The position where an upload breaks off: before its first byte, at its last one, or anywhere between. */
function someCut(size: number, random: Random): number {
  return random.pick([0, 1, size - 1, random.int(size), random.int(size)]);
}

/** The part of an upload before the connection broke, or the same length with wrong bytes. */
function damaged(sending: Sending, fault: CallFault, random: Random): Sending {
  const bytes = Buffer.from(sending.request.payload as Buffer);
  const at = someCut(bytes.length, random);
  if (fault === 'uploadCorrupted') bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
  const payload = fault === 'uploadCut' ? bytes.subarray(0, at) : bytes;
  const { 'content-length': _length, ...headers } = sending.request.headers;
  return { ...sending, request: { ...sending.request, headers, payload } };
}

interface NetworkParts {
  readonly server: SimulatedServer;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly observer: NetworkObserver;
  /** Null: the students' calls arrive alone. */
  readonly crowd: Crowd | null;
}

/** Whether a fault can happen to a request. */
function fits(fault: CallFault, { kind, request }: Sending): boolean {
  const isUpload = fault === 'uploadCut' || fault === 'uploadCorrupted';
  if (!isUpload) return true;
  const size = Buffer.isBuffer(request.payload) ? request.payload.length : 0;
  return kind === 'file' && size > 1;
}

/** Chooses the fault of each call: forced, by script or at random. */
function createFaultChoice(random: Random) {
  const forced: { kind: CallKind; fault: CallFault }[] = [];
  let weights: Partial<Record<CallFault, number>> = CALL_FAULTS;
  let scripted: ReadonlyMap<number, CallFault> | null = null;
  let step = 0;

  function chooseFault(sending: Sending, chance: Random): CallFault {
    const possible = Object.entries(weights) as [CallFault, number][];
    return chance.weighted(
      possible.map(([fault, weight]) => [fits(fault, sending) ? weight : 0, fault] as const),
    );
  }

  /** Null: no fault. */
  function faultOf(sending: Sending, call: number, badness: number): CallFault | null {
    const place = forced.findIndex(({ kind }) => kind === sending.kind);
    const [due] = place === -1 ? [] : forced.splice(place, 1);
    if (due) return due.fault;
    if (scripted) {
      const fault = scripted.get(call);
      return fault !== undefined && fits(fault, sending) ? fault : null;
    }
    const chance = random.fork(`fault ${step}.${call}`);
    return chance.chance(badness) ? chooseFault(sending, chance) : null;
  }

  return {
    faultOf,
    step: () => step,
    beginStep: (next: number, faults: ReadonlyMap<number, CallFault> | null) => {
      step = next;
      scripted = faults;
    },
    choose: (chosen: Partial<Record<CallFault, number>>) => {
      weights = chosen;
    },
    force: (kind: CallKind, ...faults: readonly CallFault[]) => {
      for (const fault of faults) forced.push({ kind, fault });
    },
  };
}

/** Takes requests to the server and replies to the device, each in its time. */
function createDelivery({ server, timeline, observer, crowd }: NetworkParts) {
  const poisoned = new Set<string>();
  let working = 0;

  const pass = (chance: Random): void => timeline.advance(chance.between(5, 120));

  async function deliver(sending: Sending, chance: Random, isStale = false): Promise<WireReply> {
    pass(chance);
    const isPoisoned = sending.key !== null && poisoned.has(sending.key);
    const reply = isPoisoned ? poisonedReply() : await work(sending);
    observer.delivered(sending, reply, isStale);
    return reply;
  }

  async function work({ kind, request }: Sending): Promise<WireReply> {
    const call = () => server.deliver(request);
    working += 1;
    try {
      const reply = await (crowd && kind === 'answer' ? crowd.surround(call) : call());
      await endBackgroundWork();
      return reply;
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
      [HEADER.serverTime]: new Date(server.schoolTime()).toISOString(),
      [HEADER.serverEpoch]: String(server.deps.state.epoch),
    };
    return { status: 500, headers, text: JSON.stringify(body) };
  }

  function answer(sending: Sending, chance: Random, reply: WireReply): Response {
    pass(chance);
    observer.answered(sending, reply);
    return toResponse(reply);
  }

  return { poisoned, isBusy: () => working > 0, pass, deliver, answer };
}

type Delivery = ReturnType<typeof createDelivery>;
type CallSignal = AbortSignal | null | undefined;

/** Replaces the usual course of a call by a fault. */
function createFaults({ server, timeline }: NetworkParts, { pass, deliver, answer }: Delivery) {
  const late: Sending[] = [];

  /** Lets the time of a call run out: after time-outs an operation is given more than the usual limit. */
  const runOut = (signal: CallSignal): Promise<never> => {
    do timeline.advance(HTTP_TIMEOUT_MS + 1);
    while (signal?.aborted === false);
    return never();
  };

  async function withDatabaseFault(
    fault: CallFault,
    sending: Sending,
    chance: Random,
  ): Promise<Response> {
    server.database.fail(DATABASE_FAULTS[fault] ?? null);
    const reply = await deliver(sending, chance);
    server.database.fail(null);
    const isKilled = fault === 'killedBeforeCommit' || fault === 'killedAfterCommit';
    if (isKilled) throw cut();
    return answer(sending, chance, reply);
  }

  async function suffer(
    fault: CallFault,
    sending: Sending,
    chance: Random,
    signal: CallSignal,
  ): Promise<Response> {
    const stranger = STRANGERS[fault];
    if (stranger) {
      pass(chance);
      return toResponse(stranger);
    }
    switch (fault) {
      case 'replyLost':
        await deliver(sending, chance);
        throw cut();
      case 'parallelDuplicate': {
        const [reply] = await Promise.all([deliver(sending, chance), deliver(sending, chance)]);
        return answer(sending, chance, reply);
      }
      case 'lateDuplicate':
        late.push(sending);
        return answer(sending, chance, await deliver(sending, chance));
      case 'delayed':
        late.push(sending);
        return runOut(signal);
      case 'timeoutBefore':
        return runOut(signal);
      case 'timeoutAfter':
        await deliver(sending, chance);
        return runOut(signal);
      case 'uploadCut':
        await deliver(damaged(sending, fault, chance), chance);
        throw cut();
      case 'uploadCorrupted':
        return answer(sending, chance, await deliver(damaged(sending, fault, chance), chance));
      default:
        if (DATABASE_FAULTS[fault]) return withDatabaseFault(fault, sending, chance);
        throw cut();
    }
  }

  return { late, suffer };
}

/** Sends a request slowly; false: its time ran out, and the caller has abandoned it. */
function isSentInTime(
  timeline: Timeline,
  { request }: Sending,
  rate: (now: number) => number,
  signal: CallSignal,
): boolean {
  const size = request.payload === null ? 0 : Buffer.byteLength(request.payload);
  for (let bits = 8 * (HEAD_BYTES + size); bits > 0 && signal?.aborted !== true;) {
    bits -= (rate(timeline.now()) * SLICE_MS) / 1_000;
    timeline.advance(SLICE_MS);
  }
  return signal?.aborted !== true;
}

export function createNetwork(parts: NetworkParts): Network {
  const { timeline, random, observer } = parts;
  const delivery = createDelivery(parts);
  const { late, suffer } = createFaults(parts, delivery);
  const choice = createFaultChoice(random);
  let interruption: Interruption | null = null;
  let calls = 0;

  async function goWell(sending: Sending, chance: Random): Promise<Response> {
    const due = interruption?.kind === sending.kind ? interruption : null;
    if (due) interruption = null;
    if (due?.when === 'request') await due.happen();
    const reply = await delivery.deliver(sending, chance);
    if (due?.when === 'reply') await due.happen();
    return delivery.answer(sending, chance, reply);
  }

  return {
    poisoned: delivery.poisoned,
    inFlight: () => late.length,
    isBusy: delivery.isBusy,
    arrive: async () => {
      calls += 1;
      const chance = random.fork(`way ${choice.step()}.${calls}`);
      const [sending] = late.splice(chance.int(late.length), 1);
      if (sending) await delivery.deliver(sending, chance, true);
    },
    beginStep: (next, faults) => {
      choice.beginStep(next, faults);
      calls = 0;
    },
    choose: choice.choose,
    interrupt: (next) => {
      interruption = next;
    },
    force: choice.force,
    fetchOver: (line) => async (input, init) => {
      const sending = sendingOf(line.device, input, init);
      calls += 1;
      const call = calls;
      const chance = random.fork(`way ${choice.step()}.${call}`);
      if (!line.online) {
        observer.fault('offline', sending.kind);
        throw cut();
      }
      if (line.rate && !isSentInTime(timeline, sending, line.rate, init?.signal)) {
        observer.fault('slowLine', sending.kind);
        return never();
      }
      const fault = choice.faultOf(sending, call, line.badness);
      if (fault === null) return goWell(sending, chance);
      observer.fault(fault, sending.kind);
      observer.suffered(choice.step(), call, fault);
      return suffer(fault, sending, chance, init?.signal);
    },
  };
}
