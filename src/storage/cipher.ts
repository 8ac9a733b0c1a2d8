import * as v from 'valibot';
import { fromBase64Url } from '#domain/base64url.ts';

/** Encrypts a person's data on a device, bound to the row by additional authenticated data. */

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export interface Ciphered {
  readonly iv: ArrayBuffer;
  readonly cipher: ArrayBuffer;
}

const IV_BYTES = 12;

const subtle = (): SubtleCrypto | undefined => globalThis.crypto?.subtle;

/** A non-extractable key. Null without WebCrypto (insecure context). */
export async function importDeviceKey(base64url: string): Promise<CryptoKey | null> {
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  return (
    (await subtle()?.importKey('raw', fromBase64Url(base64url), 'AES-GCM', false, usages)) ?? null
  );
}

const parameters = (iv: BufferSource, place: string): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(place),
});

/**
 * Encrypts, then decrypts to verify, before the caller deletes the plaintext.
 * @param place additional authenticated data: the ciphertext decrypts only with the same place
 */
export async function encryptBytes(
  key: CryptoKey,
  place: string,
  plain: Uint8Array<ArrayBuffer>,
): Promise<Ciphered> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const cipher = await crypto.subtle.encrypt(parameters(iv, place), key, plain);
  const again = await decryptBytes(key, place, { iv: iv.buffer, cipher });
  const isSame =
    again?.byteLength === plain.byteLength && again.every((byte, at) => byte === plain[at]);
  if (!isSame) throw new Error('a cipher does not open again');
  return { iv: iv.buffer, cipher };
}

/** Null: wrong key or damaged ciphertext. */
export async function decryptBytes(
  key: CryptoKey,
  place: string,
  { iv, cipher }: Ciphered,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters(iv, place), key, cipher));
  } catch {
    return null;
  }
}

const SPECIAL = '\u0000special';
const BYTES = '\u0000bytes';

/** Values that a database stores and JSON lacks. */
function specialOf(value: unknown): readonly string[] | null {
  if (value === undefined) return ['undefined'];
  if (typeof value === 'bigint') return ['bigint', String(value)];
  if (typeof value === 'number' && !Number.isFinite(value)) return ['number', String(value)];
  if (value instanceof Date) return ['date', String(value.getTime())];
  return null;
}

function parseSpecial([kind, text]: readonly string[]): unknown {
  if (kind === 'bigint') return BigInt(text ?? '');
  if (kind === 'number') return Number(text);
  return kind === 'date' ? new Date(Number(text)) : undefined;
}

function isPlain(value: unknown): boolean {
  if (value === null || value instanceof ArrayBuffer || specialOf(value)) return true;
  if (typeof value === 'number') return true;
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  const isBare = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isBare && Object.values(value).every(isPlain);
}

function encode(value: unknown): unknown {
  const special = specialOf(value);
  if (special) return { [SPECIAL]: special };
  if (value instanceof ArrayBuffer) return { [BYTES]: Array.from(new Uint8Array(value)) };
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, encode(part)]));
}

const Special = v.object({ [SPECIAL]: v.array(v.string()) });
const Coded = v.object({ [BYTES]: v.array(v.number()) });

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  if (v.is(Special, value)) return parseSpecial(value[SPECIAL] ?? []);
  if (v.is(Coded, value)) return Uint8Array.from(value[BYTES] ?? []).buffer;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decode(part)]));
}

/** Serializes any row; null when it would not survive the round trip. */
export const toText = (value: unknown): string | null =>
  isPlain(value) ? JSON.stringify(encode(value)) : null;

export const fromText = (text: string): unknown => decode(JSON.parse(text));
