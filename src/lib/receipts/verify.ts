import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { ReceiptKey } from '#contract/receipts.ts';
import { fromBase64Url } from '#domain/base64url.ts';
import {
  controlCode,
  readDocument,
  type DocumentProblem,
  type ReadReceipt,
} from '#domain/receipt.ts';

/**
 * - `noKeys`: this device has never seen the school's keys
 * - `unknownKey`: another school's, a key newer than the stored ones, or one that a restore of the server lost
 * - `changed`: the signature belongs to another text
 * - `retiredKey`: the attempt ended after the school had retired the key, so somebody else has it
 */
export type ReceiptProblem = DocumentProblem | 'noKeys' | 'unknownKey' | 'changed' | 'retiredKey';

export type ReceiptVerdict =
  | { readonly kind: 'genuine'; readonly receipt: ReadReceipt; readonly code: string }
  | { readonly kind: ReceiptProblem };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The strict rules of RFC 8032. A signature or key of a wrong form is a wrong one. */
function isSigned({ text, signature }: ReadReceipt, { publicKey }: ReceiptKey): boolean {
  try {
    const options = { zip215: false };
    return ed25519.verify(
      fromBase64Url(signature),
      bytesOf(text),
      fromBase64Url(publicKey),
      options,
    );
  } catch {
    return false;
  }
}

/** Checks a document by the school's public keys, on this device alone. */
export function verifyReceipt(document: string, keys: readonly ReceiptKey[]): ReceiptVerdict {
  const receipt = readDocument(document);
  if (typeof receipt === 'string') return { kind: receipt };
  if (keys.length === 0) return { kind: 'noKeys' };
  const key = keys.find(({ id }) => id === receipt.keyId);
  if (!key) return { kind: 'unknownKey' };
  if (!isSigned(receipt, key)) return { kind: 'changed' };
  const { retiredAt } = key;
  if (retiredAt !== null && Date.parse(receipt.facts.finishedAt) > Date.parse(retiredAt))
    return { kind: 'retiredKey' };
  const code = controlCode(receipt.text, (text) => sha256(bytesOf(text)));
  return { kind: 'genuine', receipt, code };
}
