import type { Page } from '@playwright/test';

/** Everything that the page's origin stores in this browser, as text by place. */
export function everythingStored(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
      });
    const readable = (_key: string, value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return new TextDecoder().decode(value);
      if (ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
      return value;
    };
    const stored: Record<string, string> = {
      cookies: document.cookie,
      localStorage: JSON.stringify(Object.entries(localStorage)),
      sessionStorage: JSON.stringify(Object.entries(sessionStorage)),
    };
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        stored[`cache ${name} ${request.url}`] = (await response?.text()) ?? '';
      }
    }
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = await done(database.transaction(store).objectStore(store).getAll());
        stored[`IndexedDB ${name} ${store}`] = JSON.stringify(rows, readable);
      }
      database.close();
    }
    return stored;
  });
}

/** The places that contain a text. */
export function placesWith(stored: Record<string, string>, word: string): string[] {
  return Object.entries(stored).flatMap(([place, text]) => (text.includes(word) ? [place] : []));
}
