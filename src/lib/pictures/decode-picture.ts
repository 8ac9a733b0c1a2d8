import type { Decoded, Size } from './prepare-picture.ts';

/** A downscaled copy is enough to detect transparency. */
const PROBE_SIDE = 200;

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Draws over a picture of the given size. */
export type Paint = (context: Context, size: Size) => void;

interface Drawing {
  readonly context: Context;
  readonly encode: (type: string, quality: number) => Promise<Blob>;
}

/** A canvas of the page, or one of a worker, which has no document. */
function createDrawing({ width, height }: Size): Drawing {
  if (typeof document === 'undefined') {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('No canvas here');
    return { context, encode: (type, quality) => canvas.convertToBlob({ type, quality }) };
  }
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas here');
  const encode = (type: string, quality: number) =>
    new Promise<Blob>((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be drawn'))),
        type,
        quality,
      );
    });
  return { context, encode };
}

function drawn(bitmap: ImageBitmap, size: Size, paint?: Paint): Drawing {
  const drawing = createDrawing(size);
  const { context } = drawing;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, size.width, size.height);
  paint?.(context, size);
  return drawing;
}

function isTransparent(bitmap: ImageBitmap): boolean {
  const scale = Math.min(1, PROBE_SIDE / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const { data } = drawn(bitmap, { width, height }).context.getImageData(0, 0, width, height);
  return data.some((value, index) => index % 4 === 3 && value < 255);
}

/**
 * Decodes with the browser, applying the EXIF orientation. Encoding includes everything painted over it. Rejects a file
 * that is no picture.
 */
export async function decodePicture(file: Blob, paint?: Paint): Promise<Decoded> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  return {
    width: bitmap.width,
    height: bitmap.height,
    hasTransparency: isTransparent(bitmap),
    encode: (size, type, quality) => drawn(bitmap, size, paint).encode(type, quality),
    close: () => bitmap.close(),
  };
}
