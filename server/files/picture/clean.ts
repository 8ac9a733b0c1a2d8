import { namesOfKind } from '#domain/file-types.ts';
import { detectedType } from '#server/files/detected-type.ts';
import { BrokenPicture, type CleanPicture } from './cleaned.ts';
import { cleanGif } from './gif.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng } from './png.ts';
import { cleanWebp } from './webp.ts';

const CLEANERS = new Map<string, { mimeType: string; clean: (bytes: Buffer) => CleanPicture }>([
  ['image/jpeg', { mimeType: 'image/jpeg', clean: cleanJpeg }],
  ['image/png', { mimeType: 'image/png', clean: cleanPng }],
  // Animated, and a PNG all the same.
  ['image/apng', { mimeType: 'image/png', clean: cleanPng }],
  ['image/webp', { mimeType: 'image/webp', clean: cleanWebp }],
  ['image/gif', { mimeType: 'image/gif', clean: cleanGif }],
]);

const MAX_SIDE = 6_000;
const MAX_PIXELS = 24_000_000;

const ACCEPTED_TYPES = 'Подойдут JPEG, PNG, WebP и GIF';

export type PictureVerdict =
  | { readonly isAccepted: true; readonly bytes: Buffer; readonly mimeType: string }
  /** Russian. */
  | { readonly isAccepted: false; readonly why: string };

const refused = (why: string): PictureVerdict => ({ isAccepted: false, why });

/** «HEIC»; null: a format without a common name. */
function formatName(bytes: Buffer, mimeType: string | undefined): string | null {
  if (/<svg[\s>]/i.test(bytes.toString('latin1', 0, 1_024))) return 'SVG';
  if (mimeType === undefined) return null;
  const pictureName = /^image\/(?:x-)?([a-z\d]+)$/.exec(mimeType)?.[1];
  return (namesOfKind(mimeType)[0] ?? pictureName)?.toUpperCase() ?? null;
}

/** A picture by its content, without metadata and trailing data; or the reason of the refusal. */
export async function validatePicture(bytes: Buffer): Promise<PictureVerdict> {
  if (bytes.length === 0) return refused(`Файл пуст. ${ACCEPTED_TYPES}`);
  const mimeType = await detectedType(bytes);
  const cleaner = CLEANERS.get(mimeType ?? '');
  if (!cleaner) {
    const format = formatName(bytes, mimeType);
    return refused(
      format === null
        ? `Это не картинка или формат не подходит. ${ACCEPTED_TYPES}`
        : `${format} не подойдёт. ${ACCEPTED_TYPES}`,
    );
  }
  try {
    const { bytes: cleaned, width, height } = cleaner.clean(bytes);
    if (width === 0 || height === 0) throw new BrokenPicture();
    if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) {
      return refused(
        'Картинка слишком велика: не больше 6000 точек по стороне и 24 миллионов точек всего',
      );
    }
    return { isAccepted: true, bytes: cleaned, mimeType: cleaner.mimeType };
  } catch (error) {
    // Reading past the end of a buffer means a truncated picture.
    if (error instanceof BrokenPicture || error instanceof RangeError) {
      return refused(`Картинка повреждена или загрузилась не целиком. ${ACCEPTED_TYPES}`);
    }
    throw error;
  }
}
