import { MAX_PICTURE_SOURCE_BYTES } from '#interchange/limits.ts';
import type { ExportedTest, ImportedPicture } from '#interchange/model.ts';

const SIGNATURES: readonly { mimeType: string; extension: string; test: RegExp }[] = [
  { mimeType: 'image/png', extension: 'png', test: /^\u0089PNG\r\n/ },
  { mimeType: 'image/jpeg', extension: 'jpg', test: /^\u00ff\u00d8\u00ff/ },
  { mimeType: 'image/gif', extension: 'gif', test: /^GIF8[79]a/ },
  { mimeType: 'image/webp', extension: 'webp', test: /^RIFF[^]{4}WEBP/ },
  { mimeType: 'image/bmp', extension: 'bmp', test: /^BM[^]{12}/ },
  {
    mimeType: 'audio/mpeg',
    extension: 'mp3',
    test: /^(?:ID3|\u00ff[\u00e2\u00e3\u00f2\u00f3\u00fa\u00fb])/,
  },
  { mimeType: 'audio/mp4', extension: 'm4a', test: /^[^]{4}ftyp(?:M4A|mp4|iso)/ },
  { mimeType: 'audio/wav', extension: 'wav', test: /^RIFF[^]{4}WAVE/ },
];

/** A file by its name, for a sentence about a part that was not imported. */
export const namedFile = (name: string, form: 'nominative' | 'genitive' = 'nominative'): string => {
  const isSound = /\.(?:mp3|m4a|wav|ogg|oga|aac|flac)(?:\?|$)/i.test(name);
  const [nominative, genitive] = isSound ? ['Запись', 'Записи'] : ['Картинка', 'Картинки'];
  return `${form === 'nominative' ? nominative : genitive} «${name.slice(0, 80)}»`;
};

/** The type of a file by its first bytes; null: no raster picture or recording for browsers. */
function pictureType(bytes: Uint8Array): { mimeType: string; extension: string } | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return SIGNATURES.find(({ test }) => test.test(head)) ?? null;
}

/** File name of a picture in a written test. */
export function pictureFileName(key: string, mimeType: string): string {
  const known = SIGNATURES.find((signature) => signature.mimeType === mimeType);
  return `${key.replaceAll('/', '-')}.${known?.extension ?? 'img'}`;
}

/** A picture or recording by its key, with its file name; null, and a loss, if it is missing. */
export function namedPicture(
  key: string,
  missing: string,
  pictures: ExportedTest['pictures'],
  loss: (line: string) => void,
): { readonly name: string; readonly bytes: Uint8Array } | null {
  const picture = pictures.get(key);
  if (!picture) {
    loss(`${missing} нет, осталось её описание`);
    return null;
  }
  return { name: pictureFileName(key, picture.mimeType), bytes: picture.bytes };
}

/** Bytes of a base64 text; null when it is invalid. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const binary = atob(text.replaceAll(/\s+/g, ''));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

export type PictureImport = { readonly key: string } | { readonly loss: string };

/** Imports a picture under a new key, or returns the reason in Russian why not. */
export function importPicture(
  bytes: Uint8Array | null,
  name: string,
  newId: () => string,
  add: (picture: ImportedPicture) => void,
): PictureImport {
  if (!bytes) return { loss: `${namedFile(name)} повреждена` };
  if (bytes.length > MAX_PICTURE_SOURCE_BYTES)
    return {
      loss: `${namedFile(name)} больше ${MAX_PICTURE_SOURCE_BYTES / 1024 / 1024} МБ: уменьшите её`,
    };
  const type = pictureType(bytes);
  if (!type)
    return {
      loss: `Файл «${name}» не перенесён: это не картинка PNG, JPEG, GIF, WebP или BMP и не запись MP3, M4A или WAV`,
    };
  const key = newId();
  add({ key, name, mimeType: type.mimeType, bytes });
  return { key };
}
