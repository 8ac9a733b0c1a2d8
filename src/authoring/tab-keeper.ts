import * as v from 'valibot';

/** Where what was typed waits for the sign-in of its author to be renewed: this tab alone. */
export interface TabKeeper<T> {
  keep(typed: T): void;
  /** What was kept, or null. */
  read(): T | null;
  forget(): void;
}

export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A key begins with its kind and a colon: a sign-out by wish erases those (`session-lifecycle.ts`). */
export function tabKeeper<T>(
  key: string,
  schema: v.GenericSchema<unknown, T>,
  open: () => TabStorage,
): TabKeeper<T> {
  /** Storage may be forbidden or full: then nothing is kept. */
  const tried = <R>(work: () => R): R | null => {
    try {
      return work();
    } catch {
      return null;
    }
  };
  return {
    keep: (typed) => tried(() => open().setItem(key, JSON.stringify(typed))),
    read: () => tried(() => v.parse(schema, JSON.parse(open().getItem(key) ?? ''))),
    forget: () => tried(() => open().removeItem(key)),
  };
}
