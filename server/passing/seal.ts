import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Receipt } from '#contract/passing.ts';
import { canonicalJson } from '#domain/canonical-json.ts';

/** The claims of a seal about the attempt, so that a restored server can recreate it. */
const SealClaims = v.object({
  attemptId: v.string(),
  testId: v.string(),
  userId: v.string(),
  contentId: v.string(),
  number: v.number(),
  startedAt: v.number(),
  deadline: v.number(),
  windowSeconds: v.number(),
});
export type SealClaims = v.InferOutput<typeof SealClaims>;

/** Digest of an operation's body, independent of key order and white space. */
export function bodyDigest(body: unknown): Buffer {
  return hash('sha256', canonicalJson(body), 'buffer');
}

function mac(key: Buffer, receipt: Omit<Receipt, 'seal'>, digest: Buffer, claims: string): Buffer {
  // Written in canonical order, which is part of the seal, to avoid sorting at every save.
  const sealed = {
    claims,
    digest: digest.toString('hex'),
    epoch: receipt.epoch,
    operationId: receipt.operationId,
    outcome: receipt.outcome,
    receivedAt: receipt.receivedAt,
    receivedLate: receipt.receivedLate,
    sequence: receipt.sequence,
    stream: receipt.stream,
    writtenAt: receipt.writtenAt,
  } satisfies Omit<Receipt, 'seal'> & { claims: string; digest: string };
  return createHmac('sha256', key).update(JSON.stringify(sealed)).digest();
}

/** Seal of a receipt: `v1.<claims>.<HMAC of the receipt, the body's digest and the claims>`. */
export function sealReceipt(
  key: Buffer,
  receipt: Omit<Receipt, 'seal'>,
  digest: Buffer,
  claims: SealClaims,
): string {
  const packed = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `v1.${packed}.${mac(key, receipt, digest, packed).toString('base64url')}`;
}

/** Claims of a genuine receipt for this body; null for any other. */
export function openSeal(key: Buffer, receipt: Receipt, digest: Buffer): SealClaims | null {
  const { seal, ...rest } = receipt;
  const [version, packed, signature] = seal.split('.');
  if (version !== 'v1' || !packed || !signature) return null;
  const expected = mac(key, rest, digest, packed);
  const signatureBytes = Buffer.from(signature, 'base64url');
  if (signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected))
    return null;
  const claims = v.safeParse(SealClaims, JSON.parse(Buffer.from(packed, 'base64url').toString()));
  return claims.success ? claims.output : null;
}
