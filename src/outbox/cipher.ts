/** AES-GCM over what lies on the device for somebody who is not signed in. */

export interface Ciphered {
  readonly iv: ArrayBuffer;
  readonly cipher: ArrayBuffer;
}

const IV_BYTES = 12;

const subtle = (): SubtleCrypto | undefined => globalThis.crypto?.subtle;

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** A key whose bytes nobody can read out again. Null: without WebCrypto (insecure context) there is none. */
export async function importDeviceKey(base64url: string): Promise<CryptoKey | null> {
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  return (await subtle()?.importKey('raw', bytesOf(base64url), 'AES-GCM', false, usages)) ?? null;
}

const parameters = (iv: BufferSource, place: string): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(place),
});

/**
 * Encrypts and looks whether it opens again before anything in plain is given up.
 * @param place bound to the cipher: it opens there alone
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

/** Null: another key, or a damaged cipher. */
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
