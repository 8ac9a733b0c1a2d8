import type { FastifyInstance } from 'fastify';
import { getReceipt, getReceiptKeys, rotateReceiptKey } from '#contract/receipts.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { readAttempt } from '#server/results/reading.ts';
import { publishedKeys, rotateKey } from './keys.ts';
import { receiptOf } from './receipt.ts';

/** Short: a rotated key is published at once, and pages ask anew when they miss a key. */
const CACHED = 'public, max-age=300';

export function registerReceipts(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getReceiptKeys, async ({ setHeader }) => {
    setHeader('cache-control', CACHED);
    return publishedKeys(deps.pool);
  });

  handle(app, deps, getReceipt, async ({ caller, params, now }) => {
    const reading = await readAttempt(deps, caller, params.attemptId, now);
    const isGrader = reading.attempt.userId !== caller.userId;
    return { receipt: await receiptOf(deps, reading, isGrader) };
  });

  handle(app, deps, rotateReceiptKey, async ({ caller, now }) =>
    rotateKey(deps, caller.userId, now),
  );
}
