import type { FastifyInstance } from 'fastify';
import { downloadFile } from '#contract/files.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

export function registerDownloads(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, downloadFile, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
