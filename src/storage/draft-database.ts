import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import * as v from 'valibot';
import { decryptBytes, encryptBytes, fromText, toText, utf8, type Ciphered } from './cipher.ts';
import { openInTime } from './open-in-time.ts';
import { Bytes, DRAFT_DATABASE } from './rows.ts';

/** The database of editors' working copies, and the encryption of its rows: in place, under their key. */

export interface DraftSchema extends DBSchema {
  drafts: { key: string; value: unknown };
  /** Rows that failed validation: nothing is discarded. */
  broken: { key: string; value: unknown };
}

export const DRAFT_STORES = ['drafts', 'broken'] as const;
export type DraftStoreName = (typeof DRAFT_STORES)[number];

export const openDraftDatabase = (): Promise<IDBPDatabase<DraftSchema>> =>
  openInTime(
    openDB<DraftSchema>(DRAFT_DATABASE, 1, {
      upgrade: (db) => {
        for (const name of DRAFT_STORES) db.createObjectStore(name);
      },
    }),
  );

const Encrypted = v.object({ iv: Bytes, cipher: Bytes });

export const isEncryptedDraft = (found: unknown): found is Ciphered => v.is(Encrypted, found);

/** @param id the key of the row: the ciphertext decrypts only there */
export async function encryptDraft(key: CryptoKey, id: string, row: unknown): Promise<Ciphered> {
  const text = toText(row);
  if (text === null) throw new Error('a working copy cannot be encrypted');
  return encryptBytes(key, id, utf8(text));
}

/** Undefined: another key or a damaged ciphertext. */
export async function decryptDraft(key: CryptoKey, id: string, row: Ciphered): Promise<unknown> {
  const plain = await decryptBytes(key, id, row);
  return plain === null ? undefined : fromText(new TextDecoder().decode(plain));
}

/** Attempts to encrypt a row that is being written meanwhile. */
const MAX_ROUNDS = 5;

/** Replaces the row with its ciphertext in one transaction. False: it stays in plain. */
async function encryptRow(
  db: IDBPDatabase<DraftSchema>,
  name: DraftStoreName,
  id: string,
  key: CryptoKey,
): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await db.get(name, id);
    if (found === undefined || isEncryptedDraft(found)) return true;
    const text = toText(found);
    if (text === null) return false;
    const encrypted = await encryptDraft(key, id, found);
    const tx = db.transaction(name, 'readwrite', { durability: 'strict' });
    const now = await tx.store.get(id);
    const isSame = now !== undefined && toText(now) === text;
    if (isSame) await tx.store.put(encrypted, id);
    await tx.done;
    if (isSame) return true;
  }
  return false;
}

/** Whether a row belongs to this owner; a row without an owner counts as theirs. */
const mayBelong = (id: string, owner: string): boolean =>
  id.startsWith(`${owner}/`) || !/^[^/]+\/[^/]+\/[^/]+$/.test(id);

/** Encrypts all rows of a person, or one of them. False: some stay in plain. */
export async function encryptDraftRows(
  { owner, key }: { owner: string; key: CryptoKey },
  only?: string,
): Promise<boolean> {
  const db = await openDraftDatabase();
  try {
    let isWhole = true;
    for (const name of DRAFT_STORES) {
      const ids = only === undefined ? await db.getAllKeys(name) : [only];
      for (const id of ids.filter((one) => mayBelong(one, owner)))
        if (!(await encryptRow(db, name, id, key))) isWhole = false;
    }
    return isWhole;
  } finally {
    db.close();
  }
}

/** Ids of the tests of which this person has unsent rows here, of any tab. */
export async function testsWithDrafts(owner: string): Promise<string[]> {
  const db = await openDraftDatabase();
  try {
    const ids = await db.getAllKeys('drafts', rangeOf(owner));
    return [...new Set(ids.map((id) => id.split('/')[1] ?? ''))];
  } finally {
    db.close();
  }
}

const rangeOf = (owner: string) => IDBKeyRange.bound(`${owner}/`, `${owner}/\uffff`);

/** Deletes all rows of a person, with any content. */
export async function deleteDrafts(owner: string): Promise<void> {
  const db = await openDraftDatabase();
  try {
    const tx = db.transaction(DRAFT_STORES, 'readwrite', { durability: 'strict' });
    for (const name of DRAFT_STORES) await tx.objectStore(name).delete(rangeOf(owner));
    await tx.done;
  } finally {
    db.close();
  }
}
