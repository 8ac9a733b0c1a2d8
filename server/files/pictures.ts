import type { FastifyInstance } from 'fastify';
import { uploadPicture } from '#contract/files.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Pictures for questions. */
export function registerPictures(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, uploadPicture, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
