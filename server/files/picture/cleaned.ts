/** A picture without metadata and trailing data. */
export interface CleanPicture {
  readonly bytes: Buffer;
  /** In pixels, as displayed. */
  readonly width: number;
  readonly height: number;
}

/** The bytes are not the whole picture that their header announces. */
export class BrokenPicture extends Error {}

/** Reads bytes in order; throws `BrokenPicture` at their end. */
export class PictureReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  take(count: number): Buffer {
    if (count < 0 || this.at + count > this.bytes.length) throw new BrokenPicture();
    const taken = this.bytes.subarray(this.at, this.at + count);
    this.at += count;
    return taken;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }
}
