import * as v from 'valibot';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { saveFile } from '#app/lib/files.ts';
import { WorkerReply, type ExportedFile, type ImportedTest, type Request } from './messages.ts';

/** A file that cannot be read or written; `message` is Russian and names a remedy. */
export class ExchangeProblem extends Error {
  override readonly name = 'ExchangeProblem';
}

/** Message about a file that was not read or written. */
export const describeExchangeFailure = (error: unknown): string =>
  error instanceof ExchangeProblem ? error.message : describeFailure(error);

/** Downloads a written file. */
export const saveExported = ({ bytes, mimeType, fileName }: ExportedFile): void =>
  saveFile(new Blob([bytes], { type: mimeType }), fileName);

/** The used part of `Worker`, so that tests can inject a fake. */
export interface ExchangeWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener(kind: 'message', hear: (event: { data: unknown }) => void): void;
  addEventListener(kind: 'error' | 'messageerror', hear: () => void): void;
}

const makeWorker = (): ExchangeWorker =>
  new Worker(new URL('./exchange-worker.ts', import.meta.url), {
    type: 'module',
    name: 'exchange',
  });

/** The reading stops after this silence: only a malicious file needs longer for its next item. */
const MOST_MS = 60_000;

const BROKEN =
  'Не получилось прочитать файл: он устроен не так, как ждёт этот формат. Проверьте, тот ли это файл, или выгрузите его ещё раз';
const ENDLESS =
  'Файл читается слишком долго, чтение остановлено. Разделите его на части и повторите';

/**
 * Runs a request in a new worker and terminates it afterwards.
 * @throws {ExchangeProblem} with a message for the teacher; `DOMException` AbortError when aborted
 */
async function ask(
  request: Request,
  signal: AbortSignal | undefined,
  make: () => ExchangeWorker,
  onProgress?: (count: number) => void,
): Promise<WorkerReply> {
  const worker = make();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<WorkerReply>((resolve, reject) => {
      const stop = () => reject(new DOMException('stopped', 'AbortError'));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
      const restartTimer = () => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(new ExchangeProblem(ENDLESS)), MOST_MS);
      };
      restartTimer();
      const fail = () => reject(new ExchangeProblem(BROKEN));
      worker.addEventListener('message', ({ data }) => {
        const reply = v.safeParse(WorkerReply, data);
        if (!reply.success || reply.output.kind === 'failed') fail();
        else if (reply.output.kind === 'unreadable')
          reject(new ExchangeProblem(reply.output.message));
        else if (reply.output.kind === 'progress') {
          restartTimer();
          onProgress?.(reply.output.count);
        } else resolve(reply.output);
      });
      worker.addEventListener('error', fail);
      worker.addEventListener('messageerror', fail);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
      worker.postMessage(request);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

export async function readInWorker(
  request: Extract<Request, { kind: 'read' }>,
  signal?: AbortSignal,
  onProgress?: (count: number) => void,
  make: () => ExchangeWorker = makeWorker,
): Promise<ImportedTest> {
  const reply = await ask(request, signal, make, onProgress);
  if (reply.kind !== 'read') throw new ExchangeProblem(BROKEN);
  return reply.imported;
}

export async function writeInWorker(
  request: Extract<Request, { kind: 'write' | 'paper' | 'sample' }>,
  make: () => ExchangeWorker = makeWorker,
): Promise<ExportedFile> {
  const reply = await ask(request, undefined, make);
  if (reply.kind !== 'written') throw new ExchangeProblem(BROKEN);
  return reply.exported;
}
