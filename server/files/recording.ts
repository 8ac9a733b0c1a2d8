import { detectedType } from './detected-type.ts';

/** What every browser plays, iPhones included, as the library names it and as it is served. */
const PLAYED = new Map([
  ['audio/mpeg', 'audio/mpeg'],
  ['audio/mp4', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/wav', 'audio/wav'],
]);

export const RECORDING_REFUSED =
  'Это не запись или её сыграет не каждый телефон. Подойдут MP3, M4A и WAV';

/** The media type of a recording by its content; null: not every browser could play it. */
export async function recordingType(bytes: Buffer): Promise<string | null> {
  return PLAYED.get((await detectedType(bytes)) ?? '') ?? null;
}
