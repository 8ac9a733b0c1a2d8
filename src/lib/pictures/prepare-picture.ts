import { formatNumber, formatSize } from '#domain/format.ts';

/** Decoding a larger file could freeze the device. */
const PICTURE_FILE_BYTES = 20 * 1024 * 1024;
/** Limit for a photo or a scan of a page, which is scaled down at once. */
export const MAX_PHOTO_BYTES = 64 * 1024 * 1024;
/** A decoded picture takes four bytes per pixel. */
const MOST_PIXELS = 100_000_000;
/** Maximum side of a stored picture, px. */
const SIDE = 1_600;
/** Target size of a picture in bytes. */
const AIMED_BYTES = 1024 * 1024;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A decoded picture in its intended orientation. */
export interface Decoded extends Size {
  /**
   * Re-encodes the picture, so that only pixels remain. `type` is a preference: a browser that cannot encode it
   * returns another type.
   */
  encode(
    size: Size,
    type: 'image/webp' | 'image/jpeg' | 'image/png',
    quality: number,
  ): Promise<Blob>;
  readonly hasTransparency: boolean;
  close(): void;
}

export type Decode = (file: Blob) => Promise<Decoded>;

/** A picture that cannot be accepted; `message` contains the reason and advice in Russian. */
export class PictureRefusal extends Error {}

const ascii = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** Formats that every browser shows and the server accepts. */
const WEB_FORMATS = ['jpeg', 'png', 'gif', 'webp'] as const;

/** Names of formats that only some browsers decode. */
const OTHER_FORMATS = { avif: 'AVIF', heic: 'HEIC', bmp: 'BMP', tiff: 'TIFF' } as const;

type WebFormat = (typeof WEB_FORMATS)[number];
type Format = WebFormat | keyof typeof OTHER_FORMATS;

const isWebFormat = (format: Format | 'svg' | null): format is WebFormat =>
  WEB_FORMATS.some((one) => one === format);

/** Detects the format from the content; a name or a declared type can be wrong. */
function formatOf(head: Uint8Array): Format | 'svg' | null {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg';
  if (ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (/^GIF8[79]a/.test(ascii(head, 0, 6))) return 'gif';
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 4) === 'WEBP') return 'webp';
  if (ascii(head, 0, 2) === 'BM') return 'bmp';
  if (ascii(head, 4, 4) === 'ftyp') {
    const brand = ascii(head, 8, 4);
    if (/^avi[fs]/.test(brand)) return 'avif';
    if (/^(hei|hev|mif1|msf1)/.test(brand)) return 'heic';
  }
  if (['II*\0', 'MM\0*'].includes(ascii(head, 0, 4))) return 'tiff';
  const text = new TextDecoder()
    .decode(head)
    .replace(/^\uFEFF/, '')
    .trimStart();
  return /^(<\?xml[\s\S]*?)?(<!--[\s\S]*?-->\s*|<!DOCTYPE svg[\s\S]*?>\s*)*<svg[\s>]/i.test(text)
    ? 'svg'
    : null;
}

function jpegSize(view: DataView): Size | null {
  let at = 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(view: DataView, head: Uint8Array): Size | null {
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  switch (ascii(head, 12, 4)) {
    case 'VP8X':
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return null;
  }
}

/** Width and height from the file header, before decoding; null if not found there. */
export function sizeInHead(head: Uint8Array): Size | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    switch (formatOf(head)) {
      case 'png':
        return { width: view.getUint32(16), height: view.getUint32(20) };
      case 'gif':
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
      case 'bmp':
        return {
          width: Math.abs(view.getInt32(18, true)),
          height: Math.abs(view.getInt32(22, true)),
        };
      case 'jpeg':
        return jpegSize(view);
      case 'webp':
        return webpSize(view, head);
      default:
        return null;
    }
  } catch {
    return null;
  }
}

/** Dimensions scaled to at most `side`, preserving the aspect ratio. */
export function fitted({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

const isTooLarge = ({ width, height }: Size) => width * height > MOST_PIXELS;

function refuseSize({ width, height }: Size): never {
  throw new PictureRefusal(
    `Картинка слишком большая: ${formatNumber(width)} × ${formatNumber(height)} точек. Уменьшите её и выберите снова.`,
  );
}

/** Reduces quality first, then dimensions, until the size fits. */
const LADDER = [
  [SIDE, 0.86],
  [SIDE, 0.74],
  [SIDE, 0.6],
  [1_200, 0.6],
  [900, 0.5],
] as const;

async function lightest(picture: Decoded): Promise<Blob> {
  let last: Blob | undefined;
  for (const [side, quality] of LADDER) {
    const size = fitted(picture, side);
    last = await picture.encode(size, 'image/webp', quality);
    if (last.type !== 'image/webp') {
      const type = picture.hasTransparency ? 'image/png' : 'image/jpeg';
      last = await picture.encode(size, type, quality);
    }
    if (last.size <= AIMED_BYTES) return last;
  }
  throw new PictureRefusal(
    'Картинку не удалось сделать легче. Сохраните её меньшей и выберите снова.',
  );
}

/** Bytes to read for format and dimensions; a photograph may start with a large embedded preview. */
const HEAD_BYTES = 256 * 1024;

const readHead = async (file: Blob) =>
  new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());

/** The server accepts larger ones, but nothing shows more. */
const MAX_UNCHANGED_SIDE = 4_096;

/** Whether the content is a picture that every browser shows and the server accepts, in format and dimensions. */
export async function isWebPicture(file: Blob): Promise<boolean> {
  const head = await readHead(file);
  const size = sizeInHead(head);
  return (
    isWebFormat(formatOf(head)) &&
    size !== null &&
    Math.max(size.width, size.height) <= MAX_UNCHANGED_SIDE
  );
}

/** Whether the content is a raster picture, even one that this browser may not decode. */
export async function isPicture(file: Blob): Promise<boolean> {
  const format = formatOf(await readHead(file));
  return format !== null && format !== 'svg';
}

/**
 * Decodes a picture after checking its format and its dimensions.
 * @param advice for a format that this browser does not decode
 * @throws PictureRefusal with a message for the user
 */
export async function openPicture(
  file: Blob,
  decode: Decode,
  advice = 'Сохраните картинку как JPEG или PNG и выберите снова.',
): Promise<Decoded> {
  const head = await readHead(file);
  const format = formatOf(head);
  if (format === 'svg') {
    throw new PictureRefusal('SVG не подойдёт. Сохраните картинку как PNG и выберите снова.');
  }
  if (format === null) {
    throw new PictureRefusal('Это не картинка. Подойдут JPEG, PNG, WebP и GIF.');
  }
  const declared = sizeInHead(head);
  if (declared && isTooLarge(declared)) refuseSize(declared);
  const picture = await decode(file).catch(() => {
    throw new PictureRefusal(
      isWebFormat(format)
        ? 'Картинка не открывается: файл повреждён. Выберите другой.'
        : `${OTHER_FORMATS[format]} этот браузер не открывает. ${advice}`,
    );
  });
  const isEmpty = picture.width === 0 || picture.height === 0;
  if (!isEmpty && !isTooLarge(picture)) return picture;
  picture.close();
  if (isEmpty) throw new PictureRefusal('Картинка пустая. Выберите другую.');
  return refuseSize(picture);
}

/**
 * Prepares a picture for upload: at most 1600 px and about 1 MB, re-encoded, so that location, camera and other
 * metadata are removed.
 * @throws PictureRefusal with a message for the user
 */
export async function preparePicture(
  file: Blob,
  decode: Decode,
  maxBytes = PICTURE_FILE_BYTES,
): Promise<Blob> {
  if (file.size === 0) throw new PictureRefusal('Файл пустой. Выберите другую картинку.');
  if (file.size > maxBytes) {
    throw new PictureRefusal(
      `Файл весит ${formatSize(file.size)}, а можно до ${formatSize(maxBytes)}. Уменьшите картинку и выберите снова.`,
    );
  }
  const picture = await openPicture(file, decode);
  try {
    return await lightest(picture);
  } finally {
    picture.close();
  }
}
