/** The subset of the Cache API that the worker uses, for tests. */

const urlOf = (key: RequestInfo | URL) => (key instanceof Request ? key.url : String(key));

interface CachedEntry {
  readonly body: ArrayBuffer;
  readonly init: ResponseInit;
}

/** Like the browser's: a `put` consumes the body, replaces, and its key becomes the last one. */
function fakeCache(onPut: (url: string) => void) {
  const stored = new Map<string, CachedEntry>();
  return {
    match: async (key: RequestInfo | URL) => {
      const found = stored.get(urlOf(key));
      return found && new Response(found.body.slice(0), found.init);
    },
    put: async (key: RequestInfo | URL, response: Response) => {
      const { status, headers } = response;
      const body = await response.arrayBuffer();
      onPut(urlOf(key));
      stored.delete(urlOf(key));
      stored.set(urlOf(key), { body, init: { status, headers } });
    },
    delete: async (key: RequestInfo | URL) => stored.delete(urlOf(key)),
    keys: async () => [...stored.keys()].map((url) => new Request(url)),
  };
}

/** A replacement for `caches`, its current paths by cache name, and all paths ever put. */
export function fakeCaches() {
  const everPut: string[] = [];
  const byName = new Map<string, ReturnType<typeof fakeCache>>();
  const caches = {
    match: async (key: RequestInfo | URL, { cacheName }: { cacheName: string }) =>
      byName.get(cacheName)?.match(key),
    open: async (name: string) => {
      const cache = byName.get(name) ?? fakeCache((url) => everPut.push(url));
      byName.set(name, cache);
      return cache;
    },
    delete: async (name: string) => byName.delete(name),
    keys: async () => [...byName.keys()],
  };
  async function paths(name: string): Promise<string[]> {
    const requests = (await byName.get(name)?.keys()) ?? [];
    return requests.map(({ url }) => new URL(url).pathname);
  }
  return { caches, paths, everPut };
}
