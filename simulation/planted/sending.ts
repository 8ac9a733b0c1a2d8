import { HEADER } from '#contract/headers.ts';
import type { Receipt } from '#contract/passing.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { CallResult, Transport } from '#app/outbox/transport.ts';
import type { Storage } from '#app/storage/storage.ts';
import type { PlantedPage, Plant } from '#simulation/plant.ts';
import { createRandom } from '#simulation/random.ts';

/** Bugs in sending that other products have shipped. Each wraps the real outbox. */

type Headers = Readonly<Record<string, string>>;

/** A forged receipt. */
function forged(headers: Headers): Receipt {
  const now = new Date(0).toISOString();
  return {
    operationId: headers[HEADER.idempotencyKey] ?? '',
    stream: headers[HEADER.stream] ?? '',
    epoch: Number(headers[HEADER.epoch]),
    sequence: Number(headers[HEADER.sequence]),
    outcome: 'stored',
    receivedLate: false,
    writtenAt: now,
    receivedAt: now,
    seal: 'forged',
  };
}

function forgedReply(headers: Headers): CallResult<Receipt> & { ok: true } {
  const facts = {
    route: 'saveAnswer',
    status: 200,
    serverTime: null,
    serverEpoch: null,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: 0,
    rttMs: 0,
  };
  return { ok: true, value: forged(headers), facts };
}

/** Wraps the sending of an answer. */
function aroundAnswer(
  change: (
    send: () => Promise<CallResult<Receipt>>,
    headers: Headers,
    page: PlantedPage,
  ) => Promise<CallResult<Receipt>>,
): Plant {
  return {
    transport: (page): Transport => ({
      ...page.transport,
      answer: (token, attemptId, answer, headers) =>
        change(() => page.transport.answer(token, attemptId, answer, headers), headers, page),
    }),
  };
}

export async function deleteOperation(storage: Storage, id: string | undefined): Promise<void> {
  await storage.write(['operations'], (tx) => tx.delete('operations', id ?? ''));
}

export const acknowledgesBeforeSending = aroundAnswer(async (send, headers) => {
  await send();
  return forgedReply(headers);
});

export const deletesBeforeSending: Plant = {
  ...aroundAnswer(async (send, headers, { storage }) => {
    await deleteOperation(storage, headers[HEADER.idempotencyKey]);
    return send();
  }),
  removesRows: true,
};

/** Deletes an operation when its failure is treated as final. */
function dropsWhen(isFinal: (status: number, key: string) => boolean): Plant {
  const plant = aroundAnswer(async (send, headers, { storage }) => {
    const sent = await send();
    const key = headers[HEADER.idempotencyKey] ?? '';
    if (!sent.ok && isFinal(sent.failure.status ?? 0, key)) await deleteOperation(storage, key);
    return sent;
  });
  return { ...plant, removesRows: true };
}

export const dropsOn401 = dropsWhen((status) => status === 401);
export const dropsOn429 = dropsWhen((status) => status === 429);

export function dropsAfterFailures(): Plant {
  const failures = new Map<string, number>();
  return dropsWhen((_status, key) => {
    failures.set(key, (failures.get(key) ?? 0) + 1);
    return (failures.get(key) ?? 0) >= 2;
  });
}

export const dropsOnUsedSequence = aroundAnswer(async (send, headers) => {
  const sent = await send();
  const isUsed = !sent.ok && sent.failure.code === 'SEQUENCE_TAKEN';
  return isUsed ? forgedReply(headers) : sent;
});

export function poisonStopsOthers(): Plant {
  const stuck = new Map<string, { key: string; sent: CallResult<Receipt> }>();
  return aroundAnswer(async (send, headers, { device }) => {
    const key = headers[HEADER.idempotencyKey] ?? '';
    const first = stuck.get(device.label);
    if (first && first.key !== key) return first.sent;
    const sent = await send();
    if (!sent.ok && sent.failure.status === 500) stuck.set(device.label, { key, sent });
    else if (sent.ok) stuck.delete(device.label);
    return sent;
  });
}

type Fetch = typeof globalThis.fetch;
interface OutgoingRequest {
  readonly fetch: Fetch;
  readonly input: Parameters<Fetch>[0];
  readonly init: RequestInit;
  readonly headers: Record<string, string>;
  readonly isOperation: boolean;
}

const addressOf = (input: Parameters<Fetch>[0]): string =>
  input instanceof Request ? input.url : input.toString();

/** Wraps a request. */
function aroundFetch(change: (outgoing: OutgoingRequest) => Promise<Response>): Plant {
  return {
    fetch: (fetch) => async (input, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers).entries());
      const isOperation = /\/(answer|finish)$/.test(addressOf(input));
      return change({ fetch, input, init: init ?? {}, headers, isOperation });
    },
  };
}

const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

/** Treats a reply that is not a receipt as one. */
function trusts(isGood: (status: number, text: string) => boolean): Plant {
  return aroundFetch(async ({ fetch, input, init, headers, isOperation }) => {
    const response = await fetch(input, init);
    if (!isOperation) return response;
    const text = await response.clone().text();
    const isReceipt = text.includes('"seal"');
    return !isReceipt && isGood(response.status, text) ? json(forged(headers)) : response;
  });
}

export const trustsAny200 = trusts((status) => status === 200);
export const trustsHtml = trusts((status, text) => status === 200 && text.startsWith('<!doctype'));
export const trustsEmpty = trusts((status, text) => status === 200 && text === '');
export const trustsAnyJson = trusts((status, text) => status === 200 && text.startsWith('{'));

/** Accepts any receipt: the last one seen if this call has none. */
export function ignoresReceiptsName(): Plant {
  let last: Receipt | null = null;
  return aroundFetch(async ({ fetch, input, init, headers, isOperation }) => {
    const response = await fetch(input, init);
    if (!isOperation) return response;
    const text = await response.clone().text();
    if (response.status === 200 && text.includes('"seal"')) {
      last = JSON.parse(text) as Receipt;
      return response;
    }
    const { operationId, stream } = forged(headers);
    return last ? json({ ...last, operationId, stream }) : response;
  });
}

export function freshKeyEachTry(): Plant {
  const random = createRandom(1, 'fresh keys');
  return aroundFetch(async ({ fetch, input, init, headers, isOperation }) => {
    if (!isOperation) return fetch(input, init);
    const key = headers[HEADER.idempotencyKey] ?? '';
    const fresh = random.uuid();
    const sent = { ...init, headers: { ...headers, [HEADER.idempotencyKey]: fresh } };
    const response = await fetch(input, sent);
    const text = (await response.clone().text()).replaceAll(fresh, key);
    return new Response(text, { status: response.status, headers: response.headers });
  });
}

export function sameKeyOtherBody(): Plant {
  const tries = new Map<string, number>();
  return aroundFetch(async ({ fetch, input, init, headers, isOperation }) => {
    const key = headers[HEADER.idempotencyKey] ?? '';
    const count = tries.get(key) ?? 0;
    tries.set(key, count + 1);
    const { body } = init;
    const isText = isOperation && count > 0 && typeof body === 'string' && body.includes('"text"');
    if (!isText) return fetch(input, init);
    const answer = JSON.parse(body) as { text: string };
    return fetch(input, { ...init, body: JSON.stringify({ ...answer, text: `${answer.text}!` }) });
  });
}

function without(...names: readonly string[]): Plant {
  return aroundFetch(({ fetch, input, init, headers }) => {
    const remaining = Object.entries(headers).filter(([name]) => !names.includes(name));
    return fetch(input, { ...init, headers: Object.fromEntries(remaining) });
  });
}

export const resendsWithoutReceipts = without(HEADER.receipt);
export const namesNothingGivenUp = without(HEADER.folded, HEADER.setAside, HEADER.filesSetAside);
export const hidesSetAside = without(HEADER.setAside, HEADER.filesSetAside);

export const trustsDeviceClock = aroundFetch(async ({ fetch, input, init }) => {
  const response = await fetch(input, init);
  const headers = new Headers(response.headers);
  headers.delete(HEADER.serverTime);
  return new Response(await response.text(), { status: response.status, headers });
});

/** Never updates the first known server time. */
export function keepsFirstOffset(): Plant {
  let isKnown = false;
  return aroundFetch(async ({ fetch, input, init }) => {
    const response = await fetch(input, init);
    const headers = new Headers(response.headers);
    if (isKnown) headers.delete(HEADER.serverTime);
    isKnown ||= headers.has(HEADER.serverTime);
    return new Response(await response.text(), { status: response.status, headers });
  });
}

/** Trusts a receipt from before a restore. */
export function trustsReplyBeforeRestore(): Plant {
  let newest = 0;
  return aroundFetch(async ({ fetch, input, init }) => {
    const response = await fetch(input, init);
    const headers = new Headers(response.headers);
    newest = Math.max(newest, Number(headers.get(HEADER.serverEpoch) ?? 0));
    if (headers.has(HEADER.serverEpoch)) headers.set(HEADER.serverEpoch, String(newest));
    return new Response(await response.text(), { status: response.status, headers });
  });
}

/** Sends the finish first and declares everything before it lost. */
export const finishOvertakes: Plant = {
  outbox: (outbox, { storage, transport, device }) => ({
    ...outbox,
    finish: async (attemptId, reason) => {
      const stored = await outbox.finish(attemptId, reason);
      const row = await storage.read(['operations'], (tx) =>
        tx.get('operations', stored.operationId),
      );
      const token = device.session?.signedIn.token;
      if (!row || token === undefined) return stored;
      await transport.finish(token, attemptId, {
        [HEADER.idempotencyKey]: row.operationId,
        [HEADER.stream]: row.stream,
        [HEADER.epoch]: String(row.epoch),
        [HEADER.sequence]: String(row.sequence),
        [HEADER.finishReason]: 'student',
        [HEADER.setAside]: row.sequence > 1 ? `1-${row.sequence - 1}` : '',
      });
      return stored;
    },
  }),
};

/** Sends the finish at once without its sequence, so that it waits for nothing. */
export const finishWithoutPlace: Plant = {
  outbox: (outbox, { storage, transport, device }) => ({
    ...outbox,
    finish: async (attemptId, reason) => {
      const stored = await outbox.finish(attemptId, reason);
      const row = await storage.read(['operations'], (tx) =>
        tx.get('operations', stored.operationId),
      );
      const token = device.session?.signedIn.token;
      if (!row || token === undefined) return stored;
      await transport.finish(token, attemptId, {
        [HEADER.idempotencyKey]: row.operationId,
        [HEADER.stream]: row.stream,
        [HEADER.finishReason]: 'student',
      });
      return stored;
    },
  }),
};

const HOUR_MS = 3_600_000;

/** A wait requested by a stranger is not bounded. */
function withWholeWait<T>(sent: CallResult<T>): CallResult<T> {
  if (sent.ok || sent.failure.kind !== 'notOurs' || sent.failure.retryAfterMs === undefined) {
    return sent;
  }
  const { kind, method, url } = sent.failure;
  const status = sent.failure.status ?? 503;
  const failure = new ApiFailure({ kind, method, url, status, retryAfterMs: HOUR_MS });
  return { ok: false, failure };
}

export const obeysStrangers: Plant = {
  transport: ({ transport }): Transport => ({
    ...transport,
    answer: async (...call) => withWholeWait(await transport.answer(...call)),
    uploadChunk: async (...call) => withWholeWait(await transport.uploadChunk(...call)),
  }),
};
