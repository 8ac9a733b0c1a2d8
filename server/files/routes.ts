import type { FastifyInstance } from 'fastify';
import { downloadFile, getFile } from '#contract/files.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { BASE64_AT_ONCE } from '#server/http/limit-concurrency.ts';
import { findFile } from './find.ts';
import { gathered } from './store/blob-store.ts';

/** Files by their opaque keys: in base64, and as attachments. */
export function registerFiles(app: FastifyInstance, deps: Deps): void {
  handle(
    app,
    deps,
    getFile,
    async ({ caller, query, now }) => {
      const { bytes, mimeType } = await findFile(deps, { caller, key: query.path, now });
      const whole = Buffer.isBuffer(bytes) ? bytes : await gathered(bytes);
      return { item1: whole.toString('base64'), item2: mimeType };
    },
    { atOnceEach: BASE64_AT_ONCE },
  );

  handle(app, deps, downloadFile, ({ caller, params, now }) =>
    findFile(deps, { caller, key: params.key, now }),
  );
}
