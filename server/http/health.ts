import type { FastifyInstance } from 'fastify';
import { PRODUCT, health, readiness } from '#contract/health.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from './handle.ts';
import { Refusal } from './refusal.ts';

const CHECK_TIMEOUT_MS = 2_000;

async function databaseAnswers(deps: Deps): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal('UNAVAILABLE')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([one(deps.pool, 'select 1'), late]);
  } catch (error) {
    deps.log.warn({ err: error }, 'the database does not answer');
    throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 });
  } finally {
    clearTimeout(timer);
  }
}

export function registerHealth(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, health, async ({ now }) => ({
    status: 'ok',
    product: PRODUCT,
    serverTime: now.toISOString(),
    timeZone: deps.settings.schoolTimezone,
    registration: deps.settings.registration,
  }));

  handle(app, deps, readiness, async () => {
    await databaseAnswers(deps);
    return { status: 'ready' };
  });
}
