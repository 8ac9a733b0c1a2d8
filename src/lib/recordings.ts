import { RECORDING_BYTES } from '#contract/limits.ts';
import { formatSize } from '#domain/format.ts';
import { PictureRefusal } from './pictures/prepare-picture.ts';

/** The `accept` of the file input. */
export const RECORDING_TYPES = '.mp3,.m4a,.wav,audio/mpeg,audio/mp4,audio/wav';

/** Whether a chosen file is probably a recording; the server checks its content. */
export const isRecording = (file: Blob): boolean =>
  file.type.startsWith('audio/') || (file instanceof File && /\.(?:mp3|m4a|wav)$/i.test(file.name));

const PLAYED = /^audio\/(?:mpeg|mp3|mp4|x-m4a|m4a|wav|x-wav|wave|vnd\.wave)$/;

/** A recording is sent unchanged. Rejects with `PictureRefusal` when it is too large or of another kind. */
export async function prepareRecording(file: Blob): Promise<Blob> {
  if (file.type.startsWith('audio/') && !PLAYED.test(file.type))
    throw new PictureRefusal(
      'Такую запись сыграет не каждый телефон. Сохраните её в MP3: подойдут MP3, M4A и WAV.',
    );
  if (file.size <= RECORDING_BYTES) return file;
  throw new PictureRefusal(
    `Запись занимает ${formatSize(file.size)}, а помещается ${formatSize(RECORDING_BYTES)}. Сохраните её в MP3 с меньшим качеством (для речи хватает 64 кбит/с) или разделите.`,
  );
}
