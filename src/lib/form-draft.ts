import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { draftStorageOf, type DRAFT_KINDS, type DraftStorage } from './form-draft-storage.ts';

/** Stores the input of a form in this tab: it survives a reload and a lost sign-in of its author. */
export interface FormDraftStore<T> {
  /** Whether it was stored: storage may be forbidden or full. */
  save(typed: T): boolean;
  /** The stored draft, or null. */
  read(): T | null;
  clear(): void;
}

export interface FormDraftName {
  kind: (typeof DRAFT_KINDS)[number];
  /** Id of the author, the only one who gets the draft back. */
  owner: string;
  /** The test, if there is one form for each. */
  testId?: string;
}

export function createFormDraftStore<T>(
  { kind, owner, testId }: FormDraftName,
  schema: v.GenericSchema<unknown, T>,
  open: () => DraftStorage = () => draftStorageOf(owner),
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

export interface FormDraft<T> {
  /** The input that an ended session interrupted, returned once; null: none. */
  readonly restored: T | null;
  /** Stores the input until its author has signed in again in this tab. */
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
