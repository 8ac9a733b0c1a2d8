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

/** A full storage keeps what it has; the keys still serve the page. */
function store(keys: ReceiptKeys): void {
  try {
    openLocalStorage().setItem(STORED_AT, JSON.stringify(keys));
  } catch (cause) {
    logProblem('Ключи школы не записать', { cause });
  }
}

/** The school's public keys: from the server, or those that it published when it was last reached. */
export async function loadReceiptKeys(): Promise<readonly ReceiptKey[]> {
  try {
    const published = await call(getReceiptKeys, {}, { timeoutMs: 5_000 });
    store(published);
    return published.keys;
  } catch {
    return readStored();
  }
}
