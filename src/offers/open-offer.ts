import * as v from 'valibot';
import type { Offer } from '#contract/offers.ts';
import { StudentQuestion } from '#contract/questions.ts';
import { fromBase64Url, toBase64Url } from '#domain/base64url.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { decryptBytes, utf8 } from '#app/storage/cipher.ts';
import type { StoredOffer } from '#app/storage/offer-database.ts';

/** Opens an offer with the start code and its owner's device key. Neither of them opens anything alone. */

/** A picture or a recording, as the server's `getFile` replies it. */
export interface OpenedFile {
  readonly key: string;
  readonly text: string;
}

/**
 * - `wrongCode`: the offer is whole and belongs to the key, and the code is another one
 * - `damaged`: it is truncated, or belongs to somebody else's key
 * - `noWasm`: the browser cannot compute the code's key, or has no memory for it
 */
export type OpenFailure = 'wrongCode' | 'damaged' | 'noWasm';

export interface OpenedContent {
  readonly questions: readonly StudentQuestion[];
  readonly files: readonly OpenedFile[];
  /** That the content was opened, for this stream. */
  readonly proof: string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

const Content = v.object({ questions: v.pipe(v.array(StudentQuestion), v.minLength(1)) });

/** Null: another key or place, or the bytes are not whole. */
async function open(
  key: CryptoKey,
  place: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (bytes.byteLength < IV_BYTES + TAG_BYTES) return null;
  const iv = bytes.slice(0, IV_BYTES).buffer;
  return decryptBytes(key, place, { iv, cipher: bytes.slice(IV_BYTES).buffer });
}

/** Null: the text is no base64url. */
function readBytes(base64url: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64Url(base64url);
  } catch {
    return null;
  }
}

const importAes = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt']);

/** The content key under the code's key; null: the offer is damaged, or not for this device key. */
const openWithDevice = async ({ offerId, wrappedKey }: Offer, deviceKey: CryptoKey) => {
  const bytes = readBytes(wrappedKey);
  return bytes && open(deviceKey, `offer-key/${offerId}`, bytes);
};

/** Whether the offer is for the holder of this device key, as far as that is visible without the code. */
export const isOfferOf = async (offer: Offer, deviceKey: CryptoKey): Promise<boolean> =>
  (await openWithDevice(offer, deviceKey)) !== null;

function parseContent(plain: Uint8Array<ArrayBuffer>): readonly StudentQuestion[] | null {
  try {
    const parsed = v.safeParse(Content, JSON.parse(new TextDecoder().decode(plain)));
    return parsed.success ? parsed.output.questions : null;
  } catch {
    return null;
  }
}

async function openFiles(
  key: CryptoKey,
  { offer, files }: StoredOffer,
): Promise<OpenedFile[] | null> {
  if (files.length !== offer.files.length) return null;
  const opened: OpenedFile[] = [];
  for (const [index, file] of offer.files.entries()) {
    const bytes = new Uint8Array(files[index] ?? new ArrayBuffer(0));
    const plain = await open(key, `offer-file/${offer.offerId}/${file.key}`, bytes);
    if (plain === null) return null;
    opened.push({ key: file.key, text: new TextDecoder().decode(plain) });
  }
  return opened;
}

async function proofOf(
  contentKey: Uint8Array<ArrayBuffer>,
  offerId: string,
  stream: string,
): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', contentKey, hmac, false, ['sign']);
  const signed = await crypto.subtle.sign('HMAC', key, utf8(`begin/${offerId}/${stream}`));
  return toBase64Url(new Uint8Array(signed));
}

const loadDerivation = createModuleLoader(() => import('./derive-code-key.ts'));

/** The whole content of the offer, or nothing of it. */
export async function openOffer(
  stored: StoredOffer,
  code: string,
  deviceKey: CryptoKey,
  stream: string,
): Promise<OpenedContent | OpenFailure> {
  const { offer } = stored;
  const inner = await openWithDevice(offer, deviceKey);
  const salt = readBytes(offer.code.salt);
  const content = readBytes(offer.content);
  if (!inner || !salt || !content) return 'damaged';
  if (typeof WebAssembly === 'undefined') return 'noWasm';
  const { deriveCodeKey } = await loadDerivation();
  const derived = await deriveCodeKey(code, salt, offer.code).catch(() => null);
  if (!derived) return 'noWasm';
  const codeKey = await importAes(derived);
  const contentKey = await open(codeKey, `offer-key/${offer.offerId}`, inner);
  // The device key has vouched for these bytes, so nothing but the code can be wrong.
  if (!contentKey) return 'wrongCode';
  const key = await importAes(contentKey);
  const plain = await open(key, `offer-content/${offer.offerId}`, content);
  const questions = plain && parseContent(plain);
  const files = questions && (await openFiles(key, stored));
  if (!questions || !files) return 'damaged';
  return { questions, files, proof: await proofOf(contentKey, offer.offerId, stream) };
}
