import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The purpose label: no other secret of the server is derived from the same key and label. */
const LABEL = 'exam-room device key 1';
const KEY_BYTES = 32;

/**
 * The key that encrypts a person's rows on a device while that person is not signed in there. Always the same for one
 * person and one database, backups included: rows encrypted on a device can be decrypted after a restore. Sent only to
 * its owner, and never stored.
 */
export function deviceKeyOf(sealKey: Buffer, userId: string): string {
  const key = hkdfSync('sha256', sealKey, userId, LABEL, KEY_BYTES);
  return Buffer.from(key).toString('base64url');
}

export const deviceKeyBytes = (sealKey: Buffer, userId: string): Buffer =>
  Buffer.from(deviceKeyOf(sealKey, userId), 'base64url');

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM as WebCrypto has it: iv, ciphertext, tag. `place` is authenticated, so that no part replaces another. */
export function encrypt(key: Buffer, plain: Buffer, place: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Null: another key or place, or the bytes are not whole. */
export function decrypt(key: Buffer, sealed: Buffer, place: string): Buffer | null {
  if (sealed.length < IV_BYTES + TAG_BYTES) return null;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, end)), decipher.final()]);
  } catch {
    return null;
  }
}
