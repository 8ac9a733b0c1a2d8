import { createHash, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const BYTES_EACH = 16;
const DRAWN_AT_ONCE = 256;

/** Generates ids, UUIDv7. Random bytes are drawn for many at once: every call needs some, and each draw costs. */
export function createIds(): () => string {
  const drawn = new Uint8Array(BYTES_EACH * DRAWN_AT_ONCE);
  let at = drawn.length;
  const rng = (): Uint8Array => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    at += BYTES_EACH;
    return drawn.slice(at - BYTES_EACH, at);
  };
  return () => v7({ rng });
}

/** A UUID (version 8) derived from a text. */
export function stableId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
