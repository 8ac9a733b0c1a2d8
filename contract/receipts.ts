import * as v from 'valibot';
import { PRODUCT } from './health.ts';
import { Id, IsoTime } from './primitives.ts';
import { route } from './route.ts';

/** A public key of the school's receipts, Ed25519, 32 bytes in base64url. */
const ReceiptKey = v.object({
  id: v.string(),
  publicKey: v.string(),
  madeAt: IsoTime,
  /** Null: it signs now. Receipts of attempts that ended before stay valid. */
  retiredAt: v.nullable(IsoTime),
});
export type ReceiptKey = v.InferOutput<typeof ReceiptKey>;

export const ReceiptKeys = v.object({ product: v.literal(PRODUCT), keys: v.array(ReceiptKey) });
export type ReceiptKeys = v.InferOutput<typeof ReceiptKeys>;

export const getReceiptKeys = route({
  name: 'getReceiptKeys',
  summary: 'Public keys by which anybody checks receipts; retired ones too',
  method: 'GET',
  path: '/.well-known/exam-room-keys.json',
  access: 'anyone',
  ownership: 'none',
  reply: ReceiptKeys,
});

/** A signed text about a finished attempt (`docs/adr/0018-receipts.md`). */
export const AttemptReceipt = v.object({
  text: v.string(),
  /** Ed25519 over the text in UTF-8, base64url. */
  signature: v.string(),
  keyId: v.string(),
  /** 8 signs of the text's SHA-256, for comparing by eye. */
  code: v.string(),
  /** What counts now, in the words of the text. */
  present: v.object({
    answersDigest: v.string(),
    /** «—»: not all graded; null: not shown to the reader. */
    points: v.nullable(v.string()),
  }),
  /** Null for the student. */
  log: v.nullable(
    v.object({
      length: v.number(),
      digest: v.string(),
      /** False: an entry of the log was removed or changed. */
      isWhole: v.boolean(),
    }),
  ),
});
export type AttemptReceipt = v.InferOutput<typeof AttemptReceipt>;

export const getReceipt = route({
  name: 'getReceipt',
  summary:
    'The receipt of a finished attempt, made when its student reads it first, and anew once he sees its points',
  method: 'GET',
  path: '/api/attempts/{attemptId}/receipt',
  access: 'signedIn',
  ownership: 'attemptReader',
  params: v.object({ attemptId: Id }),
  /** Null for a grader: the student has not read it since the attempt ended. */
  reply: v.object({ receipt: v.nullable(AttemptReceipt) }),
  errors: ['NOT_FOUND', 'GONE', 'ATTEMPT_RUNNING', 'BEGIN_HELD'],
});

export const rotateReceiptKey = route({
  name: 'rotateReceiptKey',
  summary: 'Sign receipts with a new key from now on; the old public keys stay published',
  method: 'POST',
  path: '/api/admin/receipt-keys',
  access: 'admin',
  ownership: 'none',
  confirmation: 'admin',
  bodyType: 'none',
  reply: v.object({ keyId: v.string() }),
  errors: ['CONFIRMATION_REQUIRED'],
});
