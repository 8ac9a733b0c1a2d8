import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { login } from '#contract/auth.ts';
import { finishAttempt, saveAnswer, uploadChunk } from '#contract/passing.ts';
import type { Route } from '#contract/route.ts';
import { fastifyPath } from '#server/http/handle.ts';

const nameOf = (method: string, url: string | undefined) => `${method} ${url}`;
const ofRoute = ({ method, path }: Route) => nameOf(method, fastifyPath(path));
const ofRequest = (request: FastifyRequest) => nameOf(request.method, request.routeOptions.url);

const ANSWER = ofRoute(saveAnswer);
const LOGIN = ofRoute(login);
/** The calls that send operations of an attempt. */
const KINDS = new Map([
  [ANSWER, 'answer'],
  [ofRoute(finishAttempt), 'finish'],
  [ofRoute(uploadChunk), 'upload'],
]);

/** Seconds: at once, a lesson without network, an evening, a week in a bag. */
const DELAYS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];

interface CallLabels {
  outcome?: unknown;
  writtenAt?: unknown;
  receivedAt?: unknown;
}

/** Metrics of calls: duration, delay of answers, refusals. Labels hold no ids. */
export function measureCalls(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receipt to reply, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const answers = new Counter({
    name: 'answers_received_total',
    help: 'Receipts for answers, repeats included, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const delays = new Histogram({
    name: 'answer_delivery_delay_seconds',
    help: 'Time from writing on a device to the first receipt by the server, where the device knows it',
    buckets: DELAYS,
    registers,
  });
  const refusals = new Counter({
    name: 'operations_refused_total',
    help: 'Answers, finishes and parts of files that were refused, by code',
    labelNames: ['kind', 'code'],
    registers,
  });
  const signIns = new Counter({
    name: 'sign_in_failures_total',
    help: 'Sign-ins that were refused, by code',
    labelNames: ['code'],
    registers,
  });

  app.addHook('onResponse', async (request, reply) => {
    const { url, config } = request.routeOptions;
    if (config.streams === true) return;
    const status = `${reply.statusCode}`;
    durations.observe(
      { method: request.method, route: url ?? 'unknown', status },
      reply.elapsedTime / 1_000,
    );
    if (reply.refusal === null) return;
    const name = ofRequest(request);
    const kind = KINDS.get(name);
    if (kind !== undefined) refusals.inc({ kind, code: reply.refusal });
    else if (name === LOGIN) signIns.inc({ code: reply.refusal });
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (ofRequest(request) !== ANSWER) return payload;
    const { outcome, writtenAt, receivedAt } = (payload ?? {}) as CallLabels;
    if (typeof outcome !== 'string') return payload;
    answers.inc({ outcome });
    if (typeof writtenAt === 'string' && typeof receivedAt === 'string')
      delays.observe(Math.max(0, Date.parse(receivedAt) - Date.parse(writtenAt)) / 1_000);
    return payload;
  });
}
