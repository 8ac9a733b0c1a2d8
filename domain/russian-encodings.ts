/** Letters of Russian texts from the commonest, and how many times in a thousand. */
const LETTERS = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';
const PER_THOUSAND = [
  110, 85, 80, 74, 67, 63, 55, 47, 45, 43, 35, 32, 30, 28, 26, 20, 19, 17, 17, 16, 16, 14, 12, 10,
  9, 7, 6, 5, 4, 3, 3, 1, 1,
];
const LIKELIHOOD = new Map(
  Array.from(LETTERS, (letter, index) => [letter, Math.log((PER_THOUSAND[index] ?? 1) / 1000)]),
);
const OTHER = Math.log(0.0001);
/** Signs of Russian typography are as usual as a rare letter. */
const SIGNS = new Set('«»—–…№„“”’°±×·−\u00a0§');
const SIGN = Math.log(0.004);

const ENCODINGS = ['windows-1251', 'koi8-r', 'ibm866'] as const;
const SAMPLE_BYTES = 64 * 1024;

/** How much a text looks like Russian: over its characters beyond ASCII, the mean and the share that belongs. */
function likelihood(text: string): { mean: number; belonging: number } {
  let sum = 0;
  let count = 0;
  let belonging = 0;
  let before = '';
  for (const character of text) {
    if (character > '\u007f') {
      const lower = character.toLowerCase();
      const known = LIKELIHOOD.get(lower);
      const isCapital = lower !== character;
      // Case turned over is how KOI8-R read as windows-1251 looks.
      const wrongCase = isCapital && before !== before.toUpperCase() ? 3 : 0;
      sum += (known ?? (SIGNS.has(character) ? SIGN : OTHER)) - (isCapital ? 0.7 : 0) - wrongCase;
      count += 1;
      if (known !== undefined || SIGNS.has(character)) belonging += 1;
    }
    before = character;
  }
  return {
    mean: count === 0 ? OTHER : sum / count,
    belonging: count === 0 ? 0 : belonging / count,
  };
}

/** Single letters beyond ASCII within Latin words: French or German, not Russian. */
function isWestern(bytes: Uint8Array): boolean {
  const isLatin = (byte: number | undefined) =>
    byte !== undefined && ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));
  let alone = 0;
  let all = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0xc0) continue;
    all += 1;
    const [before, after] = [bytes[at - 1], bytes[at + 1]];
    if ((isLatin(before) || isLatin(after)) && (before ?? 0) < 0x80 && (after ?? 0) < 0x80)
      alone += 1;
  }
  return all > 0 && alone > all * 0.6;
}

/** The one-byte encoding that makes most sense of the bytes; null: none does. */
export function likelyEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (isWestern(sample)) return 'windows-1252';
  const scored = ENCODINGS.map((encoding) => ({
    encoding,
    ...likelihood(new TextDecoder(encoding).decode(sample)),
  })).sort((a, b) => b.mean - a.mean);
  const best = scored[0];
  return best !== undefined && best.belonging > 0.75 ? best.encoding : null;
}
