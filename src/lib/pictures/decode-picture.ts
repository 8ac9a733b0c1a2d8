import type { Decoded, Size } from './prepare-picture.ts';

/** A downscaled copy is enough to detect transparency. */
const PROBE_SIDE = 200;

/** Draws over a picture of a size. */
export type Paint = (context: CanvasRenderingContext2D, size: Size) => void;

function drawn(bitmap: ImageBitmap, { width, height }: Size, paint?: Paint): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas here');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  paint?.(context, { width, height });
  return canvas;
}

function isTransparent(bitmap: ImageBitmap): boolean {
  const scale = Math.min(1, PROBE_SIDE / Math.max(bitmap.width, bitmap.height));
  const size = {
    width: Math.max(1, Math.round(bitmap.width * scale)),
    height: Math.max(1, Math.round(bitmap.height * scale)),
  };
  const pixels = drawn(bitmap, size).getContext('2d')?.getImageData(0, 0, size.width, size.height);
  return pixels?.data.some((value, index) => index % 4 === 3 && value < 255) ?? false;
}

/**
 * Decodes with the browser, applying the EXIF orientation; what is encoded again has been painted over. Rejects what
 * is not a picture.
 */
export async function decodePicture(file: Blob, paint?: Paint): Promise<Decoded> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  return {
    width: bitmap.width,
    height: bitmap.height,
    hasTransparency: isTransparent(bitmap),
    encode: (size, type, quality) =>
      new Promise((resolve, reject) => {
        drawn(bitmap, size, paint).toBlob(
          (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be drawn'))),
          type,
          quality,
        );
      }),
    close: () => bitmap.close(),
  };
}
