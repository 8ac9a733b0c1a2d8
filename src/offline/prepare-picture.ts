import { formatNumber, formatSize } from '#domain/format.ts';

/** Decoding a larger file would only stop the device. */
export const PICTURE_FILE_BYTES = 20 * 1024 * 1024;
/** Decoded, a picture takes four bytes a pixel. */
const MOST_PIXELS = 100_000_000;
/** Longest side of what is kept, px. */
const SIDE = 1_600;
/** What a picture should weigh at most. */
const AIMED_BYTES = 1024 * 1024;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A decoded picture, turned as it is meant to be seen. */
export interface Decoded extends Size {
  /**
   * Draws it anew, so that nothing but pixels is left of the file. `type` is wished for: a browser
   * that cannot write it gives another one.
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

/** A picture that cannot be taken; `message` says in Russian why and what to do. */
export class PictureRefusal extends Error {}

const ascii = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** Every browser shows these, and the server takes them. */
const WEB_FORMATS = ['jpeg', 'png', 'gif', 'webp'] as const;

/** What only some browsers open, as it is called. */
const OTHER_FORMATS = { avif: 'AVIF', heic: 'HEIC', bmp: 'BMP', tiff: 'TIFF' } as const;

type WebFormat = (typeof WEB_FORMATS)[number];
type Format = WebFormat | keyof typeof OTHER_FORMATS;

const isWebFormat = (format: Format | 'svg' | null): format is WebFormat =>
  WEB_FORMATS.some((one) => one === format);

/** The format by content; a name or a type that was told proves nothing. */
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

/** Width and height by the file's head, before anything is decoded; null: they are not told there. */
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

/** Sides that keep the proportions and are at most `side` long. */
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

/** Lower quality first, then smaller sides, until it is light enough. */
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

/** So much of a file tells its format and size; a photograph may begin with a large preview of itself. */
const HEAD_BYTES = 256 * 1024;

const readHead = async (file: Blob) =>
  new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());

/** Whether a file is, by its content, a picture that every browser shows and the server takes. */
export const isWebPicture = async (file: Blob): Promise<boolean> =>
  isWebFormat(formatOf(await readHead(file)));

/**
 * A picture as it is kept: at most 1600 px and about 1 MB, drawn anew, so that place, camera and
 * whatever else the file told are gone.
 * @throws PictureRefusal with words for the person
 */
export async function preparePicture(file: Blob, decode: Decode): Promise<Blob> {
  if (file.size === 0) throw new PictureRefusal('Файл пустой. Выберите другую картинку.');
  if (file.size > PICTURE_FILE_BYTES) {
    throw new PictureRefusal(
      `Файл весит ${formatSize(file.size)}, а можно до ${formatSize(PICTURE_FILE_BYTES)}. Уменьшите картинку и выберите снова.`,
    );
  }
  const head = await readHead(file);
  const format = formatOf(head);
  if (format === 'svg') {
    throw new PictureRefusal('SVG не подойдёт. Сохраните картинку как PNG и выберите снова.');
  }
  if (format === null) {
    throw new PictureRefusal('Это не картинка. Подойдут JPEG, PNG, WebP и GIF.');
  }
  const told = sizeInHead(head);
  if (told && isTooLarge(told)) refuseSize(told);
  const picture = await decode(file).catch(() => {
    throw new PictureRefusal(
      isWebFormat(format)
        ? 'Картинка не открывается: файл повреждён. Выберите другой.'
        : `${OTHER_FORMATS[format]} этот браузер не открывает. Сохраните картинку как JPEG или PNG и выберите снова.`,
    );
  });
  try {
    if (isTooLarge(picture)) refuseSize(picture);
    if (picture.width === 0 || picture.height === 0)
      throw new PictureRefusal('Картинка пустая. Выберите другую.');
    return await lightest(picture);
  } finally {
    picture.close();
  }
}
