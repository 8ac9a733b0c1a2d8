import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { deviceKeyBytes, encrypt } from '#server/auth/device-key.ts';

/** The purpose label: no other secret of the server is derived from the same key and label. */
const LABEL = 'exam-room offer content 1';
const KEY_BYTES = 32;

/**
 * The key of an offer's content. Stored nowhere and always the same for one database, backups included: an offer that
 * lies on a device can be proven after a restore.
 */
const contentKeyOf = (sealKey: Buffer, offerId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', sealKey, offerId, LABEL, KEY_BYTES));

/** The content key, opened by the start code and by the key of the student's device together. */
export function wrapKey(
  { sealKey, codeKey }: { readonly sealKey: Buffer; readonly codeKey: Buffer },
  { offerId, userId }: { readonly offerId: string; readonly userId: string },
): string {
  const purpose = `offer-key/${offerId}`;
  const inner = encrypt(codeKey, contentKeyOf(sealKey, offerId), purpose);
  return encrypt(deviceKeyBytes(sealKey, userId), inner, purpose).toString('base64url');
}

export const encryptContent = (sealKey: Buffer, offerId: string, content: unknown): string =>
  encrypt(
    contentKeyOf(sealKey, offerId),
    Buffer.from(JSON.stringify(content)),
    `offer-content/${offerId}`,
  ).toString('base64url');

export const encryptFile = (sealKey: Buffer, offerId: string, key: string, file: Buffer): Buffer =>
  encrypt(contentKeyOf(sealKey, offerId), file, `offer-file/${offerId}/${key}`);

/** What a device that opened the content can compute, for this stream. */
export const proofOf = (sealKey: Buffer, offerId: string, stream: string): Buffer =>
  createHmac('sha256', contentKeyOf(sealKey, offerId))
    .update(`begin/${offerId}/${stream}`)
    .digest();

/** Whether a device proves that it opened the content, for this stream. */
export function isRightProof(
  sealKey: Buffer,
  { offerId, stream, proof }: { offerId: string; stream: string; proof: string },
): boolean {
  const right = proofOf(sealKey, offerId, stream);
  const given = Buffer.from(proof, 'base64url');
  return given.length === right.length && timingSafeEqual(given, right);
}
