import type { CameraImage } from './read-code.ts';

/** The used part of `Worker`, so that tests can inject a fake. */
export interface CodeWorkerPort {
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(kind: 'message', onReply: (event: { data: unknown }) => void): void;
  addEventListener(kind: 'error' | 'messageerror', onFailure: () => void): void;
}

/** Reads QR codes outside of the page's thread. */
export interface CodeWorker {
  /** One image at a time. Its pixels belong to the worker afterwards. Rejects if the worker fails or is closed. */
  read: (image: CameraImage) => Promise<Uint8Array | null>;
  close: () => void;
}

const createPort = (): CodeWorkerPort =>
  new Worker(new URL('./qr-worker.ts', import.meta.url), { type: 'module', name: 'qr' });

export function startCodeWorker(port: CodeWorkerPort = createPort()): CodeWorker {
  let hasFailed = false;
  let waiting: PromiseWithResolvers | undefined;
  const fail = () => {
    hasFailed = true;
    waiting?.reject(new Error('The worker that reads QR codes failed'));
  };
  port.addEventListener('message', ({ data }) =>
    waiting?.resolve(data instanceof Uint8Array ? data : null),
  );
  port.addEventListener('error', fail);
  port.addEventListener('messageerror', fail);
  return {
    read: (image) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (hasFailed) fail();
        else port.postMessage(image, [image.data.buffer]);
      }),
    close() {
      port.terminate();
      fail();
    },
  };
}

interface PromiseWithResolvers {
  resolve: (content: Uint8Array | null) => void;
  reject: (error: Error) => void;
}
