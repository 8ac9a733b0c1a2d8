/** A part of the app that is loaded when it is first needed. */
export interface Part<Loaded> {
  /** Undefined until it is loaded. */
  get: () => Loaded | undefined;
  /** Loads once; after a failure it loads again. Rejects when the part does not arrive. */
  load: () => Promise<Loaded>;
}

/** Vite adds a style sheet once: one that did not arrive is requested again. */
async function reloadLostStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  await Promise.all(
    [...links]
      .filter(({ sheet }) => sheet === null)
      .map((lost) => {
        const link = lost.cloneNode() as HTMLLinkElement;
        const arrived = new Promise((resolve, reject) => {
          link.addEventListener('load', resolve);
          link.addEventListener('error', () => reject(new Error(`No style sheet: ${link.href}`)));
        });
        lost.replaceWith(link);
        return arrived;
      }),
  );
}

/** Chromium and Firefox name the address in the error; WebKit does not, but the built function does. */
function findAddress(error: unknown, importModule: () => Promise<unknown>): string | undefined {
  const named = /\bhttps?:\S+?\.js\b/.exec(String(error))?.[0];
  const imported = /\bimport\(\s*[`'"]([^`'"]+\.js)[`'"]/.exec(String(importModule))?.[1];
  return named ?? (imported === undefined ? undefined : new URL(imported, import.meta.url).href);
}

/**
 * @param importModule `() => import('./Field.tsx')`
 * @param pick takes what is needed out of the module
 */
export function createPart<Module, Loaded>(
  importModule: () => Promise<Module>,
  pick: (module: Module) => Loaded | undefined,
): Part<Loaded> {
  let loaded: Loaded | undefined;
  let pending: Promise<Loaded> | undefined;
  let failures = 0;

  async function importAgain(error: unknown): Promise<Module> {
    // Firefox and WebKit remember by its address that a module failed.
    const address = findAddress(error, importModule);
    if (failures === 0 || address === undefined) throw error;
    return (await import(/* @vite-ignore */ `${address}?retry=${failures}`)) as Module;
  }

  async function load(): Promise<Loaded> {
    try {
      if (failures > 0) await reloadLostStyles();
      loaded = pick(await importModule().catch(importAgain));
      if (loaded === undefined) throw new Error('The module lacks what it is loaded for');
      return loaded;
    } catch (error) {
      failures += 1;
      throw error;
    } finally {
      pending = undefined;
    }
  }

  return {
    get: () => loaded,
    load: () => (loaded === undefined ? (pending ??= load()) : Promise.resolve(loaded)),
  };
}

/** Two parts that are of use together only. */
export function joinParts<First, Second, Joined>(
  first: Part<First>,
  second: Part<Second>,
  join: (first: First, second: Second) => Joined,
): Part<Joined> {
  let joined: Joined | undefined;
  return {
    get: () => joined,
    load: async () => (joined ??= join(...(await Promise.all([first.load(), second.load()])))),
  };
}

/** Whether a screen failed because a file of the app did not arrive. */
export const isLoadFailure = (error: unknown): boolean =>
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(
    String(error),
  );
