import { useEffect, useState } from 'react';
import * as v from 'valibot';

/** Stores what is typed into a form in this tab: it survives a reload and a lost sign-in of its author. */
export interface FormDraftStore<T> {
  /** Whether it was stored: storage may be forbidden or full. */
  save(typed: T): boolean;
  /** The stored draft, or null. */
  read(): T | null;
  clear(): void;
}

export interface FormDraftName {
  kind: 'ai' | 'bank' | 'grading' | 'import' | 'settings' | 'template';
  /** Id of the author, the only one who gets the draft back. */
  owner: string;
  /** The test, where there is one form for each. */
  testId?: string;
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const tabStorage = (): DraftStorage => window.sessionStorage;

export function createFormDraftStore<T>(
  { kind, owner, testId }: FormDraftName,
  schema: v.GenericSchema<unknown, T>,
  open = tabStorage,
): FormDraftStore<T> {
  const key = testId === undefined ? `${kind}:${owner}` : `${kind}:${owner}:${testId}`;
  const attempt = <R>(work: () => R, otherwise: R): R => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    save: (typed) =>
      attempt(() => {
        open().setItem(key, JSON.stringify(typed));
        return true;
      }, false),
    read: () => attempt(() => v.parse(schema, JSON.parse(open().getItem(key) ?? '')), null),
    clear: () => attempt(() => open().removeItem(key), undefined),
  };
}

/** A manual sign-out erases the drafts of who leaves, and nobody else's. */
export function eraseFormDrafts(owner: string): void {
  try {
    for (const key of Object.keys(window.sessionStorage)) {
      if (key.split(':')[1] === owner) window.sessionStorage.removeItem(key);
    }
  } catch {
    // Storage is forbidden: there are no drafts.
  }
}

export interface FormDraft<T> {
  /** What an ended session interrupted, handed over once; null: nothing. */
  readonly restored: T | null;
  /** Stores what is typed until its author has signed in again in this tab. */
  readonly save: (typed: T) => void;
}

/** The draft of one form. */
export function useFormDraft<T>(
  name: FormDraftName,
  schema: v.GenericSchema<unknown, T>,
): FormDraft<T> {
  const [store] = useState(() => createFormDraftStore(name, schema));
  const [restored] = useState(store.read);
  useEffect(() => store.clear(), [store]);
  return { restored, save: store.save };
}
