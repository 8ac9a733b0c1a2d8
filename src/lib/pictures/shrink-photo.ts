import { formatSize, NBSP } from '#domain/format.ts';
import type { Paint } from './decode-picture.ts';
import {
  fitted,
  MAX_PHOTO_BYTES,
  openPicture,
  PictureRefusal,
  type Decode,
} from './prepare-picture.ts';

/** Quality first, then the sides in px: handwriting must stay readable. WebKit draws at most 4096 × 4096 px. */
const LADDER = [
  [4_096, 0.88],
  [4_096, 0.8],
  [3_200, 0.8],
  [2_560, 0.76],
  [2_048, 0.72],
  [1_600, 0.7],
  [1_200, 0.64],
  [900, 0.56],
  [640, 0.48],
] as const;

const SAVE_AS_JPEG =
  'Сохраните фото как JPEG (на iPhone: «Настройки», «Камера», «Форматы», «Наиболее совместимые») или снимите его кнопкой «Сфотографировать».';

/** JPEG has no transparency: a transparent background would be black. */
export const paintWhiteBelow: Paint = (context, { width, height }) => {
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
};

/**
 * A photo as a JPEG of at most `maxBytes`, in its intended orientation, without location and camera.
 * @throws PictureRefusal with a message for the student
 */
export async function shrinkPhoto(file: Blob, maxBytes: number, decode: Decode): Promise<Blob> {
  if (file.size > MAX_PHOTO_BYTES) {
    throw new PictureRefusal(
      `Фото весит ${formatSize(file.size)}: так много здесь не уменьшить. Снимите его с меньшим разрешением.`,
    );
  }
  const photo = await openPicture(file, decode, SAVE_AS_JPEG);
  try {
    for (const [side, quality] of LADDER) {
      // A device may lack the memory for the large ones.
      const jpeg = await photo.encode(fitted(photo, side), 'image/jpeg', quality).catch(() => null);
      if (jpeg?.type === 'image/jpeg' && jpeg.size <= maxBytes) return jpeg;
    }
  } finally {
    photo.close();
  }
  throw new PictureRefusal(
    `Фото не удалось уменьшить до ${formatSize(maxBytes)}. Обрежьте его или снимите с меньшим разрешением.`,
  );
}

/** «Фото уменьшено: 14 → 3,2 МБ» */
export function formatShrunk(before: number, after: number): string {
  const [from = '', unit] = formatSize(before).split(NBSP);
  const to = formatSize(after);
  return `Фото уменьшено: ${to.endsWith(`${NBSP}${unit}`) ? from : formatSize(before)} → ${to}`;
}
