/** Chromium and Firefox name the address in the error; WebKit does not, but the built function does. */
function findAddress(error: unknown, importModule: () => Promise<unknown>): string | undefined {
  const named = /\bhttps?:\S+?\.js\b/.exec(String(error))?.[0];
  const imported = /\bimport\(\s*[`'"]([^`'"]+\.js)[`'"]/.exec(String(importModule))?.[1];
  return named ?? (imported === undefined ? undefined : new URL(imported, import.meta.url).href);
}

const importByAddress = (address: string): Promise<unknown> =>
  import(/* @vite-ignore */ address) as Promise<unknown>;

/**
 * Returns a function that loads a module; after a failure its next call loads it again. The browser loads it once.
 * @param importModule `() => import('./module.ts')`
 */
export function createModuleLoader<Module>(
  importModule: () => Promise<Module>,
  importAddress = importByAddress,
): () => Promise<Module> {
  let failures = 0;
  let loaded: Module | undefined;

  /** Firefox and WebKit remember by its address that a module failed. */
  async function importAgain(error: unknown): Promise<Module> {
    const address = findAddress(error, importModule);
    const before = failures;
    failures += 1;
    if (before === 0 || address === undefined) throw error;
    return (await importAddress(`${address}?retry=${before}`)) as Module;
  }

  return async () => (loaded ??= await importModule().catch(importAgain));
}
