/** The subset of Web Locks that the outbox uses, for one browser; a killed tab releases its locks. */
export interface LockRegistry {
  /** The `navigator.locks` of one tab. */
  managerOf(tab: object): LockManager;
  /** The tab was closed: its locks go to the next waiting request. */
  release(tab: object): void;
}

interface Request {
  readonly tab: object;
  readonly grant: () => void;
}

export function createLockRegistry(): LockRegistry {
  const queues = new Map<string, Request[]>();

  const queueOf = (name: string): Request[] => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    return queue;
  };

  /** The first of a queue holds the lock. */
  function leave(name: string, request: Request): void {
    const queue = queueOf(name);
    const place = queue.indexOf(request);
    if (place === -1) return;
    queue.splice(place, 1);
    if (place === 0) queue[0]?.grant();
  }

  async function request(
    tab: object,
    name: string,
    options: LockOptions,
    task: (lock: Lock | null) => unknown,
  ): Promise<unknown> {
    const queue = queueOf(name);
    if (options.ifAvailable && queue.length > 0) return task(null);
    let mine: Request | undefined;
    await new Promise<void>((grant, refuse) => {
      const waiting: Request = { tab, grant };
      mine = waiting;
      queue.push(waiting);
      const giveUp = (): void => {
        if (queue[0] === waiting) return;
        leave(name, waiting);
        refuse(new DOMException('given up', 'AbortError'));
      };
      options.signal?.addEventListener('abort', giveUp, { once: true });
      if (queue[0] === waiting) grant();
    });
    try {
      return await task({ name, mode: 'exclusive' });
    } finally {
      if (mine) leave(name, mine);
    }
  }

  return {
    managerOf: (tab) =>
      ({
        request: (
          name: string,
          options: LockOptions | LockGrantedCallback<unknown>,
          task?: LockGrantedCallback<unknown>,
        ) =>
          typeof options === 'function'
            ? request(tab, name, {}, options)
            : request(tab, name, options, task ?? (() => undefined)),
        query: async () => ({}),
      }) as LockManager,
    release: (tab) => {
      for (const [name, queue] of queues) {
        for (const one of queue.filter((one) => one.tab === tab)) leave(name, one);
      }
    },
  };
}
