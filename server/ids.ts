import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const BYTES_EACH = 16;
const DRAWN_AT_ONCE = 256;

/** Makes new ids, UUIDv7. Chance is drawn for many at once: every call gets one, and each draw costs. */
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
