import { LOGO_BYTES } from '#contract/limits.ts';
import { decodePicture } from '#app/offline/decode-picture.ts';
import { isWebPicture, preparePicture, type Decode } from '#app/offline/prepare-picture.ts';

const EXTENSIONS = new Map([
  ['image/webp', 'webp'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
]);

/**
 * A logo as it is sent: as it was picked where the server takes it, else drawn anew by the browser.
 * @throws PictureRefusal with words for the person
 */
export async function prepareLogo(file: File, decode: Decode = decodePicture): Promise<File> {
  if (file.size <= LOGO_BYTES && (await isWebPicture(file))) return file;
  const picture = await preparePicture(file, decode);
  const stem = file.name.replace(/\.[^.]*$/, '');
  const extension = EXTENSIONS.get(picture.type) ?? 'png';
  return new File([picture], `${stem}.${extension}`, { type: picture.type });
}
