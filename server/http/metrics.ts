import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { Deps } from '#server/deps.ts';
import { measureCalls } from '#server/metrics/calls.ts';
import { measureDatabase } from '#server/metrics/database.ts';
import { measureStorage } from '#server/metrics/storage.ts';
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
  measureCalls(app, registry);
  measureDatabase(deps, registry);
  measureStorage(deps, registry);
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, deps)) throw new Refusal('FORBIDDEN');
    reply.header('content-type', registry.contentType);
    return Registry.merge([processMetrics(), registry]).metrics();
  });
}
