import { detectedType } from './detected-type.ts';

/** Types that every browser plays, iPhones included, with the library's name and the served one. */
const PLAYED = new Map([
  ['audio/mpeg', 'audio/mpeg'],
  ['audio/mp4', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/wav', 'audio/wav'],
]);

export const RECORDING_REFUSED =
  'Это не запись, или её сыграет не каждый телефон. Сохраните её в MP3: подойдут MP3, M4A и WAV';

const HANDLER = 'hdlr';
/** From the name of a handler's box to the kind of its track. */
const KIND_AFTER = 12;

/** MP4 files without a picture have the same name as those with one, so the kinds of the tracks decide. */
function hasSoundAlone(mp4: Buffer): boolean {
  const kinds: string[] = [];
  for (let at = mp4.indexOf(HANDLER); at !== -1; at = mp4.indexOf(HANDLER, at + 1))
    kinds.push(mp4.toString('latin1', at + KIND_AFTER, at + KIND_AFTER + 4));
  return kinds.includes('soun') && !kinds.includes('vide');
}

/** The media type of a recording by its content; null: not every browser could play it. */
export async function recordingType(bytes: Buffer): Promise<string | null> {
  const type = (await detectedType(bytes)) ?? '';
  if (type === 'video/mp4' && hasSoundAlone(bytes)) return 'audio/mp4';
  return PLAYED.get(type) ?? null;
}
