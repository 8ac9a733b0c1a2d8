import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { parse } from 'yaml';
import { inProject } from '#scripts/lib/project.mjs';
import { readEnvironment, VARIABLES } from '#server/environment.ts';

const read = (...path: string[]) => readFileSync(inProject(...path), 'utf8');

const Health = v.object({ test: v.tupleWithRest([v.literal('CMD')], v.string()) });
const Service = v.object({
  image: v.string(),
  build: v.optional(v.object({ context: v.string(), dockerfile: v.string() })),
  restart: v.literal('unless-stopped'),
  environment: v.record(v.string(), v.string()),
  ports: v.optional(v.array(v.string()), []),
  volumes: v.array(v.string()),
  depends_on: v.optional(
    v.record(v.string(), v.object({ condition: v.literal('service_healthy') })),
  ),
  healthcheck: v.optional(v.unknown()),
  container_name: v.optional(v.string()),
  command: v.optional(v.array(v.string())),
  stop_grace_period: v.optional(v.string()),
  read_only: v.optional(v.boolean()),
});
const Compose = v.object({
  services: v.object({ app: Service, database: Service, proxy: Service }),
  volumes: v.record(v.string(), v.null()),
});

const compose = v.parse(Compose, parse(read('deploy', 'compose.yaml')));
const { app, database, proxy } = compose.services;
const dockerfile = read('deploy', 'Dockerfile');

/** Lines `NAME=value` of a file of variables. */
const variablesOf = (text: string) =>
  new Map(
    [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
/** Substitutes `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as Compose does. */
const filledIn = (text: string, values: ReadonlyMap<string, string>) =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind, usual: string) => {
    const value = values.get(name) ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new Error(usual);
    return usual ?? '';
  });

const example = variablesOf(read('deploy', '.env.example'));
const requiredBy = (service: v.InferOutput<typeof Service>) =>
  Object.values(service.environment).flatMap((text) =>
    [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
  );
const MUST = ['SITE_ADDRESS', 'POSTGRES_PASSWORD', 'POSTGRES_SERVER_PASSWORD'];
const PASSWORDS = [
  ['POSTGRES_PASSWORD', 'a1b2c3'],
  ['POSTGRES_SERVER_PASSWORD', 'd4e5f6'],
] as const;

test('the compose file passes only variables that the server knows, and the server starts with them', () => {
  for (const name of Object.keys(app.environment)) expect(VARIABLES).toContain(name);
  const given = new Map([...example, ...PASSWORDS]);
  const environment = Object.fromEntries(
    Object.entries(app.environment).map(([name, text]) => [name, filledIn(text, given)]),
  );
  expect(readEnvironment(environment)).toMatchObject({
    DATABASE_URL: 'postgres://exam_room_server:d4e5f6@database:5432/exam_room',
    MIGRATIONS_DATABASE_URL: 'postgres://exam_room:a1b2c3@database:5432/exam_room',
    PUBLIC_URL: 'https://tests.school.ru',
    TRUST_PROXY: ['uniquelocal'],
    AUDIT_DAYS: 1_095,
    LOG_LEVEL: 'info',
  });
  expect(filledIn(database.environment['POSTGRES_PASSWORD'] ?? '', given)).toBe('a1b2c3');
});

/** Set by the image, or not for a container behind a proxy. */
const NOT_PASSED = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'BACKUP_DIR',
  'TLS_CERT',
  'TLS_KEY',
  'ALLOW_FSYNC_OFF',
];

test('the compose file passes every variable that the README offers', () => {
  const rows = read('README.md').matchAll(/^\| ((?:`[A-Z][A-Z0-9_]*`(?:, )?)+) \|.*$/gm);
  const offered = [...rows]
    .flatMap(([row]) => [...row.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name = '']) => name))
    .filter((name) => VARIABLES.includes(name));
  expect(offered).toContain('PUBLIC_URL');
  const passed = Object.keys(app.environment);
  expect(offered.filter((name) => !passed.includes(name) && !NOT_PASSED.includes(name))).toEqual(
    [],
  );
});

test('the help for operators explains each variable once', () => {
  const heads = [...read('docs', 'help', 'operator.md').matchAll(/^- `([A-Z][A-Z0-9_]*)` —/gm)].map(
    ([, name]) => name,
  );
  expect(heads).toEqual([...new Set(heads)]);
});

test('the example of variables lists exactly those that the compose file uses', () => {
  const names = new Set([app, database, proxy].flatMap(requiredBy));
  expect([...example.keys()].sort()).toEqual([...names].sort());
});

test.each(MUST)('without %s nothing starts, and the message names it', (name) => {
  const texts = [app, database, proxy].flatMap((service) => Object.values(service.environment));
  const given = new Map([...example, ...PASSWORDS, [name, ''] as const]);
  expect(() => texts.map((text) => filledIn(text, given))).toThrow(name);
});

test('only the proxy is open to the network; each service waits for a healthy one before it', () => {
  expect([app.ports, database.ports]).toEqual([[], []]);
  expect(proxy.ports).toEqual(['80:80', '443:443', '443:443/udp']);
  expect(Object.keys(app.depends_on ?? {})).toEqual(['database']);
  expect(Object.keys(proxy.depends_on ?? {})).toEqual(['app']);
  for (const service of [database, proxy])
    v.parse(v.looseObject(Health.entries), service.healthcheck);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
});

test('several containers of the app stand behind the proxy, within the connections of the database', () => {
  expect([app.container_name, app.ports]).toEqual([undefined, []]);
  // The name is resolved to the address of every container, again and again.
  expect(read('deploy', 'Caddyfile')).toMatch(/name app\s+port 3000\s+refresh \ds\s+\}/);
  const most = Number(database.command?.join(' ').match(/max_connections=(\d+)$/)?.[1]);
  expect(most).toBeGreaterThan(4 * 65);
});

test('persistent data are in volumes, and the rest of the app is read-only', () => {
  const volumeLines = [app, database, proxy].flatMap(({ volumes }) => volumes);
  const named = volumeLines.flatMap((line) => (line.startsWith('.') ? [] : [line.split(':')[0]]));
  expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
  expect(app.volumes.map((line) => line.split(':')[1])).toEqual(['/data', '/backups']);
  expect(app.read_only).toBe(true);
  expect(Number.parseInt(app.stop_grace_period ?? '', 10)).toBeGreaterThan(10);
  // The image of PostgreSQL 18 moved its folder: data in the old one would be lost.
  expect(database.image).toMatch(/^postgres:18/);
  expect(database.volumes).toEqual(['database:/var/lib/postgresql']);
});

test('the image runs as an ordinary account and without development tools', () => {
  const [final = ''] = dockerfile.split(/^FROM /m).slice(-1);
  expect(dockerfile.match(/^FROM node:22-bookworm-slim/gm)).toHaveLength(3);
  expect(final).toMatch(/^USER node$/m);
  expect(final).toMatch(/^COPY --from=packages .*node_modules/m);
  expect(dockerfile).toMatch(/AS packages[\s\S]*npm ci --omit=dev/);
  expect(final).toMatch(/^CMD \["node", "dist\/server\/main.js"\]$/m);
  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toContain('**');
  for (const line of ignored.filter((each) => each.startsWith('!') && !each.includes('*')))
    expect(existsSync(inProject(line.slice(1))), line).toBe(true);
  const env = variablesOf(final.replaceAll(/^(?:ENV)?\s+([A-Z_]+=\S*)(?: \\)?$/gm, '$1'));
  const own = [...env.keys()].filter((name) => !name.startsWith('NODE_'));
  expect(own.sort()).toEqual(['BACKUP_DIR', 'DATA_DIR', 'HOST', 'LOG_LEVEL', 'PORT']);
  for (const name of own) expect(VARIABLES).toContain(name);
});

test('the image leaves the demo out', () => {
  expect(dockerfile).toContain('rm -r dist/server/demo dist/server/demo-*');
});

test('the proxy leads pages to HTTPS and refuses calls in the clear', () => {
  const caddy = read('deploy', 'Caddyfile');
  const clear = caddy.slice(caddy.indexOf('http://{$SITE_ADDRESS} {'));
  expect(clear).toMatch(/handle \/api\/\* \{\s+respond "[^"]+" 403\s+\}/);
  expect(clear).toMatch(/handle \{\s+redir https:\/\/\{host\}\{uri\} permanent\s+\}/);
  expect(clear).not.toContain('reverse_proxy');
});

test('the proxy passes everything to the app and does not buffer events', () => {
  const caddy = read('deploy', 'Caddyfile').replaceAll(/#.*$/gm, '');
  expect(caddy).toMatch(/\{\$SITE_ADDRESS\} \{/);
  expect(caddy).toMatch(/reverse_proxy \{\s+dynamic a \{\s+name app\s+port 3000\s/);
  // The app compresses, and an encoder of the proxy would buffer events.
  expect(caddy).not.toMatch(/\b(encode|flush_interval|header)\b/);
  const proxySeconds = Number(/keepalive (\d+)s/.exec(caddy)?.[1]);
  const appSeconds = Number(/keepAliveTimeout: (\d+)_000/.exec(read('server', 'app.ts'))?.[1]);
  expect(proxySeconds).toBeLessThan(appSeconds);
  expect((caddy.match(/\{/g) ?? []).length).toBe((caddy.match(/\}/g) ?? []).length);
});

const unit = (name: string) => read('deploy', name);
test.each(['exam-room.service', 'exam-room-backup.service'])(
  '%s is an ordinary, restricted account',
  (name) => {
    const text = unit(name);
    for (const line of [
      'User=exam-room',
      'StateDirectory=exam-room',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'EnvironmentFile=-/etc/exam-room/exam-room.env',
      'LimitNOFILE=65536',
    ])
      expect(text.split('\n')).toContain(line);
    const given = text
      .split('\n')
      .filter((line) => line.startsWith('Environment='))
      .flatMap((line) => line.slice('Environment='.length).split(' '))
      .map((pair) => pair.split('=')[0] ?? '')
      .filter((variable) => !variable.startsWith('NODE_'));
    for (const variable of given) expect(VARIABLES).toContain(variable);
    const program = /^ExecStart=\/usr\/bin\/node \/opt\/exam-room\/dist\/server\/(\w+)\.js/m.exec(
      text,
    )?.[1];
    expect(read('vite.server.config.ts')).toContain(`${program}: 'server/`);
  },
);

test('the service is stopped gracefully, has time for it, and restarts after a failure', () => {
  const text = unit('exam-room.service');
  expect(text).toMatch(/^KillSignal=SIGTERM$/m);
  expect(text).toMatch(/^KillMode=mixed$/m);
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(text)?.[1])).toBeGreaterThan(10);
  expect(text).toMatch(/^Restart=on-failure$/m);
  expect(text).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  expect(unit('exam-room-backup.timer')).toMatch(/^Persistent=yes$/m);
});

test('alerts use metrics that the server has', () => {
  const Rules = v.object({
    groups: v.array(
      v.object({
        name: v.string(),
        rules: v.array(
          v.object({
            alert: v.pipe(v.string(), v.regex(/^[A-Z]\w+$/)),
            expr: v.string(),
            for: v.optional(v.string()),
            labels: v.object({ severity: v.picklist(['critical', 'warning', 'info']) }),
            annotations: v.object({ summary: v.string(), description: v.optional(v.string()) }),
          }),
        ),
      }),
    ),
  });
  const { groups } = v.parse(Rules, parse(read('deploy', 'alerts.yaml')));
  const sources = ['calls', 'database', 'storage'].map((name) =>
    read('server', 'metrics', `${name}.ts`),
  );
  const ours = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/'([a-z]+(?:_[a-z]+)+)',\s*(?:help|')/g)].map(([, name]) => name),
    ),
  );
  const known = (name: string) =>
    ours.has(name.replace(/_(bucket|count|sum)$/, '')) ||
    /^(nodejs|process)_/.test(name) ||
    name === 'up';
  const exprs = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  expect(exprs.length).toBeGreaterThan(8);
  for (const expr of exprs) {
    const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)|ignoring \([^)]*\)/g, ' ');
    const names = [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)].map(([name]) => name);
    const metrics = names.filter((name) => !['or', 'and', 'unless', 'by'].includes(name));
    expect(metrics.length, expr).toBeGreaterThan(0);
    for (const name of metrics) expect(known(name), `${name} in ${expr}`).toBe(true);
  }
});

/** Exit code of the container's health check against a server on this machine. */
async function healthOf(port: number): Promise<number> {
  const check = inProject('deploy', 'healthcheck.mjs');
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port) };
  return promisify(execFile)(process.execPath, [check], { env }).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
}

test('the health check distinguishes a ready server, one without its database, and none', async () => {
  let status = 200;
  const paths: (string | undefined)[] = [];
  const server = createServer((request, reply) => {
    paths.push(request.url);
    reply.writeHead(status).end();
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as AddressInfo;
  expect(await healthOf(port)).toBe(0);
  status = 503;
  expect(await healthOf(port)).toBe(1);
  await new Promise((closed) => server.close(closed));
  expect(await healthOf(port)).toBe(1);
  expect(paths).toEqual(['/readyz', '/readyz']);
});
