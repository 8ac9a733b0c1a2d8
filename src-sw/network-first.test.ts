import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';
import { isOurJson } from './acceptable.ts';
import { networkFirst, type NetworkFirst } from './network-first.ts';

const headers = {
  'content-type': 'application/json; charset=utf-8',
  [HEADER.requestId]: 'r1',
  [HEADER.serverTime]: '2026-05-22T07:42:00.000Z',
  [HEADER.serverEpoch]: '1',
  [HEADER.sessionExpiresAt]: '2026-05-25T07:42:00.000Z',
};
const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { headers, ...init });
const portal = () =>
  new Response('<html>Войдите в сеть</html>', { headers: { 'content-type': 'text/html' } });
const never = () => new Promise<never>(() => undefined);

function run(parts: Partial<NetworkFirst> & { cached?: Response }) {
  const saved: Response[] = [];
  const reply = networkFirst({
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    match: () => Promise.resolve(parts.cached),
    store: (response) => void saved.push(response),
    isAcceptable: isOurJson,
    timeout: never,
    ...parts,
  });
  return { reply, saved };
}

test('the server’s reply is returned and cached', async () => {
  const { reply, saved } = run({ fetch: () => Promise.resolve(json({ from: 'server' })) });
  expect(await (await reply).json()).toEqual({ from: 'server' });
  expect(saved).toHaveLength(1);
});

test('without a network the cached reply is returned, marked with its time', async () => {
  const reply = await run({ cached: json({ from: 'device' }) }).reply;
  expect(await reply.json()).toEqual({ from: 'device' });
  expect(reply.headers.get(SAVED_AT_HEADER)).toBe('2026-05-22T07:42:00.000Z');
});

test('a cached reply sets neither the clock nor the server epoch', async () => {
  const reply = await run({ cached: json({}) }).reply;
  expect(reply.headers.has(HEADER.serverTime)).toBe(false);
  expect(reply.headers.has(HEADER.serverEpoch)).toBe(false);
  expect(reply.headers.has(HEADER.sessionExpiresAt)).toBe(false);
});

test('the cached reply is returned when a silent server exceeds the time-out', async () => {
  const reply = await run({
    fetch: never,
    cached: json({ from: 'device' }),
    timeout: () => Promise.resolve(),
  }).reply;
  expect(await reply.json()).toEqual({ from: 'device' });
});

test('a slow server is awaited when nothing is cached', async () => {
  let arrive: (response: Response) => void = () => undefined;
  const late = new Promise<Response>((resolve) => {
    arrive = resolve;
  });
  const { reply } = run({ fetch: () => late, timeout: () => Promise.resolve() });
  arrive(json({ from: 'server' }));
  expect(await (await reply).json()).toEqual({ from: 'server' });
});

test('a captive portal’s page is never cached, and the cached reply replaces it', async () => {
  const { reply, saved } = run({
    fetch: () => Promise.resolve(portal()),
    cached: json({ from: 'device' }),
  });
  expect(await (await reply).json()).toEqual({ from: 'device' });
  expect(saved).toEqual([]);
});

test('a captive portal’s page with nothing cached is passed on to the page', async () => {
  const { reply, saved } = run({ fetch: () => Promise.resolve(portal()) });
  expect((await reply).headers.get('content-type')).toBe('text/html');
  expect(saved).toEqual([]);
});

test.each([400, 401, 404, 410, 499])(
  'the status %d is passed on in spite of a cached reply',
  async (status) => {
    const { reply, saved } = run({
      fetch: () => Promise.resolve(json({}, { status, headers })),
      cached: json({ from: 'device' }),
    });
    expect((await reply).status).toBe(status);
    expect(saved).toEqual([]);
  },
);

test.each([408, 500, 503])('the cached reply replaces a server failure %d', async (status) => {
  const reply = await run({
    fetch: () => Promise.resolve(json({}, { status, headers })),
    cached: json({ from: 'device' }),
  }).reply;
  expect(await reply.json()).toEqual({ from: 'device' });
});

test('no network and nothing cached rejects with the network’s error', async () => {
  await expect(run({}).reply).rejects.toThrow('Failed to fetch');
});
