import * as v from 'valibot';
import { getReceiptKeys, ReceiptKeys, type ReceiptKey } from '#contract/receipts.ts';
import { call } from '#app/api/call.ts';
import { openLocalStorage } from '#app/lib/local-storage.ts';
import { logProblem } from '#app/lib/log.ts';

/** Public, so they outlive the sign-in: receipts are checked without a network, too. */
const STORED_AT = 'receipt-keys';

function readStored(): readonly ReceiptKey[] {
  try {
    const text = openLocalStorage().getItem(STORED_AT);
    return text === null ? [] : v.parse(ReceiptKeys, JSON.parse(text)).keys;
  } catch (cause) {
    logProblem('Ключи школы не прочитать', { cause });
    return [];
  }
}

/** Bounds what is kept beside the published keys. */
const MAX_UNPUBLISHED = 50;

/**
 * A restored database may have forgotten keys that signed, and that one was retired; the device forgets neither. The
 * published keys come first, the newest at their head.
 */
function merge(published: readonly ReceiptKey[], known: readonly ReceiptKey[]): ReceiptKey[] {
  const knownById = new Map(known.map((key) => [key.id, key]));
  const present = published.map((key) => ({
    ...key,
    retiredAt: knownById.get(key.id)?.retiredAt ?? key.retiredAt,
  }));
  const ids = new Set(published.map(({ id }) => id));
  const others = known.filter(({ id }) => !ids.has(id)).slice(0, MAX_UNPUBLISHED);
  return [...present, ...others];
}

/** A full storage keeps what it has; the keys still serve the page. */
function store(keys: ReceiptKeys): void {
  try {
    openLocalStorage().setItem(STORED_AT, JSON.stringify(keys));
  } catch (cause) {
    logProblem('Ключи школы не записать', { cause });
  }
}

/** The school's public keys that this device knows: those that the server publishes, and those that it published before. */
export async function loadReceiptKeys(): Promise<readonly ReceiptKey[]> {
  try {
    const { product, keys: published } = await call(getReceiptKeys, {}, { timeoutMs: 5_000 });
    const keys = merge(published, readStored());
    store({ product, keys });
    return keys;
  } catch {
    return readStored();
  }
}
