import { createModuleLoader } from '#app/lazy/module-loader.ts';

/** A part of the app that is loaded when it is first needed. */
export interface Part<Loaded> {
  /** Undefined until it is loaded. */
  get: () => Loaded | undefined;
  /** Loads once; after a failure it loads again. Rejects when the load fails. */
  load: () => Promise<Loaded>;
}

/** Style sheets that were loaded by another link. */
const replaced = new WeakSet<HTMLLinkElement>();

/**
 * Vite adds a style sheet once, so a failed one is requested again. The first link stays: it may still be loading, and
 * code that waits for its event would wait for ever.
 */
async function reloadLostStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  await Promise.all(
    [...links]
      .filter((link) => link.sheet === null && !replaced.has(link))
      .map((lost) => {
        const link = lost.cloneNode() as HTMLLinkElement;
        const arrived = new Promise<void>((resolve, reject) => {
          link.addEventListener('load', () => {
            replaced.add(lost);
            resolve();
          });
          link.addEventListener('error', () => {
            link.remove();
            reject(new Error(`No style sheet: ${link.href}`));
          });
        });
        lost.after(link);
        return arrived;
      }),
  );
}

/**
 * @param importModule `() => import('./Field.tsx')`
 * @param pick selects the needed export of the module
 */
export function createPart<Module, Loaded>(
  importModule: () => Promise<Module>,
  pick: (module: Module) => Loaded | undefined,
): Part<Loaded> {
  let loaded: Loaded | undefined;
  let pending: Promise<Loaded> | undefined;
  let hasFailed = false;
  const loadModule = createModuleLoader(importModule);

  async function load(): Promise<Loaded> {
    try {
      if (hasFailed) await reloadLostStyles();
      loaded = pick(await loadModule());
      if (loaded === undefined) throw new Error('The module lacks what it is loaded for');
      return loaded;
    } catch (error) {
      hasFailed = true;
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

/** Two parts that are useful only together. */
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

/** Whether a screen failed because a file of the app did not load. */
export const isLoadFailure = (error: unknown): boolean =>
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(
    String(error),
  );
