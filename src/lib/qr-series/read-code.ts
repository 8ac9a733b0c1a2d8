import { decodeQR } from 'qr/decode.js';

export interface CameraImage {
  readonly width: number;
  readonly height: number;
  /** RGBA, row by row. */
  readonly data: Uint8ClampedArray;
}

/** The library returns texts only: one character for each byte preserves them. */
const textDecoder = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** The content of a QR code in the image, if there is a legible one. */
export function readCode({ width, height, data }: CameraImage): Uint8Array | null {
  try {
    const text = decodeQR({ width, height, data }, { textDecoder });
    return Uint8Array.from(text, (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
