type Granted = (lock: object | null) => unknown;

/** The used subset of Web Locks: exclusive, waiting or not. `requested` collects requested names. */
export function fakeLocks(requested: string[] = []): LockManager {
  const held = new Map<string, Promise<unknown>>();
  const request = async (
    name: string,
    optionsOrTask: { ifAvailable?: boolean; signal?: AbortSignal } | Granted,
    last?: Granted,
  ): Promise<unknown> => {
    const options = typeof optionsOrTask === 'function' ? {} : optionsOrTask;
    const granted = typeof optionsOrTask === 'function' ? optionsOrTask : last;
    if (!granted) throw new Error('nothing to run');
    requested.push(name);
    if (held.has(name) && options.ifAvailable) return granted(null);
    while (held.has(name)) await held.get(name);
    options.signal?.throwIfAborted();
    const running = Promise.resolve(granted({ name }));
    held.set(
      name,
      running.then(
        () => held.delete(name),
        () => held.delete(name),
      ),
    );
    return running;
  };
  return { request } as unknown as LockManager;
}
