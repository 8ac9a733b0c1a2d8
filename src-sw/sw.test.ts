import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { paintedCache } from '#app/offline/painted-page.ts';
import { SYNC_TAG } from '#app/offline/messages.ts';
import { attempt, operation } from '#app/outbox/test-rows.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import type { Storage } from '#app/storage/storage.ts';
import { picturesCache } from '#app/offline/pictures-cache.ts';
import { ASSETS_CACHE } from './caches.ts';
import { contentCache } from '#app/offline/content-cache.ts';
import { fakeCaches } from './fake-caches.ts';
import { ANNA, asking, portal, SCHOOL, served, signIn } from './fake-sign-in.ts';

/** The whole worker, driven by events, over a fake network and device. */

/** An event that lets the worker live until `lived` resolves. */
class FakeExtendableEvent extends Event {
  readonly #work: Promise<unknown>[] = [];
  waitUntil(work: Promise<unknown>): void {
    this.#work.push(work);
  }
  get lived(): Promise<unknown> {
    return Promise.all(this.#work);
  }
}

class FakeFetchEvent extends FakeExtendableEvent {
  readonly request: Request;
  /** Undefined: the worker does not respond, and the browser fetches. */
  answer: Promise<Response> | undefined;
  constructor(request: Request) {
    super('fetch');
    this.request = request;
  }
  respondWith(answer: Promise<Response>): void {
    this.answer = answer;
  }
}

/** Node resolves no relative URLs, unlike a worker. */
const BrowserRequest = class extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, SCHOOL) : input, init);
  }
};

interface Page {
  /** False: an older worker controls it. */
  readonly isControlled: boolean;
}

const network = vi.fn<(request: Request) => Promise<Response>>();
let device: ReturnType<typeof fakeCaches>;
let pages: Page[];
let openChannels: number;
let didSkip: boolean;

/** Starts the worker of a build with these files beside the device's storage. */
async function startWorker(files: readonly string[] = ['/index.html']) {
  const listeners: { type: string; listener: (event: Event) => unknown }[] = [];
  const scope = {
    addEventListener: (type: string, listener: (event: Event) => unknown) =>
      void listeners.push({ type, listener }),
    __WB_MANIFEST: files.map((url) => ({ url, revision: '1' })),
    indexedDB: new IDBFactory(),
    caches: device.caches,
    location: new URL('/sw.js', SCHOOL),
    registration: { scope: `${SCHOOL}/` },
    clients: {
      claim: async () => undefined,
      matchAll: async (wanted: { type?: string; includeUncontrolled?: boolean }) =>
        pages.filter(({ isControlled }) => isControlled || wanted.includeUncontrolled),
    },
    skipWaiting: async () => void (didSkip = true),
  };
  vi.stubGlobal('self', scope);
  vi.stubGlobal('location', scope.location);
  vi.stubGlobal('registration', scope.registration);
  vi.resetModules();
  const { openStorage } = await import('#app/storage/open.ts');
  const storage = await openStorage(scope.indexedDB);
  await import('./sw.ts');

  function dispatch(event: Event): void {
    for (const { type, listener } of listeners) if (type === event.type) void listener(event);
  }
  async function wake(event: FakeExtendableEvent): Promise<void> {
    dispatch(event);
    await event.lived;
  }
  /** The worker’s response to a page’s request; null: none, and the browser fetches. */
  async function request(path: string | Request): Promise<Response | null> {
    const event = new FakeFetchEvent(typeof path === 'string' ? asking(path) : path);
    dispatch(event);
    const response = await event.answer;
    await event.lived;
    return response ?? null;
  }
  return {
    storage,
    request,
    install: () => wake(new FakeExtendableEvent('install')),
    activate: () => wake(new FakeExtendableEvent('activate')),
    sync: (tag: string) => wake(Object.assign(new FakeExtendableEvent('sync'), { tag })),
    message: async (data: unknown, ...ports: { postMessage: (reply: unknown) => void }[]) =>
      wake(Object.assign(new FakeExtendableEvent('message'), { data, ports })),
  };
}

const shell = await readFile(new URL('../index.html', import.meta.url), 'utf8');
const typed = (body: string, type: string) =>
  new Response(body, { headers: { 'content-type': type } });

/** The server’s files: any script, and the shell. */
async function files(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('.js')) return typed(`script ${pathname}`, 'text/javascript');
  return pathname === '/index.html' ? typed(shell, 'text/html') : new Response('', { status: 404 });
}

beforeEach(() => {
  device = fakeCaches();
  pages = [{ isControlled: true }];
  openChannels = 0;
  didSkip = false;
  // As in production: Workbox neither logs nor checks event types.
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubGlobal('caches', device.caches);
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    network(new BrowserRequest(input, init)),
  );
  vi.stubGlobal('Request', BrowserRequest);
  vi.stubGlobal('FetchEvent', FakeFetchEvent);
  network.mockImplementation(files);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetModules();
  network.mockReset();
});

/** A navigation request to this address. */
function opening(path: string): Request {
  const request = asking(path, null);
  Object.defineProperty(request, 'mode', { value: 'navigate' });
  return request;
}

describe('the shell', () => {
  test('is available offline once it is installed', async () => {
    const { install, request } = await startWorker(['/index.html', '/assets/index-1.js']);
    await install();
    network.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await (await request(opening('/')))?.text()).toBe(shell);
    expect(await (await request('/assets/index-1.js'))?.text()).toContain('script');
  });

  test.each([
    ['the app’s page', '/index.html'],
    ['a script', '/assets/index-1.js'],
  ])('is not installed when a captive portal replies in place of %s', async (_, path) => {
    const { install } = await startWorker(['/index.html', '/assets/index-1.js']);
    network.mockImplementation(async (request) =>
      new URL(request.url).pathname === path ? portal() : files(request),
    );
    await expect(install()).rejects.toThrow();
  });

  test('opens at every path except the server’s', async () => {
    const { install, request } = await startWorker();
    await install();
    const opens = async (path: string) => (await (await request(opening(path)))?.text()) === shell;
    const servers = [
      '/api/user/me',
      '/healthz',
      '/readyz',
      '/metrics',
      '/sw.js',
      '/assets/old-1.js',
    ];
    for (const path of servers) expect(await opens(path), path).toBe(false);
    expect(await opens('/tests/my')).toBe(true);
    for (const path of servers.slice(1)) expect(await opens(`/help${path}`), path).toBe(true);
    for (const path of servers.slice(1, 5)) expect(await opens(`${path}/more`), path).toBe(true);
    expect(await opens('/help/api/keys')).toBe(true);
  });

  test('opens alone when the page painted for it is damaged', async () => {
    const { install, request, storage } = await startWorker();
    await install();
    await signIn(storage);
    const testId = '0197f0a0-0000-7000-8000-00000000000e';
    const painted = await device.caches.open(paintedCache(ANNA));
    await painted.put(`/tests/${testId}`, new Response('{"body":"<h1'));
    const response = await request(opening(`/tests/${testId}`));
    expect(await response?.text()).toBe(shell);
  });

  test('a build without a manifest, as in development, has no shell, and the rest works', async () => {
    const { install, request } = await startWorker([]);
    await install();
    expect(await request(opening('/'))).toBeNull();
    expect(await (await request('/assets/other-1.js'))?.text()).toContain('script');
  });
});

describe('a request', () => {
  test('for a file of another build is answered from the cache', async () => {
    const { request } = await startWorker();
    await request('/assets/other-1.js');
    network.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await (await request('/assets/other-1.js'))?.text()).toContain('script');
    expect(await device.paths(ASSETS_CACHE)).toEqual(['/assets/other-1.js']);
  });

  test('for a list or a picture of the signed-in user is cached before the worker may stop', async () => {
    const { request, storage } = await startWorker();
    await signIn(storage);
    network.mockImplementation(async () => served({ item1: 'AAAA' }));
    expect(await (await request('/api/Test/my'))?.json()).toEqual({ item1: 'AAAA' });
    expect(await device.paths(contentCache(ANNA))).toEqual(['/api/Test/my']);
    expect(await (await request('/api/Files/file?path=p1'))?.json()).toEqual({ item1: 'AAAA' });
    expect(await device.paths(picturesCache(ANNA))).toEqual(['/api/Files/file']);
  });

  test('for anything else goes to the network', async () => {
    const { request } = await startWorker();
    for (const path of [
      '/api/user/me',
      '/api/TestPassing/a1/answers',
      '/favicon.ico',
      '/help/assets/',
      'https://elsewhere.test/assets/other-1.js',
      'https://elsewhere.test/api/Test/my',
      'https://elsewhere.test/api/Files/file?path=p1',
    ]) {
      expect(await request(path), path).toBeNull();
    }
  });

  test('to a server of another origin is cached, and one to the page’s own origin is not', async () => {
    vi.stubEnv('VITE_API_BASE_URL', 'https://api.school.test');
    const { request, storage } = await startWorker();
    await signIn(storage);
    network.mockImplementation(async () => served({}));
    await request('https://api.school.test/api/Test/my');
    expect(await device.paths(contentCache(ANNA))).toEqual(['/api/Test/my']);
    await request('https://api.school.test/api/Files/file?path=p1');
    expect(await device.paths(picturesCache(ANNA))).toEqual(['/api/Files/file']);
    expect(await request('/api/Test/my')).toBeNull();
    expect(await request('/api/Files/file?path=p1')).toBeNull();
  });
});

test('an activated worker deletes the caches that no rule uses, and nothing else', async () => {
  const { activate } = await startWorker([]);
  const inUse = [contentCache(ANNA), picturesCache(ANNA), ASSETS_CACHE, 'somebody-else'];
  for (const name of [...inUse, `content-0:${ANNA}`, 'assets-0']) await device.caches.open(name);
  await activate();
  expect(await device.caches.keys()).toEqual(inUse);
});

describe('a message', () => {
  test('of a sign-out deletes the caches of that user without a reply', async () => {
    const { message } = await startWorker();
    await device.caches.open(contentCache(ANNA));
    await device.caches.open(picturesCache('boris'));
    await message({ type: 'forgetOwner', owner: ANNA });
    expect(await device.caches.keys()).toEqual([picturesCache('boris')]);
    await message({ type: 'keepOnly', owner: ANNA });
    expect(await device.caches.keys()).toEqual([]);
  });

  test('of an accepted update activates the worker and replies', async () => {
    const { message } = await startWorker();
    const replies: unknown[] = [];
    await message({ type: 'applyUpdate' }, { postMessage: (reply) => replies.push(reply) });
    expect(replies).toEqual([{ type: 'updateVerdict', verdict: 'applied' }]);
    expect(didSkip).toBe(true);
  });

  test('of an accepted update is refused beside a page controlled by an older worker', async () => {
    const { message } = await startWorker();
    pages = [{ isControlled: true }, { isControlled: false }];
    const replies: unknown[] = [];
    await message({ type: 'applyUpdate' }, { postMessage: (reply) => replies.push(reply) });
    expect(replies).toEqual([{ type: 'updateVerdict', verdict: 'otherTabs' }]);
    expect(didSkip).toBe(false);
  });
});

describe('a background sync event', () => {
  beforeEach(() => {
    vi.stubGlobal('navigator', {
      onLine: true,
      locks: {
        request: (_name: string, _options: object, run: (lock: object) => unknown) => run({}),
      },
    });
    vi.stubGlobal(
      'BroadcastChannel',
      class extends EventTarget {
        constructor() {
          super();
          openChannels += 1;
        }
        postMessage = () => undefined;
        close = () => void (openChannels -= 1);
      },
    );
  });

  /** Anna's waiting answer. */
  async function waiting(storage: Storage): Promise<OperationRow> {
    await signIn(storage);
    const row = operation({ owner: ANNA });
    await storage.write(['operations', 'attempts'], async (tx) => {
      const { attemptId, stream, epoch } = row;
      const streams = [{ stream, epoch, nextSequence: 2, notHere: [], filesNotHere: [] }];
      const running = { owner: ANNA, deadline: 9e12, countsUntil: 9e12 };
      const held = attempt({ ...running, attemptId, stream, streams, state: 'running' });
      await tx.put('attempts', held);
      await tx.put('operations', row);
    });
    return row;
  }

  const answersSent = () =>
    network.mock.calls.filter(([request]) => request.url.endsWith('/answer')).length;

  test('sends waiting operations and resolves when the server has them', async () => {
    const { sync, storage } = await startWorker();
    const { operationId, stream, epoch, sequence } = await waiting(storage);
    network.mockImplementation(async (request) =>
      request.method === 'GET'
        ? new Response('', { status: 404 })
        : served({
            operationId,
            stream,
            epoch,
            sequence,
            outcome: 'stored',
            receivedLate: false,
            writtenAt: null,
            receivedAt: '2026-05-22T07:42:00.000Z',
            seal: 's',
          }),
    );
    await sync(SYNC_TAG);
    const row = await storage.read(['operations'], (tx) => tx.get('operations', operationId));
    expect(row?.state).toBe('acknowledged');
    expect(openChannels).toBe(0);
  });

  test('rejects while something waits, so that the browser retries', async () => {
    const { sync, storage } = await startWorker();
    await waiting(storage);
    network.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(sync(SYNC_TAG)).rejects.toThrow('Answers still wait');
    expect(openChannels).toBe(0);
  });

  test('does not request a retry when only a sign-in helps', async () => {
    const { sync, storage } = await startWorker();
    await waiting(storage);
    const refusal = { code: 'UNAUTHORIZED', message: 'Войдите', requestId: 'r1' };
    network.mockImplementation(async () => served(refusal, 401));
    await sync(SYNC_TAG);
    expect(answersSent()).toBe(1);
  });

  test('does nothing when nothing waits, or for an unknown tag', async () => {
    const { sync, storage } = await startWorker();
    await sync(SYNC_TAG);
    await signIn(storage);
    await sync(SYNC_TAG);
    await waiting(storage);
    await sync('something-newer');
    expect(network).not.toHaveBeenCalled();
  });
});
