import { X509Certificate } from 'node:crypto';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { get as getPlain } from 'node:http';
import { get, type RequestOptions } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '#contract/auth.ts';
import { health } from '#contract/health.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { readEnvironment } from '#server/environment.ts';
import { lanAddresses, lanNames } from '#server/lan/addresses.ts';
import { lanCertificates } from '#server/lan/certificates.ts';
import { type Running, runServer } from '#server/run.ts';
import { createTestDatabase } from '#tests/database.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exam-room-tls-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

interface Got {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const fetchOver = (send: typeof get | typeof getPlain, url: string, options: RequestOptions = {}) =>
  new Promise<Got>((resolve, reject) => {
    send(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text }),
      );
    }).on('error', reject);
  });

const peer = (port: number, ca: string) =>
  new Promise<DetailedPeerCertificate>((resolve, reject) => {
    const socket: TLSSocket = connect(
      { port, host: '127.0.0.1', ca, servername: 'localhost' },
      () => {
        resolve(socket.getPeerCertificate(true));
        socket.end();
      },
    );
    socket.on('error', reject);
  });

const portOf = ({ app }: Running) => (app.server.address() as { port: number }).port;

async function run(given: Record<string, string>, lines: string[] = []): Promise<Running> {
  const environment = readEnvironment({
    DATABASE_URL: database.url,
    ALLOW_FSYNC_OFF: '1',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    ...given,
  });
  return runServer(environment, (line) => lines.push(line));
}

describe('the local authority', () => {
  const names = ['localhost', '127.0.0.1', '192.168.1.7'];
  const at = (name: string) => join(folder, name);

  test('is fit for phones: it may sign and nothing else; the server certificate has names and a short life', async () => {
    const { ca, server } = await lanCertificates(at('a'), names, new Date());
    const authority = new X509Certificate(ca.cert);
    const leaf = new X509Certificate(server.cert);
    expect(authority.ca).toBe(true);
    expect(authority.checkIssued(authority)).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(leaf.verify(authority.publicKey)).toBe(true);
    for (const name of names) expect(leaf.checkHost(name) ?? leaf.checkIP(name), name).toBe(name);
    expect(leaf.keyUsage).toContain('1.3.6.1.5.5.7.3.1');
    const days = (Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / 86_400_000;
    expect(days).toBeLessThan(825);
    expect((await stat(join(at('a'), 'ca.key'))).mode & 0o077).toBe(0);
    expect((await stat(join(at('a'), 'server.key'))).mode & 0o077).toBe(0);
  });

  test('stays the same from start to start, with the same server certificate', async () => {
    const first = await lanCertificates(at('b'), names, new Date());
    const second = await lanCertificates(at('b'), names, new Date());
    expect(second).toEqual(first);
  });

  test('signs a new server certificate for a new address, and before the old one ends', async () => {
    const first = await lanCertificates(at('c'), names, new Date());
    const moved = await lanCertificates(at('c'), [...names, '10.0.0.5'], new Date());
    expect(moved.ca).toEqual(first.ca);
    expect(new X509Certificate(moved.server.cert).checkIP('10.0.0.5')).toBe('10.0.0.5');
    const inAYear = new Date(Date.now() + 380 * 86_400_000);
    const renewed = await lanCertificates(at('c'), names, inAYear);
    expect(renewed.server.cert).not.toBe(moved.server.cert);
  });
});

test('addresses of a network come before those of virtual machines', () => {
  const address = (ip: string, internal = false) =>
    ({ address: ip, family: 'IPv4', internal, netmask: '', mac: '', cidr: null }) as const;
  const found = lanAddresses({
    lo: [address('127.0.0.1', true)],
    docker0: [address('172.17.0.1')],
    eth9: [address('169.254.3.4')],
    wlan0: [address('192.168.1.7')],
  });
  expect(found.map(({ address: ip }) => ip)).toEqual(['192.168.1.7', '172.17.0.1']);
  expect(lanNames(found, 'Класс-12')).toEqual([
    'localhost',
    '127.0.0.1',
    '192.168.1.7',
    '172.17.0.1',
  ]);
  expect(lanNames(found, 'Teacher.local')).toContain('teacher.local');
});

describe('TLS_CERT and TLS_KEY', () => {
  test('serve HTTPS, and a renewed certificate is loaded without a restart', async () => {
    const made = join(folder, 'own');
    const { ca } = await lanCertificates(made, ['localhost', '127.0.0.1'], new Date());
    const [cert, key] = [join(made, 'server.crt'), join(made, 'server.key')];
    const running = await run({ PORT: '0', TLS_CERT: cert, TLS_KEY: key });
    try {
      const port = portOf(running);
      expect(running.url).toBe(`https://localhost:${port}`);
      const answered = await fetchOver(get, `https://localhost:${port}${health.path}`, {
        ca: ca.cert,
      });
      expect(answered.status).toBe(200);
      expect(answered.headers['strict-transport-security']).toBeDefined();
      const before = (await peer(port, ca.cert)).fingerprint256;

      await lanCertificates(made, ['localhost', '127.0.0.1', '10.1.1.1'], new Date());
      await running.reload();
      const after = (await peer(port, ca.cert)).fingerprint256;
      expect(after).not.toBe(before);

      await copyFile(join(made, 'ca.key'), key);
      await running.reload();
      expect((await peer(port, ca.cert)).fingerprint256).toBe(after);
    } finally {
      await running.stop();
    }
  });

  test('that do not match are reported before anything starts', async () => {
    const made = join(folder, 'wrong');
    await lanCertificates(made, ['localhost'], new Date());
    const trouble = run({
      PORT: '0',
      TLS_CERT: join(made, 'server.crt'),
      TLS_KEY: join(made, 'ca.key'),
    });
    await expect(trouble).rejects.toThrow(OperatorError);
    await expect(run({ PORT: '0', TLS_CERT: '/none.crt', TLS_KEY: '/none.key' })).rejects.toThrow(
      'TLS_CERT',
    );
  });
});

describe('a start', () => {
  test('prints where it listens, where the data are, and creates the first administrator once', async () => {
    const own = await createTestDatabase();
    const lines: string[] = [];
    const first = await run({ PORT: '0', DATABASE_URL: own.url }, lines);
    const port = portOf(first);
    const shownPassword = /пароль (\S+) — запишите/.exec(lines.join('\n'))?.[1];
    const answered = await fetch(`http://127.0.0.1:${port}${login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@school.local', password: shownPassword }),
    });
    expect((await answered.json()).user).toMatchObject({ role: 1, isAdmin: true });
    expect(lines.join('\n')).toContain(`http://localhost:${port}`);
    expect(lines.join('\n')).toContain(join(folder, 'data'));
    await first.stop();
    await first.stop();

    const again: string[] = [];
    const second = await run({ PORT: '0', DATABASE_URL: own.url }, again);
    expect(again.join('\n')).not.toContain('пароль');
    await second.stop();
    await own.drop();
  });

  test('on a port in use is reported, and leaves nothing open', async () => {
    const first = await run({ PORT: '0' });
    const port = portOf(first);
    await expect(run({ PORT: `${port}` })).rejects.toThrow(`Порт ${port} занят`);
    await first.stop();
    const free = await run({ PORT: `${port}` });
    await free.stop();
  });

  test("at an address that is not this machine's is reported", async () => {
    await expect(run({ PORT: '0', HOST: '203.0.113.7' })).rejects.toThrow('нет адреса');
  });

  test('that stops lets a call in progress finish', async () => {
    const running = await run({ PORT: '0' });
    const port = portOf(running);
    const slow = fetch(`http://127.0.0.1:${port}${login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@school.test', password: 'Nope1234' }),
    });
    await expect
      .poll(() => new Promise((done) => running.app.server.getConnections((_, n) => done(n))))
      .toBe(1);
    await running.stop();
    expect((await slow).status).toBe(401);
  });
});

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const listener = createServer();
    listener.once('error', () => resolve(false));
    listener.listen(port, '0.0.0.0', () => listener.close(() => resolve(true)));
  });

/** The page with the certificate is on the next port. Above 32767 the system gives ports to connections. */
async function freePair(): Promise<string> {
  let port = 20_000 + (process.pid % 2_000) * 4;
  while (!(await isFree(port)) || !(await isFree(port + 1))) port += 2;
  return String(port);
}

describe('a start for a network', () => {
  test('serves HTTPS from the authority, offers its certificate, and blocks public passwords', async () => {
    const own = await createTestDatabase();
    const lines: string[] = [];
    const running = await run(
      {
        PORT: await freePair(),
        LAN: '1',
        DEMO: '1',
        DATABASE_URL: own.url,
        DATA_DIR: join(folder, 'lan'),
      },
      lines,
    );
    try {
      const port = portOf(running);
      const said = lines.join('\n');
      const page = await fetchOver(getPlain, `http://127.0.0.1:${port + 1}/`);
      for (const words of ['Android', 'iPhone', 'Windows', '/ca.crt', `https://127.0.0.1:${port}/`])
        expect(page.text).toContain(words);
      const given = await fetchOver(getPlain, `http://127.0.0.1:${port + 1}/ca.crt`);
      expect(given.headers['content-type']).toBe('application/x-x509-ca-cert');
      expect(given.text).not.toContain('PRIVATE');
      expect((await fetchOver(getPlain, `http://127.0.0.1:${port + 1}/ca.key`)).status).toBe(404);

      const alive = await fetchOver(get, `https://127.0.0.1:${port}${health.path}`, {
        ca: given.text,
      });
      expect(alive.status).toBe(200);
      expect(alive.headers['strict-transport-security']).toBeUndefined();
      const password = /пароль у всех (\S+):/.exec(said)?.[1] ?? '';
      expect(password).not.toBe('Demo2026');
      const statuses = await Promise.all(
        ['Demo2026', password].map(async (word) => {
          const { statusCode } = await running.app.inject({
            method: 'POST',
            url: login.path,
            payload: { email: 'admin@demo.ru', password: word },
          });
          return statusCode;
        }),
      );
      expect(statuses).toEqual([401, 200]);
    } finally {
      await running.stop();
      await own.drop();
    }
  });

  test('with public passwords prints a warning', async () => {
    const own = await createTestDatabase();
    const lines: string[] = [];
    const running = await run(
      {
        PORT: await freePair(),
        LAN: '1',
        DEMO: '1',
        DEMO_PASSWORDS: 'public',
        DATABASE_URL: own.url,
        DATA_DIR: join(folder, 'lan-public'),
      },
      lines,
    );
    expect(lines.join('\n')).toContain('ВНИМАНИЕ');
    expect(lines.join('\n')).toContain('общеизвестны');
    await running.stop();
    await own.drop();
  });
});
