import { createSeriesReader } from '#app/lib/qr-series/series-reader.ts';
import { encodeSeries } from '#app/lib/qr-series/encode-series.ts';
import { isSameBytes } from '#app/lib/qr-series/series-frame.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A camera in front of a screen that shows bytes as a series of QR codes, without the pictures. */

/** Frames that the screen shows while the camera sees them in any order. */
const AT_ONCE = 4;
const LOST = 0.3;
const SEEN_TWICE = 0.2;
/** How often the camera is there from the first frame on. */
const FROM_THE_START = 0.5;
const LATEST_START = 1_000;
/** Of another screen; in several frames, so that one is not all of it. */
const OTHER_BYTES = 1_200;

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.int(left.length), 1));
}

/** What a camera sees: some frames never, some twice, some late, and one of another screen between them. */
function* seenFrames(random: Random, bytes: Uint8Array): Generator<Uint8Array> {
  const series = encodeSeries(bytes);
  const other = encodeSeries(random.bytes(OTHER_BYTES)).frame(random.int(series.count));
  const start = random.chance(FROM_THE_START) ? 0 : random.int(LATEST_START);
  // So many suffice whichever are lost.
  const end = start + 4 * series.count + 40;
  for (let at = start; at < end; at += AT_ONCE) {
    const seen = Array.from({ length: AT_ONCE }, (_, i) => series.frame(at + i))
      .filter(() => !random.chance(LOST))
      .flatMap((frame) => (random.chance(SEEN_TWICE) ? [frame, frame] : [frame]));
    yield* shuffled(random, at === start ? [...seen, other] : seen);
  }
}

/** Bytes as a camera reads them from another screen; null: it does not, which is a violation. */
export function readByCamera(
  { random, plant, history }: World,
  shown: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> | null {
  const reader = (plant.createSeriesReader ?? createSeriesReader)();
  let frames = 0;
  for (const frame of seenFrames(random.fork(`camera ${shown.length}`), shown)) {
    frames += 1;
    const { bytes } = reader.add(frame);
    if (!bytes) continue;
    if (isSameBytes(bytes, shown)) return Uint8Array.from(bytes);
    history.violate({ invariant: 'seriesIsRead', detail: 'a camera reads other bytes' });
    return null;
  }
  history.violate({ invariant: 'seriesIsRead', detail: `${frames} frames are not enough` });
  return null;
}
