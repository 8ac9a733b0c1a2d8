import * as v from 'valibot';
import { expect, test } from 'vitest';
import { route } from '#contract/route.ts';
import type { ReplyFacts } from './facts.ts';
import type { ApiFailure } from './failure.ts';
import { createWatcher } from './watch.ts';

const ticks = route({
  name: 'ticks',
  summary: 'Counts',
  method: 'GET',
  path: '/api/ticks',
  access: 'signedIn',
  ownership: 'none',
  reply: v.object({ n: v.number() }),
  streams: true,
  errors: [],
});

/** A server with a stream that the test writes, and fake timers. */
function world(reply?: () => Response) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (value) => {
      controller = value;
    },
  });
  const rings: { run: () => void; ms: number; isOff: boolean }[] = [];
  const requests: RequestInit[] = [];
  const facts: ReplyFacts[] = [];
  const failures: ApiFailure[] = [];
  const watch = createWatcher({
    baseUrl: 'https://school.test',
    appVersion: '1',
    token: () => 'token',
    onReply: (value) => facts.push(value),
    onFailure: (failure) => failures.push(failure),
    timers: {
      set: (run, ms) => {
        const ring = { run, ms, isOff: false };
        rings.push(ring);
        return ring;
      },
      clear: (ring) => {
        if (ring) (ring as (typeof rings)[number]).isOff = true;
      },
    },
    fetch: async (_url, init) => {
      requests.push(init ?? {});
      init?.signal?.addEventListener('abort', () => controller?.error(new Error('aborted')));
      return (
        reply?.() ??
        new Response(body, {
          headers: { 'content-type': 'text/event-stream', 'x-server-time': '2026-03-02T06:00:00Z' },
        })
      );
    },
  });
  const received: (number | 'alive')[] = [];
  const abort = new AbortController();
  const watching = watch(
    ticks,
    {},
    {
      onEvent: ({ n }) => received.push(n),
      onAlive: () => received.push('alive'),
      signal: abort.signal,
    },
  );
  watching.catch(() => undefined);
  return {
    watching,
    received,
    abort,
    requests,
    facts,
    failures,
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
    ring: () => rings.findLast(({ isOff }) => !isOff),
  };
}

const failureOf = (watching: Promise<void>) =>
  watching.then(
    () => null,
    (error: unknown) => error as ApiFailure,
  );

test('events arrive parsed, with the bearer sent and the server’s time observed; the end resolves', async () => {
  const { watching, write, end, received, requests, facts } = world();
  write('data: {"n":1}\n\n');
  write(': ok\n\ndata: {"n":');
  await expect.poll(() => received).toEqual([1, 'alive']);
  write('2}\n\n');
  end();
  await watching;
  expect(received).toEqual([1, 'alive', 2]);
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer token' });
  expect(facts[0]?.serverTime).toBe(Date.parse('2026-03-02T06:00:00Z'));
});

test('no first event in five seconds is a failure, comments or not', async () => {
  const { watching, write, ring, received } = world();
  write(': ok\n\n');
  await expect.poll(() => ring()?.ms).toBe(5_000);
  ring()?.run();
  expect(await failureOf(watching)).toMatchObject({ kind: 'unreachable', timedOut: true });
  expect(received).toEqual([]);
});

test('after the first event, fifteen silent seconds are a failure; a heartbeat resets the timer', async () => {
  const { watching, write, ring, received } = world();
  write('data: {"n":1}\n\n');
  await expect.poll(() => ring()?.ms).toBe(15_000);
  const before = ring();
  write(': ok\n\n');
  await expect.poll(() => received.at(-1)).toBe('alive');
  expect(before?.isOff).toBe(true);
  ring()?.run();
  expect(await failureOf(watching)).toMatchObject({ kind: 'unreachable', timedOut: true });
});

test('a stream with an endless event is cut off', async () => {
  const { watching, write, received } = world();
  write('data: {"n":1}\n\n');
  for (let sent = 0; sent < 9; sent += 1) write(`data: ${'x'.repeat(1024 * 1024)}`);
  expect(await failureOf(watching)).toMatchObject({ kind: 'malformed' });
  expect(received).toEqual([1]);
});

test('an aborted caller gets no failure', async () => {
  const { watching, abort, failures } = world();
  abort.abort();
  await watching;
  expect(failures).toEqual([]);
});

test('a refusal is reported with its code, to failure listeners too', async () => {
  const refusal = JSON.stringify({ code: 'UNAUTHORIZED', message: 'Войдите', requestId: '1' });
  const { watching, failures } = world(() => new Response(refusal, { status: 401 }));
  expect(await failureOf(watching)).toMatchObject({ kind: 'refused', status: 401 });
  expect(failures).toHaveLength(1);
});

test.each([
  ['a captive portal’s page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['a gateway’s error', new Response('Bad gateway', { status: 502 })],
])('%s is not our server’s reply', async (_, response) => {
  expect(await failureOf(world(() => response).watching)).toMatchObject({ kind: 'notOurs' });
});

test('an event of another shape fails as malformed and is not delivered', async () => {
  const { watching, write, received } = world();
  write('data: {"n":"one"}\n\n');
  expect(await failureOf(watching)).toMatchObject({ kind: 'malformed' });
  expect(received).toEqual([]);
});

const counting = route({
  name: 'counting',
  summary: 'Counts from a number',
  method: 'POST',
  path: '/api/counting',
  access: 'signedIn',
  ownership: 'none',
  body: v.object({ from: v.number() }),
  reply: v.object({ n: v.number() }),
  streams: true,
  errors: [],
});

test('a route with a body sends it; an abort closes the connection', async () => {
  const requests: RequestInit[] = [];
  const watch = createWatcher({
    baseUrl: '',
    appVersion: '1',
    fetch: async (_url, init) => {
      requests.push(init ?? {});
      return new Response('data: {"n":7}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  });
  const received: number[] = [];
  await watch(
    counting,
    { body: { from: 7 } },
    { onEvent: ({ n }) => received.push(n), signal: new AbortController().signal },
  );
  expect(received).toEqual([7]);
  expect(requests[0]).toMatchObject({
    method: 'POST',
    body: '{"from":7}',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json; charset=utf-8' },
  });
  expect(requests[0]?.signal?.aborted).toBe(true);
});
