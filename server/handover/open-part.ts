import { inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { HANDOVER_JSON_BYTES, HANDOVER_PART_BYTES, HandoverCalls } from '#contract/handover.ts';
import { handoverPlace, splitPart } from '#domain/handover.ts';
import { decrypt } from '#server/auth/device-key.ts';
import { readJson } from '#server/http/read-json.ts';
import { Refusal } from '#server/http/refusal.ts';

/** A part that was opened: made by a device of its owner, and by nobody else. */
export interface OpenedPart {
  readonly madeAt: Date | null;
  readonly calls: readonly unknown[];
  readonly file: Buffer;
}

/**
 * Decrypts before anything else: until then it may be anybody's bytes.
 * @throws {Refusal} HANDOVER_UNREADABLE
 */
export function openPart(key: Buffer, owner: string, sealed: Buffer): OpenedPart {
  const packed = decrypt(key, sealed, handoverPlace(owner));
  if (packed === null) throw new Refusal('HANDOVER_UNREADABLE');
  try {
    const maxOutputLength = HANDOVER_PART_BYTES + HANDOVER_JSON_BYTES;
    const part = splitPart(inflateRawSync(packed, { maxOutputLength }));
    if (part === null || part.json.length > HANDOVER_JSON_BYTES)
      throw new Refusal('HANDOVER_UNREADABLE');
    const json = readJson(Buffer.from(part.json), {
      limit: HANDOVER_JSON_BYTES,
      onUnstorable: 'replace',
    });
    const { madeAt, calls } = v.parse(HandoverCalls, json);
    return {
      madeAt: madeAt === null ? null : new Date(madeAt),
      calls,
      file: Buffer.from(part.bytes),
    };
  } catch {
    // Its owner's device made it, but not by an app of this school.
    throw new Refusal('HANDOVER_UNREADABLE');
  }
}
