import type { FastifyInstance } from 'fastify';
import { bringHandover } from '#contract/handover.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import type { DeviceOperations } from '#server/passing/routes.ts';
import { createBringing } from './bring.ts';

export function registerHandover(
  app: FastifyInstance,
  deps: Deps,
  operations: DeviceOperations,
): void {
  const bring = createBringing(deps, operations);
  handle(
    app,
    deps,
    bringHandover,
    ({ params, bytes, now }) => bring(params.owner, bytes, now),
    // One after another: parts build on those before them.
    { atOnceEach: 1 },
  );
}
