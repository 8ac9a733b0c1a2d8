import type { Question } from '#contract/questions.ts';
import { fetchPicture } from '#app/lib/files.ts';
import { decodePicture } from '#app/lib/pictures/decode-picture.ts';
import type { Decode } from '#app/lib/pictures/prepare-picture.ts';
import type { PaperPicture } from '#interchange/paper/write.ts';
import { namedPictures } from './import-plan.ts';

/**
 * Pictures of the questions by their keys. A failed one is missing, which a writer reports as a loss.
 * @param sourceOf the stored picture from which one is made
 */
export async function fetchPictures<P>(
  questions: readonly Question[],
  convert: (picture: Blob, key: string) => Promise<P>,
  onProgress: (message: string) => void,
  sourceOf: (key: string) => string = (key) => key,
): Promise<Map<string, P>> {
  const keys = [...namedPictures(questions)];
  const pictures = new Map<string, P>();
  for (const [index, key] of keys.entries()) {
    onProgress(`Собираем рисунки: ${index + 1} из ${keys.length}`);
    const picture = await fetchPicture(sourceOf(key))
      .then((stored) => convert(stored, key))
      .catch(() => null);
    if (picture !== null) pictures.set(key, picture);
  }
  return pictures;
}

/** A picture as stored. */
export const asStored = async (picture: Blob) => ({
  mimeType: picture.type,
  bytes: new Uint8Array(await picture.arrayBuffer()),
});

const SHOWN_BY_WORD = ['image/png', 'image/jpeg', 'image/gif'] as const;
const QUALITY = 0.9;

/**
 * A picture with its size, converted if Word may not show it, such as WebP.
 * @param isPainted `decode` paints on the picture, so its stored bytes cannot be used
 */
export async function forWord(
  stored: Blob,
  decode: Decode = (file) => decodePicture(file),
  isPainted = false,
): Promise<PaperPicture> {
  const picture = await decode(stored);
  try {
    const { width, height, hasTransparency } = picture;
    const known = isPainted ? undefined : SHOWN_BY_WORD.find((type) => type === stored.type);
    const other = hasTransparency ? 'image/png' : 'image/jpeg';
    const shown = known ? stored : await picture.encode(picture, other, QUALITY);
    return { ...(await asStored(shown)), mimeType: known ?? other, width, height };
  } finally {
    picture.close();
  }
}
