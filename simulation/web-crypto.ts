/** WebCrypto works on other threads, for a time that no seed decides. */

let working = 0;

type Method = (this: unknown, ...parameters: unknown[]) => Promise<unknown>;

const countWork = (method: Method): Method =>
  async function (...parameters) {
    working += 1;
    try {
      return await method.apply(this, parameters);
    } finally {
      working -= 1;
    }
  };

const methods = SubtleCrypto.prototype as unknown as Record<string, Method>;
for (const name of Object.keys(methods)) {
  const method = methods[name];
  if (typeof method === 'function') methods[name] = countWork(method);
}

export const isWebCryptoBusy = (): boolean => working > 0;
