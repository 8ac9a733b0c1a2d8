import { hkdfSync } from 'node:crypto';

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
