import * as v from 'valibot';
// The package's main file is written for browsers without classes and weighs twice as much.
import { Workbox } from 'workbox-window/Workbox.js';
import { logProblem } from './log.ts';
import { UpdateVerdict, type ToWorker } from './messages.ts';

const VERDICT_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 60 * 60_000;

/** The page's side of the service worker. */
export interface WorkerLink {
  /** Whether an update waits for the person's word. */
  isUpdateWaiting: () => boolean;
  subscribe: (changed: () => void) => () => void;
  /** Hands the page over to the waiting version; it reloads then. */
  applyUpdate: (options: { duringAttempt: boolean }) => Promise<UpdateVerdict['verdict']>;
  tell: (message: ToWorker) => void;
  /** Asks the server for a newer worker. */
  lookForUpdate: () => void;
}

function ask(worker: ServiceWorker, message: ToWorker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => reject(new Error('The worker is silent')), VERDICT_WAIT_MS);
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
  tell: () => undefined,
  lookForUpdate: () => undefined,
};

export interface WorkerLinkOptions {
  script: string;
  type: WorkerType;
  /** Loads the page again under the new version. */
  reload: () => void;
}

/** Registers the worker. In an insecure context there is none, and every call does nothing. */
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
      // The first worker takes a page in without changing it; only an agreed update reloads.
      if (isAgreed) reload();
    });
    registration = await workbox.register();
  };
  const lookForUpdate = () => {
    // Without a network there is nothing to find; the next look will.
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
        await ask(waiting, { type: 'applyUpdate', duringAttempt }),
      );
      const verdict = reply.success ? reply.output.verdict : 'otherTabs';
      isAgreed = verdict === 'applied';
      return verdict;
    },
    tell(message) {
      navigator.serviceWorker.ready.then(
        ({ active }) => active?.postMessage(message, { transfer: [] }),
        (cause: unknown) => logProblem('Работа без сети не отвечает', { cause }),
      );
    },
    lookForUpdate,
  };
}
