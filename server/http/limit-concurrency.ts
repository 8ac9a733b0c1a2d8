import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import pLimit, { type LimitFunction } from 'p-limit';
import { Refusal } from './refusal.ts';

/** A file in base64 takes several times its size in memory while it is sent. */
export const BASE64_AT_ONCE = 4;
/** No screen requests so many at one time; only a program does. */
const LONGEST_QUEUE = 100;
/** A phone that lost its network midway releases its slot after this time. */
const LONGEST_SEND_MS = 30_000;

/**
 * For replies that are in memory as a whole until sent: at most `atOnce` per person at a time; the person's further
 * replies wait.
 * @returns resolves when the reply may be made; throws TOO_MANY_REQUESTS
 */
export function limitConcurrencyPerUser(
  atOnce: number,
): (userId: string, reply: FastifyReply) => Promise<void> {
  const limits = new Map<string, LimitFunction>();
  return async (userId, reply) => {
    const limit = limits.get(userId) ?? pLimit(atOnce);
    limits.set(userId, limit);
    if (limit.pendingCount >= LONGEST_QUEUE)
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 5 });
    await new Promise<void>((begin) => {
      const untilSent = async () => {
        begin();
        const signal = AbortSignal.timeout(LONGEST_SEND_MS);
        await finished(reply.raw, { signal, cleanup: true }).catch(() => undefined);
      };
      void limit(untilSent).finally(() => {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(userId);
      });
    });
    // The client has disconnected, so the reply need not be made.
    if (reply.raw.destroyed) throw new Refusal('UNAVAILABLE');
  };
}
