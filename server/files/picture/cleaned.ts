/** A picture without metadata and trailing data. */
export interface CleanPicture {
  readonly bytes: Buffer;
  /** In pixels, as displayed. */
  readonly width: number;
  readonly height: number;
}

/** The bytes are not the whole picture that their header announces. */
export class BrokenPicture extends Error {}

/** Parts that even a small picture may have: an animation has a dozen for each frame. */
const MIN_PARTS = 10_000;
/**
 * Fewest bytes of a picture for each of its parts beyond these. Cameras and editors write parts of kilobytes; a JPEG of
 * empty segments has two bytes for each part, and would take a hundred times as long to read.
 */
const MIN_BYTES_PER_PART = 64;

/** Reads bytes in order; throws `BrokenPicture` at their end, and for more parts than a picture has. */
export class PictureReader {
  readonly bytes: Buffer;
  at: number;
  #partsLeft: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
    this.#partsLeft = MIN_PARTS + bytes.length / MIN_BYTES_PER_PART;
  }

  take(count: number): Buffer {
    this.countPart();
    if (count < 0 || this.at + count > this.bytes.length) throw new BrokenPicture();
    const taken = this.bytes.subarray(this.at, this.at + count);
    this.at += count;
    return taken;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  /** Counts a step of reading. */
  countPart(): void {
    this.#partsLeft -= 1;
    if (this.#partsLeft < 0) throw new BrokenPicture();
  }
}
