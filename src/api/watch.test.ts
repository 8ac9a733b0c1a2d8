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

/** A server whose stream is written by the test, and timers that ring when told. */
function world(reply?: () => Response) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
  });
  const rings: { run: () => void; ms: number; isOff: boolean }[] = [];
  const asked: RequestInit[] = [];
  const facts: ReplyFacts[] = [];
  const failures: ApiFailure[] = [];
  const watch = createWatcher({
    baseUrl: 'https://school.test',
    appVersion: '1',
    token: () => 'token',
    onReply: (given) => facts.push(given),
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
      asked.push(init ?? {});
      init?.signal?.addEventListener('abort', () => controller?.error(new Error('aborted')));
      return (
        reply?.() ??
        new Response(body, {
          headers: { 'content-type': 'text/event-stream', 'x-server-time': '2026-03-02T06:00:00Z' },
        })
      );
    },
  });
  const heard: (number | 'alive')[] = [];
  const abort = new AbortController();
  const watching = watch(
    ticks,
    {},
    {
      onEvent: ({ n }) => heard.push(n),
      onAlive: () => heard.push('alive'),
      signal: abort.signal,
    },
  );
  watching.catch(() => undefined);
  return {
    watching,
    heard,
    abort,
    asked,
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

test('events arrive parsed, with the bearer sent and the server’s time noted; the end resolves', async () => {
  const { watching, write, end, heard, asked, facts } = world();
  write('data: {"n":1}\n\n');
  write(': ok\n\ndata: {"n":');
  await expect.poll(() => heard).toEqual([1, 'alive']);
  write('2}\n\n');
  end();
  await watching;
  expect(heard).toEqual([1, 'alive', 2]);
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer token' });
  expect(facts[0]?.serverTime).toBe(Date.parse('2026-03-02T06:00:00Z'));
});

test('no first event in five seconds is a failure, comments or not', async () => {
  const { watching, write, ring, heard } = world();
  write(': ok\n\n');
  await expect.poll(() => ring()?.ms).toBe(5_000);
  ring()?.run();
  expect(await failureOf(watching)).toMatchObject({ kind: 'unreachable', timedOut: true });
  expect(heard).toEqual([]);
});

test('after the first event, forty silent seconds are a failure; a heartbeat is no silence', async () => {
  const { watching, write, ring, heard } = world();
  write('data: {"n":1}\n\n');
  await expect.poll(() => ring()?.ms).toBe(40_000);
  const before = ring();
  write(': ok\n\n');
  await expect.poll(() => heard.at(-1)).toBe('alive');
  expect(before?.isOff).toBe(true);
  ring()?.run();
  expect(await failureOf(watching)).toMatchObject({ kind: 'unreachable', timedOut: true });
});

test('a caller that leaves gets no failure', async () => {
  const { watching, abort, failures } = world();
  abort.abort();
  await watching;
  expect(failures).toEqual([]);
});

test('a refusal is told with its code, to the session too', async () => {
  const refusal = JSON.stringify({ code: 'UNAUTHORIZED', message: 'Войдите', requestId: '1' });
  const { watching, failures } = world(() => new Response(refusal, { status: 401 }));
  expect(await failureOf(watching)).toMatchObject({ kind: 'refused', status: 401 });
  expect(failures).toHaveLength(1);
});

test.each([
  ['a portal’s page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['a gateway’s error', new Response('Bad gateway', { status: 502 })],
])('%s is not our server', async (_, response) => {
  expect(await failureOf(world(() => response).watching)).toMatchObject({ kind: 'notOurs' });
});

test('an event of another shape is told as malformed, not shown', async () => {
  const { watching, write, heard } = world();
  write('data: {"n":"one"}\n\n');
  expect(await failureOf(watching)).toMatchObject({ kind: 'malformed' });
  expect(heard).toEqual([]);
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

test('a route with a body is asked with it; a listener that leaves hangs up', async () => {
  const asked: RequestInit[] = [];
  const watch = createWatcher({
    baseUrl: '',
    appVersion: '1',
    fetch: async (_url, init) => {
      asked.push(init ?? {});
      return new Response('data: {"n":7}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  });
  const heard: number[] = [];
  await watch(
    counting,
    { body: { from: 7 } },
    { onEvent: ({ n }) => heard.push(n), signal: new AbortController().signal },
  );
  expect(heard).toEqual([7]);
  expect(asked[0]).toMatchObject({
    method: 'POST',
    body: '{"from":7}',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json; charset=utf-8' },
  });
  expect(asked[0]?.signal?.aborted).toBe(true);
});
