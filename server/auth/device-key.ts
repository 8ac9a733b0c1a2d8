import { hkdfSync } from 'node:crypto';

/** Names the use: no other secret of the server's comes from the same key and label. */
const LABEL = 'exam-room device key 1';
const KEY_BYTES = 32;

/**
 * The key under which a person's rows lie on a device while somebody else, or nobody, is signed in there.
 * Always the same for one person and one database, backups of it included: what a device has encrypted
 * opens again after a restore. Given to its owner alone, and never written down.
 */
export function deviceKeyOf(sealKey: Buffer, userId: string): string {
  const key = hkdfSync('sha256', sealKey, userId, LABEL, KEY_BYTES);
  return Buffer.from(key).toString('base64url');
}
