import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { currentUser, login } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { readiness } from '#contract/health.ts';
import { CALLS_PER_MINUTE } from '#contract/limits.ts';
import { saveAnswer } from '#contract/passing.ts';
import { WIRE_VERSION } from '#contract/version.ts';
import { buildApp } from '#server/app.ts';
import { makeScene } from '#tests/calls.ts';
import { errorOf, RIGHT } from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';

/** Sends raw bytes, which no HTTP client would, and returns the reply until the end. */
const exchangeBytes = (port: number, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (reply += chunk.toString()));
    socket.on('close', () => resolve(reply));
    socket.on('error', reject);
  });

let server: TestServer;
let clientDir: string;

beforeAll(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'exam-room-client-'));
  await mkdir(join(clientDir, 'assets'));
  await mkdir(join(clientDir, 'icons'));
  await writeFile(join(clientDir, 'index.html'), '<!doctype html><title>Учебная платформа</title>');
  await writeFile(join(clientDir, 'sw.js'), '// worker');
  await writeFile(join(clientDir, 'manifest.webmanifest'), '{}');
  await writeFile(join(clientDir, 'icons', 'icon-192.png'), 'png');
  await writeFile(
    join(clientDir, 'assets', 'app-1a2b3c4d.js'),
    'export const text = "о";'.repeat(300),
  );
  server = await testServer({ settings: { clientDir, metricsToken: 'a-long-metrics-token' } });
});
afterAll(async () => {
  await server.close();
  await rm(clientDir, { recursive: true });
});

describe('every reply', () => {
  test.each([
    '/',
    '/tests/my',
    '/assets/app-1a2b3c4d.js',
    '/api/user/me',
    '/api/nothing',
    '/healthz',
    '/api/%zz',
    '/api/docs',
  ])('%s carries the headers that guard a page', async (url) => {
    const { headers } = await server.raw({ url });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*'unsafe/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain('report-uri /api/csp-reports');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['permissions-policy']).toContain('camera=(self)');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('is not readable from other origins', async () => {
    const response = await server.raw({
      method: 'OPTIONS',
      url: '/api/user/me',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(
      Object.keys(response.headers).filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
  });

  test('of a call has server time, epoch and request id, and is never stored', async () => {
    for (const url of [
      '/healthz',
      '/api/user/me',
      '/api/nothing',
      '/api/%zz',
      '/api/openapi.json',
    ]) {
      const { headers } = await server.raw({ url });
      expect(headers[HEADER.serverTime], url).toBe(server.clock.now.toISOString());
      expect(headers[HEADER.serverEpoch], url).toBe('1');
      expect(headers[HEADER.requestId], url).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['cache-control'], url).toBe('no-store');
    }
  });

  test('requires TLS of browsers only where people reach the server over it', async () => {
    const app = await buildApp({
      ...server.deps,
      settings: { ...server.deps.settings, secure: true },
    });
    const reply = await app.inject('/healthz');
    expect(reply.headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
    await app.close();
  });
});

describe('the app', () => {
  const page = { accept: 'text/html' };

  test('is served for the URL of any screen', async () => {
    for (const url of [
      '/',
      '/tests/my',
      '/tests/0190/results/0191',
      '/nowhere',
      '/tests/%E0%A4%A',
      '/%zz?from=mail',
      '/login?redirect_path=%2F',
    ]) {
      const reply = await server.raw({ url, headers: page });
      expect([reply.status, reply.text], url).toEqual([200, expect.stringContaining('<title>')]);
      expect(reply.headers['cache-control'], url).toBe('no-cache');
    }
  });

  test('caches its hashed files for ever and revalidates the rest', async () => {
    const cache = async (url: string) => (await server.raw({ url })).headers['cache-control'];
    expect(await cache('/assets/app-1a2b3c4d.js')).toBe('public, max-age=31536000, immutable');
    expect(await cache('/sw.js')).toBe('no-cache');
    expect(await cache('/manifest.webmanifest')).toBe('no-cache');
    expect(await cache('/index.html')).toBe('no-cache');
  });

  test('is never served where an invalid URL names a call or a file', async () => {
    for (const url of ['/api/%zz', '/assets/%zz.js', '/icons/%E0%A4%A'])
      expect((await server.raw({ url, headers: page })).status, url).toBe(400);
  });

  test('is never served for a missing file', async () => {
    for (const url of [
      '/assets/app-old.js',
      '/assets/',
      '/icons/none.png',
      '/sw.js.map',
      '/favicon.ico',
    ]) {
      const reply = await server.raw({ url, headers: page });
      expect([reply.status, reply.text], url).toEqual([404, 'Не найдено\n']);
      expect(reply.headers['content-type'], url).toContain('text/plain');
      expect(reply.headers['cache-control'], url).toBe('no-store');
    }
  });

  test.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/.env',
  ])('gives nothing beside its folder out: %s', async (url) => {
    const reply = await server.raw({ url });
    expect(reply.text).not.toContain('exam-room');
    expect(reply.text).not.toContain('devDependencies');
  });

  test('waits for a reply once, however many compressed variants of a file are looked for', async () => {
    const warned = vi.fn<(warning: Error) => void>();
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    for (const url of ['/', '/sw.js', '/assets/app-1a2b3c4d.js', '/assets/none.js', '/tests/my'])
      for (const encodings of ['gzip, deflate, br, zstd', 'br', 'identity'])
        await server.raw({ url, headers: { 'accept-encoding': encodings } });
    // A warning comes in the next tick.
    await setImmediate();
    expect(warned.mock.calls.map(([{ message }]) => message)).toEqual([]);
  });

  test('is compressed', async () => {
    const reply = await server.raw({
      url: '/assets/app-1a2b3c4d.js',
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(reply.headers['content-encoding']).toBe('br');
    expect(reply.headers['vary']).toContain('accept-encoding');
  });
});

describe('an app of another version', () => {
  test.each([`${WIRE_VERSION}`, `${WIRE_VERSION + 5}`, undefined])(
    '%s is accepted',
    async (version) => {
      const user = await server.user();
      const headers = version === undefined ? {} : { [HEADER.appVersion]: version };
      expect((await server.send(currentUser, {}, { as: user, headers })).status).toBe(200);
    },
  );

  test.each(['0', '-1', 'x', '1.5', '', '99999999999'])(
    '«%s» is refused as too old',
    async (version) => {
      const user = await server.user();
      const headers = { [HEADER.appVersion]: version };
      const answered = await server.send(currentUser, {}, { as: user, headers });
      expect([answered.status, errorOf(answered).code]).toEqual([426, 'OLD_CLIENT']);
    },
  );
});

const CALLS_AT_ONCE = 100;

test('an account that calls without end is slowed down, others at the same address are not', async () => {
  const [loud, quiet] = [await server.user(), await server.user()];
  const call = (as: typeof loud) => server.send(currentUser, {}, { as });
  const statuses = new Set<number>();
  // All at once they would wait for the database longer than a call may on a busy machine.
  for (let made = 0; made < CALLS_PER_MINUTE; made += CALLS_AT_ONCE) {
    const some = Array.from({ length: CALLS_AT_ONCE }, () => call(loud));
    for (const { status } of await Promise.all(some)) statuses.add(status);
  }
  expect([...statuses]).toEqual([200]);
  const above = await call(loud);
  expect([above.status, errorOf(above).code]).toEqual([429, 'TOO_MANY_REQUESTS']);
  expect(Number(above.headers['retry-after'])).toBeGreaterThan(0);
  expect((await call(quiet)).status).toBe(200);
  server.clock.advance(60_000);
  expect((await call(loud)).status).toBe(200);
});

describe('the metrics', () => {
  const read = (headers: Record<string, string>, remoteAddress: string) =>
    server.raw({ url: '/metrics', headers, remoteAddress });

  test('are read only with the configured token', async () => {
    const authorization = 'Bearer a-long-metrics-token';
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.168.1.7']) {
      expect((await read({}, address)).status, address).toBe(403);
      expect((await read({ authorization: 'Bearer wrong' }, address)).status).toBe(403);
      expect((await read({ authorization: 'Basic YTpi' }, address)).status).toBe(403);
      expect((await read({ authorization }, address)).status, address).toBe(200);
    }
  });

  /** The same server without a token. */
  const withoutToken = (more: Partial<TestServer['deps']['settings']> = {}) =>
    buildApp({
      ...server.deps,
      settings: { ...server.deps.settings, metricsToken: null, ...more },
    });

  test('without a token are read on this machine, and nowhere else', async () => {
    const app = await withoutToken();
    const status = async (headers: Record<string, string>, remoteAddress: string) =>
      (await app.inject({ url: '/metrics', headers, remoteAddress })).statusCode;
    expect(await status({}, '127.0.0.1')).toBe(200);
    expect(await status({}, '::1')).toBe(200);
    expect(await status({}, '::ffff:127.0.0.1')).toBe(200);
    expect(await status({}, '192.168.1.7')).toBe(403);
    expect(await status({ 'x-forwarded-for': '8.8.8.8' }, '127.0.0.1')).toBe(403);
    for (const header of ['forwarded', 'via', 'x-real-ip', 'x-forwarded-host'])
      expect(await status({ [header]: 'for=8.8.8.8' }, '127.0.0.1'), header).toBe(403);
    expect(await status({ host: 'tests.school.ru' }, '127.0.0.1')).toBe(403);
    expect(await status({ authorization: 'Bearer a-long-metrics-token' }, '8.8.8.8')).toBe(403);
    await app.close();
  });

  test.each([
    { trustProxy: true },
    { trustProxy: ['loopback'] },
    { publicUrl: 'https://tests.school.ru' },
  ])('cannot be read without a token behind a proxy: %j', async (proxy) => {
    const app = await withoutToken(proxy);
    const status = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/metrics', headers, remoteAddress: '127.0.0.1' })).statusCode;
    expect(await status({})).toBe(403);
    expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    await app.close();
  });

  test('are closed to an unconfigured proxy of this machine', async () => {
    const app = await withoutToken();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as { port: number };
    const status = async (version: string, host: string) =>
      /^HTTP\/1\.1 (\d+)/.exec(
        await exchangeBytes(
          port,
          `GET /metrics HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        ),
      )?.[1];
    expect(await status('1.1', `localhost:${port}`)).toBe('200');
    // As nginx calls by default, and as a proxy that forwards the host.
    expect(await status('1.0', `127.0.0.1:${port}`)).toBe('403');
    expect(await status('1.1', 'localhost:8080')).toBe('403');
    await app.close();
  });

  test('count violations of the policy reported by browsers, by directive; an invalid report is refused', async () => {
    const report = (body: unknown) =>
      server.raw({
        method: 'POST',
        url: '/api/csp-reports',
        headers: { 'content-type': 'application/csp-report' },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const named = (directive: string) => ({ 'csp-report': { 'effective-directive': directive } });
    expect((await report(named('script-src-elem'))).status).toBe(204);
    expect((await report(named('x'.repeat(5_000)))).status).toBe(204);
    expect((await report('{')).status).toBe(400);
    expect((await report(named('y'.repeat(20_000)))).status).toBe(413);
    const { text } = await read({ authorization: 'Bearer a-long-metrics-token' }, '127.0.0.1');
    expect(text).toContain('csp_reports_total{directive="script-src-elem"} 1');
    expect(text).toContain('csp_reports_total{directive="other"} 1');
    expect(text).not.toContain('xxxx');
  });

  test('count answers by outcome and calls by route, not by URL', async () => {
    const scene = await makeScene(server);
    await server.send(
      saveAnswer,
      { params: { id: scene.attemptId }, body: RIGHT.open },
      { as: scene.student },
    );
    const { text } = await read({ authorization: 'Bearer a-long-metrics-token' }, '127.0.0.1');
    expect(text).toMatch(/answers_received_total\{outcome="stored"\} [1-9]/);
    expect(text).toContain('route="/api/TestPassing/:id/answer"');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).not.toContain(scene.attemptId);
  });
});

test('the log holds no token, no name, no e-mail and no answer', async () => {
  const scene = await makeScene(server);
  const body = { ...RIGHT.open, text: 'тайныйответ' };
  await server.send(saveAnswer, { params: { id: scene.attemptId }, body }, { as: scene.student });
  await server.send(login, { body: { email: scene.student.email, password: 'ТайныйПароль1' } });
  const log = JSON.stringify(server.logged);
  expect(log).toContain('/api/TestPassing/:id/answer');
  for (const secret of [
    scene.student.token,
    scene.student.email,
    scene.student.userName,
    'тайныйответ',
    'ТайныйПароль1',
  ])
    expect(log).not.toContain(secret);
});

describe('an unavailable database', () => {
  test('is 503 with Retry-After in the uniform error body, and reveals no internals', async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 500 });
    const app = await buildApp({ ...server.deps, pool });
    const user = await server.user();
    const headers = { authorization: `Bearer ${user.token}` };
    const reply = await app.inject({ url: '/api/user/me', headers });
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(reply.payload).not.toContain('ECONN');
    expect((await app.inject(readiness.path)).statusCode).toBe(503);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    await app.close();
    await pool.end();
  });

  test('without a free connection in time is 503 too', async () => {
    const pool = new pg.Pool({ ...server.pool.options, max: 1, connectionTimeoutMillis: 2_000 });
    const held = await pool.connect();
    const app = await buildApp({ ...server.deps, pool });
    const user = await server.user();
    const reply = await app.inject({
      url: '/api/user/me',
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'UNAVAILABLE']);
    held.release();
    await app.close();
    await pool.end();
  });

  test('with a session that an administrator ended is 503, and the next call works', async () => {
    const { pool } = server;
    const dying = pool.query('select pg_sleep(20)').catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const { rowCount } = await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(20)' and datname = current_database()`,
        );
        return rowCount;
      })
      .toBe(1);
    expect(await dying).toBeInstanceOf(Error);
    const user = await server.user();
    expect((await server.send(currentUser, {}, { as: user })).status).toBe(200);
  });
});

test.each([
  '/../../x',
  '/../../../../etc/passwd',
  '/assets/../../x',
  '/%2e%2e/%2e%2e/x',
  '/..\\..\\x',
])(
  'an address that climbs out of the folder is an unknown page, not a failure: %s',
  async (path) => {
    const app = await buildApp(server.deps);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as { port: number };
    const before = server.logged.length;
    const reply = await exchangeBytes(
      port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 404 /);
    expect(JSON.stringify(server.logged.slice(before))).not.toContain('stack');
    await app.close();
  },
);

test('bytes that are not HTTP get the uniform error body and a closed connection', async () => {
  const app = await buildApp(server.deps);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const say = (bytes: string) => exchangeBytes(port, bytes);
  const garbage = await say('\u0000\u0001\u0002 not http\r\n\r\n');
  expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
  expect(garbage).toContain('"code":"BAD_REQUEST"');
  expect(garbage).toMatch(/^x-content-type-options: nosniff\r$/m);
  expect(garbage).toMatch(/^content-security-policy: .*frame-ancestors 'none'/m);
  const endless = await say(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(60_000)}\r\n\r\n`);
  expect(endless).toMatch(/^HTTP\/1\.1 431 /);
  const smuggled = await say(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  expect(smuggled).toMatch(/^HTTP\/1\.1 400 /);
  await app.close();
});

test.each(['/tests/%00/overview', '/%00', '/tests/a%00b'])(
  'a URL with NUL, %s, is a page like any other and no error of the server',
  async (url) => {
    const answered = await server.raw({ url, headers: { accept: 'text/html' } });
    expect([answered.status, answered.text]).toEqual([
      200,
      '<!doctype html><title>Учебная платформа</title>',
    ]);
  },
);
