import { LOGO_BYTES } from '#contract/limits.ts';
import { decodePicture } from '#app/lib/pictures/decode-picture.ts';
import {
  isWebPicture,
  MAX_PHOTO_BYTES,
  preparePicture,
  type Decode,
} from '#app/lib/pictures/prepare-picture.ts';

const EXTENSIONS = new Map([
  ['image/webp', 'webp'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
]);

/**
 * Prepares a logo: unchanged if the server accepts it, else (a scan of a page, HEIC) scaled down and re-encoded
 * by the browser.
 * @throws PictureRefusal with a message for the user
 */
export async function prepareLogo(file: File, decode: Decode = decodePicture): Promise<File> {
  if (file.size <= LOGO_BYTES && (await isWebPicture(file))) return file;
  const picture = await preparePicture(file, decode, MAX_PHOTO_BYTES);
  const stem = file.name.replace(/\.[^.]*$/, '');
  const extension = EXTENSIONS.get(picture.type) ?? 'png';
  return new File([picture], `${stem}.${extension}`, { type: picture.type });
}
