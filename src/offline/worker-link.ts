import * as v from 'valibot';
// The package's main file targets browsers without classes and is twice as large.
import { Workbox } from 'workbox-window/Workbox.js';
import { logProblem } from '#app/lib/log.ts';
import { UpdateVerdict, type ToWorker } from './messages.ts';

const VERDICT_TIMEOUT_MS = 5_000;
const LOOK_EVERY_MS = 60 * 60_000;

/** The page's side of the service worker. */
export interface WorkerLink {
  /** Whether an update waits for the user's confirmation. */
  isUpdateWaiting: () => boolean;
  subscribe: (changed: () => void) => () => void;
  /** Activates the waiting version; the page reloads then. */
  applyUpdate: (options: { duringAttempt: boolean }) => Promise<UpdateVerdict['verdict']>;
  post: (message: ToWorker) => void;
  /** Checks the server for a newer worker. */
  lookForUpdate: () => void;
}

function requestReply(worker: ServiceWorker, message: ToWorker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => reject(new Error('The worker is silent')), VERDICT_TIMEOUT_MS);
    port1.addEventListener('message', (event: MessageEvent<unknown>) => {
      clearTimeout(timer);
      resolve(event.data);
    });
    port1.start();
    worker.postMessage(message, [port2]);
  });
}

const noWorker: WorkerLink = {
  isUpdateWaiting: () => false,
  subscribe: () => () => undefined,
  applyUpdate: () => Promise.resolve('applied'),
  post: () => undefined,
  lookForUpdate: () => undefined,
};

export interface WorkerLinkOptions {
  script: string;
  type: WorkerType;
  /** Reloads the page with the new version. */
  reload: () => void;
}

/** Registers the worker. Without a secure context it returns no-ops. */
export function linkWorker({ script, type, reload }: WorkerLinkOptions): WorkerLink {
  if (!('serviceWorker' in navigator) || !globalThis.isSecureContext) return noWorker;
  const listeners = new Set<() => void>();
  let registration: ServiceWorkerRegistration | undefined;
  let isWaiting = false;
  let isAgreed = false;
  const setWaiting = (next: boolean) => {
    isWaiting = next;
    for (const listener of listeners) listener();
  };
  const register = async () => {
    const workbox = new Workbox(script, { type, scope: '/' });
    workbox.addEventListener('waiting', () => setWaiting(true));
    workbox.addEventListener('controlling', () => {
      setWaiting(false);
      // The first worker claims the page without changing it; only a confirmed update reloads.
      if (isAgreed) reload();
    });
    registration = await workbox.register();
  };
  const lookForUpdate = () => {
    // Fails offline; the next check will succeed.
    registration?.update().catch(() => undefined);
  };
  setInterval(lookForUpdate, LOOK_EVERY_MS);
  register().catch((cause: unknown) => logProblem('Работа без сети не включилась', { cause }));
  return {
    isUpdateWaiting: () => isWaiting,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    async applyUpdate({ duringAttempt }) {
      const waiting = registration?.waiting;
      if (!waiting) return 'applied';
      isAgreed = true;
      const reply = v.safeParse(
        UpdateVerdict,
        await requestReply(waiting, { type: 'applyUpdate', duringAttempt }),
      );
      const verdict = reply.success ? reply.output.verdict : 'otherTabs';
      isAgreed = verdict === 'applied';
      return verdict;
    },
    post(message) {
      navigator.serviceWorker.ready.then(
        ({ active }) => active?.postMessage(message, { transfer: [] }),
        (cause: unknown) => logProblem('Работа без сети не отвечает', { cause }),
      );
    },
    lookForUpdate,
  };
}
