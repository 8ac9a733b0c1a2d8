import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';
import { isFileOf, isOurJson, isOurPage } from './acceptable.ts';
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

function run(parts: Partial<NetworkFirst> & { kept?: Response }) {
  const saved: Response[] = [];
  const reply = networkFirst({
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    match: () => Promise.resolve(parts.kept),
    keep: (response) => void saved.push(response),
    isAcceptable: isOurJson,
    patience: never,
    ...parts,
  });
  return { reply, saved };
}

test('the server’s reply is given and kept', async () => {
  const { reply, saved } = run({ fetch: () => Promise.resolve(json({ from: 'server' })) });
  expect(await (await reply).json()).toEqual({ from: 'server' });
  expect(saved).toHaveLength(1);
});

test('without a network the kept reply is given, marked with the time it came', async () => {
  const reply = await run({ kept: json({ from: 'device' }) }).reply;
  expect(await reply.json()).toEqual({ from: 'device' });
  expect(reply.headers.get(SAVED_AT_HEADER)).toBe('2026-05-22T07:42:00.000Z');
});

test('a kept reply sets neither the clock nor the server epoch', async () => {
  const reply = await run({ kept: json({}) }).reply;
  expect(reply.headers.has(HEADER.serverTime)).toBe(false);
  expect(reply.headers.has(HEADER.serverEpoch)).toBe(false);
  expect(reply.headers.has(HEADER.sessionExpiresAt)).toBe(false);
});

test('a silent server gives way to the kept reply when patience ends', async () => {
  const reply = await run({
    fetch: never,
    kept: json({ from: 'device' }),
    patience: () => Promise.resolve(),
  }).reply;
  expect(await reply.json()).toEqual({ from: 'device' });
});

test('a slow server is waited for when nothing is kept', async () => {
  let arrive: (response: Response) => void = () => undefined;
  const late = new Promise<Response>((resolve) => {
    arrive = resolve;
  });
  const { reply } = run({ fetch: () => late, patience: () => Promise.resolve() });
  arrive(json({ from: 'server' }));
  expect(await (await reply).json()).toEqual({ from: 'server' });
});

test('a portal’s page is never kept, and the kept reply stands in for it', async () => {
  const { reply, saved } = run({
    fetch: () => Promise.resolve(portal()),
    kept: json({ from: 'device' }),
  });
  expect(await (await reply).json()).toEqual({ from: 'device' });
  expect(saved).toEqual([]);
});

test('a portal’s page with nothing kept is handed on for the page to judge', async () => {
  const { reply, saved } = run({ fetch: () => Promise.resolve(portal()) });
  expect((await reply).headers.get('content-type')).toBe('text/html');
  expect(saved).toEqual([]);
});

test.each([400, 401, 404, 410, 499])(
  'the verdict %d is handed on in spite of a kept reply',
  async (status) => {
    const { reply, saved } = run({
      fetch: () => Promise.resolve(json({}, { status, headers })),
      kept: json({ from: 'device' }),
    });
    expect((await reply).status).toBe(status);
    expect(saved).toEqual([]);
  },
);

test.each([408, 500, 503])(
  'a server failing with %d gives way to the kept reply',
  async (status) => {
    const reply = await run({
      fetch: () => Promise.resolve(json({}, { status, headers })),
      kept: json({ from: 'device' }),
    }).reply;
    expect(await reply.json()).toEqual({ from: 'device' });
  },
);

test('no network and nothing kept is the network’s own failure', async () => {
  await expect(run({}).reply).rejects.toThrow('Failed to fetch');
});

test('JSON without our request id is somebody else’s', () => {
  expect(isOurJson(json({}, { headers: { 'content-type': 'application/json' } }))).toBe(false);
});

test('a page in place of a script is not the script', () => {
  expect(isFileOf('/assets/index-1.js', portal())).toBe(false);
  const script = new Response('', { headers: { 'content-type': 'text/javascript' } });
  expect(isFileOf('/assets/index-1.js', script)).toBe(true);
});

test('a page in place of the app’s own page is not it', async () => {
  expect(isFileOf('/index.html', portal())).toBe(true);
  expect(await isOurPage(portal())).toBe(false);
  const own = await readFile(new URL('../index.html', import.meta.url), 'utf8');
  expect(await isOurPage(new Response(own))).toBe(true);
});
