import type { Question } from '#contract/questions.ts';
import { fetchPicture } from '#app/lib/files.ts';
import { decodePicture } from '#app/lib/pictures/decode-picture.ts';
import type { Decode } from '#app/lib/pictures/prepare-picture.ts';
import type { PaperPicture } from '#interchange/paper/write.ts';
import { namedPictures } from './import-plan.ts';

/** Pictures of the questions by their keys; a failed one is missing, which a writer reports as a loss. */
export async function fetchPictures<P>(
  questions: readonly Question[],
  convert: (picture: Blob) => Promise<P>,
  onProgress: (message: string) => void,
): Promise<Map<string, P>> {
  const keys = [...namedPictures(questions)];
  const pictures = new Map<string, P>();
  for (const [index, key] of keys.entries()) {
    onProgress(`Собираем рисунки: ${index + 1} из ${keys.length}`);
    const picture = await fetchPicture(key)
      .then(convert)
      .catch(() => null);
    if (picture !== null) pictures.set(key, picture);
  }
  return pictures;
}

/** A picture as it is stored. */
export const asStored = async (picture: Blob) => ({
  mimeType: picture.type,
  bytes: new Uint8Array(await picture.arrayBuffer()),
});

const SHOWN_BY_WORD = ['image/png', 'image/jpeg', 'image/gif'] as const;
const QUALITY = 0.9;

/** A picture with its size, converted where Word may not show it, as WebP. */
export async function forWord(stored: Blob, decode: Decode = decodePicture): Promise<PaperPicture> {
  const picture = await decode(stored);
  try {
    const { width, height, hasTransparency } = picture;
    const known = SHOWN_BY_WORD.find((type) => type === stored.type);
    const other = hasTransparency ? 'image/png' : 'image/jpeg';
    const shown = known ? stored : await picture.encode(picture, other, QUALITY);
    return { ...(await asStored(shown)), mimeType: known ?? other, width, height };
  } finally {
    picture.close();
  }
}
