import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { saveAnswer } from '#contract/passing.ts';
import type { Deps } from '#server/deps.ts';
import { fastifyPath } from './handle.ts';
import { Refusal } from './refusal.ts';

let ofProcess: Registry | undefined;

/** Measures of the process: once, however many apps it has. */
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

/** This machine, and not a proxy on it that speaks for somebody else. */
function isLocal(request: FastifyRequest, deps: Deps): boolean {
  const isForwarded =
    request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
  if (isForwarded && deps.settings.trustProxy === false) return false;
  const address = request.ip.replace(/^::ffff:/, '');
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

function mayRead(request: FastifyRequest, deps: Deps): boolean {
  const { metricsToken } = deps.settings;
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (metricsToken !== null && given !== undefined)
    return timingSafeEqual(digest(given), digest(metricsToken));
  return isLocal(request, deps);
}

/** `GET /metrics` in Prometheus' text form, for this machine or with the token. */
export function registerMetrics(app: FastifyInstance, deps: Deps): void {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receipt to reply, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const answers = new Counter({
    name: 'answers_received_total',
    help: 'Receipts for answers, repeats included, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  registry.registerMetric(
    new Gauge({
      name: 'database_connections',
      help: 'Connections of the pool, and calls that wait for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        this.set({ state: 'total' }, deps.pool.totalCount);
        this.set({ state: 'idle' }, deps.pool.idleCount);
        this.set({ state: 'waiting' }, deps.pool.waitingCount);
      },
    }),
  );
  const answerUrl = fastifyPath(saveAnswer.path);

  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.streams === true) return;
    const route = request.routeOptions.url ?? 'unknown';
    const status = `${reply.statusCode}`;
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (request.routeOptions.url === answerUrl && request.method === 'POST') {
      const outcome = (payload as { outcome?: unknown } | null)?.outcome;
      if (typeof outcome === 'string') answers.inc({ outcome });
    }
    return payload;
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, deps)) throw new Refusal('FORBIDDEN');
    reply.header('content-type', registry.contentType);
    return Registry.merge([processMetrics(), registry]).metrics();
  });
}
