import {
  decryptBytes,
  encryptBytes,
  fromText,
  toText,
  utf8,
  type Ciphered,
} from '#app/storage/cipher.ts';
import { logProblem } from './log.ts';

/**
 * Where drafts of forms are stored: in the tab while their author is signed in. When the sign-in ends by itself
 * they move into memory, and the tab gets their ciphertext, so that they survive a reload (ADR 9).
 */

export const DRAFT_KINDS = ['ai', 'bank', 'grading', 'import', 'settings', 'template'] as const;

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const ENCRYPTED = 'encrypted ';

/** Drafts of authors who are not signed in. */
const hidden = new Map<string, string>();
/** Undefined: nothing reacts to the sign-in, as in a test of one form. */
let signedIn: string | null | undefined;

const memory: DraftStorage = {
  getItem: (key) => hidden.get(key) ?? null,
  setItem: (key, text) => void hidden.set(key, text),
  removeItem: (key) => void hidden.delete(key),
};

/** May throw: storage may be forbidden. */
export const draftStorageOf = (owner: string): DraftStorage =>
  signedIn === undefined || signedIn === owner ? window.sessionStorage : memory;

/** Null: the entry is no draft. */
function ownerOf(key: string): string | null {
  const [kind, owner = null] = key.split(':');
  return DRAFT_KINDS.some((known) => known === kind) ? owner : null;
}

/** The drafts in the tab, encrypted or not. */
function storedDrafts(): { key: string; owner: string; text: string }[] {
  try {
    return Object.entries<string>(window.sessionStorage).flatMap(([key, text]) => {
      const owner = ownerOf(key);
      return owner === null ? [] : [{ key, owner, text }];
    });
  } catch {
    // Storage is forbidden: there are no drafts.
    return [];
  }
}

/** False: storage is full or forbidden. */
function store(key: string, text: string): boolean {
  try {
    window.sessionStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Reacts to a sign-in at once: other people's drafts leave the tab, and this person's come back. */
export function showFormDrafts(owner: string | null): void {
  signedIn = owner;
  for (const stored of storedDrafts()) {
    if (stored.owner === owner || stored.text.startsWith(ENCRYPTED)) continue;
    hidden.set(stored.key, stored.text);
    window.sessionStorage.removeItem(stored.key);
  }
  for (const [key, text] of hidden)
    if (ownerOf(key) === owner && store(key, text)) hidden.delete(key);
}

/** Null: there is no key, and a draft is only in memory or encrypted. */
type ReadKey = (owner: string) => Promise<CryptoKey | null>;

/** Stores the ciphertext of the drafts in memory. */
export async function encryptFormDrafts(readKey: ReadKey): Promise<void> {
  for (const [key, text] of hidden) {
    const deviceKey = await readKey(ownerOf(key) ?? '');
    if (deviceKey === null) continue;
    const row = await encryptBytes(deviceKey, key, utf8(text));
    // Meanwhile its author may have signed in again, or signed out deliberately.
    if (hidden.get(key) === text) store(key, `${ENCRYPTED}${toText(row)}`);
  }
}

/** Null: another key or a damaged ciphertext. */
async function decrypt(deviceKey: CryptoKey, key: string, text: string): Promise<string | null> {
  try {
    const row = fromText(text.slice(ENCRYPTED.length)) as Ciphered;
    const plain = await decryptBytes(deviceKey, key, row);
    return plain && new TextDecoder().decode(plain);
  } catch {
    return null;
  }
}

/** Decrypts the drafts of one person into memory; `showFormDrafts` returns them from there. */
export async function decryptFormDrafts(owner: string, readKey: ReadKey): Promise<void> {
  const encrypted = storedDrafts().filter(
    (stored) => stored.owner === owner && stored.text.startsWith(ENCRYPTED),
  );
  if (encrypted.length === 0) return;
  const deviceKey = await readKey(owner);
  if (deviceKey === null) return;
  for (const { key, text } of encrypted) {
    const plain = await decrypt(deviceKey, key, text);
    if (plain === null) logProblem('Черновик формы не расшифровать', { key });
    else if (!hidden.has(key)) hidden.set(key, plain);
  }
}

/** A manual sign-out erases the drafts of the person who leaves, and nobody else's. */
export function eraseFormDrafts(owner: string): void {
  for (const key of hidden.keys()) if (ownerOf(key) === owner) hidden.delete(key);
  for (const stored of storedDrafts())
    if (stored.owner === owner) window.sessionStorage.removeItem(stored.key);
}
