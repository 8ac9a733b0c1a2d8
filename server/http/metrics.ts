import cluster from 'node:cluster';
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { Deps } from '#server/deps.ts';
import { isLoopback } from '#server/environment.ts';
import { measureCalls } from '#server/metrics/calls.ts';
import { measureDatabase } from '#server/metrics/database.ts';
import { joinMetrics } from '#server/metrics/of-all-workers.ts';
import { measureStorage } from '#server/metrics/storage.ts';
import { countCspReports } from './csp-reports.ts';
import { Refusal } from './refusal.ts';

let ofProcess: Registry | undefined;

/** Metrics of the process: registered once, for any number of apps. */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Headers by which proxies mark forwarded requests. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Whether the request names this listener, not a proxy's own address. */
function namesListener({ host, socket }: FastifyRequest): boolean {
  const [, name = '', port = '80'] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  const isOwnPort = socket.localPort === undefined || Number(port) === socket.localPort;
  return isLoopback(name.replace(/^\[(.*)\]$/, '$1')) && isOwnPort;
}

/**
 * Whether a call comes directly from this machine. A proxy on it calls from the same address, so any hint at one
 * refuses the call: a configured proxy, its headers, HTTP/1.0 (nginx's default towards the server), another host name.
 * The address is the socket's own: a header can claim any.
 */
function isDirectLocal(request: FastifyRequest, { settings }: Deps): boolean {
  if (settings.trustProxy !== false || settings.publicUrl !== null) return false;
  if (request.raw.httpVersion !== '1.1' || !namesListener(request)) return false;
  if (PROXY_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

function mayRead(request: FastifyRequest, deps: Deps): boolean {
  const { metricsToken } = deps.settings;
  if (metricsToken === null) return isDirectLocal(request, deps);
  const bearerToken = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearerToken !== undefined && timingSafeEqual(digest(bearerToken), digest(metricsToken));
}

/** `GET /metrics` in Prometheus' text format, of all processes: with the token, or without one for this machine. */
export function registerMetrics(app: FastifyInstance, deps: Deps): void {
  const registry = new Registry();
  measureCalls(app, registry);
  countCspReports(app, registry);
  measureDatabase(deps, registry);
  measureStorage(deps, registry);
  const registries = [processMetrics(), registry];
  const readMetrics = cluster.isWorker
    ? joinMetrics(registries)
    : () => Registry.merge(registries).metrics();
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, deps)) throw new Refusal('FORBIDDEN');
    const text = await readMetrics();
    if (text === null) throw new Refusal('UNAVAILABLE');
    reply.header('content-type', registry.contentType);
    return text;
  });
}
