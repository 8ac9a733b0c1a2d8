import * as v from 'valibot';
import { PictureRefusal } from '#app/lib/pictures/prepare-picture.ts';
import { PictureReply } from './pictures-messages.ts';
import type { ExchangeWorker } from './run-exchange.ts';

/** Prepares pictures outside of the page's thread. */
export interface PictureWorker {
  /** Rejects with `PictureRefusal`, or with `DOMException` AbortError when closed meanwhile. */
  prepare(file: Blob): Promise<Blob>;
  close(): void;
}

const canDrawInWorker = (): boolean =>
  typeof OffscreenCanvas !== 'undefined' && 'convertToBlob' in OffscreenCanvas.prototype;

const makeWorker = (): ExchangeWorker =>
  new Worker(new URL('./pictures-worker.ts', import.meta.url), {
    type: 'module',
    name: 'pictures',
  });

/**
 * Starts a worker for pictures. If the browser can draw only on pages, or the worker breaks, `prepareOnPage` does the
 * work.
 */
export function startPictureWorker(
  prepareOnPage: (file: Blob) => Promise<Blob>,
  make: (() => ExchangeWorker) | null = canDrawInWorker() ? makeWorker : null,
): PictureWorker {
  const worker = make?.();
  if (!worker) return { prepare: prepareOnPage, close: () => undefined };
  let isBroken = false;
  let isClosed = false;
  let lastId = 0;
  const waiting = new Map<number, (reply: PictureReply | null) => void>();
  const giveUp = () => {
    isBroken = true;
    for (const settle of waiting.values()) settle(null);
    waiting.clear();
  };
  worker.addEventListener('message', ({ data }) => {
    const reply = v.safeParse(PictureReply, data);
    if (!reply.success) {
      giveUp();
      return;
    }
    waiting.get(reply.output.id)?.(reply.output);
    waiting.delete(reply.output.id);
  });
  worker.addEventListener('error', giveUp);
  worker.addEventListener('messageerror', giveUp);
  return {
    async prepare(file) {
      if (isBroken) return prepareOnPage(file);
      const id = (lastId += 1);
      const reply = await new Promise<PictureReply | null>((resolve) => {
        waiting.set(id, resolve);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
        worker.postMessage({ id, file });
      });
      if (isClosed) throw new DOMException('stopped', 'AbortError');
      if (reply?.kind === 'prepared') return reply.picture;
      if (reply?.message != null) throw new PictureRefusal(reply.message);
      return prepareOnPage(file);
    },
    close() {
      isClosed = true;
      worker.terminate();
      giveUp();
    },
  };
}
