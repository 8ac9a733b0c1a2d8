import { imageSize } from 'image-size';

/** Width and height of a picture in pixels, as shown; null: its bytes do not contain them. */
export function pictureSize(
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | null {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) return null;
    // From the fifth value on a camera has turned it by a quarter.
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    return null;
  }
}
