import { ed25519 } from '@noble/curves/ed25519.js';
import type { ReceiptKey } from '#contract/receipts.ts';
import { toBase64Url } from '#domain/base64url.ts';
import { formatDocument, formatReceipt, type ReceiptFacts } from '#domain/receipt.ts';

const DIGEST = 'A'.repeat(43);

export const RECEIPT_FACTS: ReceiptFacts = {
  student: 'Мария Ёлкина',
  test: 'Законы Ньютона',
  attemptNumber: '1',
  attemptId: '0192f3c8-0000-7000-8000-000000000001',
  questionsDigest: DIGEST,
  answersCount: '9',
  answersDigest: DIGEST,
  points: '7 из 10',
  startedAt: '2026-03-02T06:00:00.000Z',
  deadline: '2026-03-02T06:40:00.000Z',
  finishedAt: '2026-03-02T06:35:00.000Z',
  logLength: '0',
  logDigest: DIGEST,
};

/** A school's key pair and a receipt that it signed. */
export function signReceipt(keyId = 'school-key'): {
  key: ReceiptKey;
  text: string;
  signature: string;
  document: string;
} {
  const { secretKey, publicKey } = ed25519.keygen();
  const text = formatReceipt(RECEIPT_FACTS);
  const signature = toBase64Url(ed25519.sign(new TextEncoder().encode(text), secretKey));
  return {
    key: {
      id: keyId,
      publicKey: toBase64Url(publicKey),
      madeAt: RECEIPT_FACTS.startedAt,
      retiredAt: null,
    },
    text,
    signature,
    document: formatDocument({ text, keyId, signature }),
  };
}
