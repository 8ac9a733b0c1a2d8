/** Letters of Russian texts by frequency, with their occurrences per thousand. */
const LETTERS = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';
const PER_THOUSAND = [
  110, 85, 80, 74, 67, 63, 55, 47, 45, 43, 35, 32, 30, 28, 26, 20, 19, 17, 17, 16, 16, 14, 12, 10,
  9, 7, 6, 5, 4, 3, 3, 1, 1,
];
const LIKELIHOOD = new Map(
  Array.from(LETTERS, (letter, index) => [letter, Math.log((PER_THOUSAND[index] ?? 1) / 1000)]),
);
const OTHER = Math.log(0.0001);
/** Characters of Russian typography are as frequent as a rare letter. */
const SIGNS = new Set('«»—–…№„“”’°±×·−\u00a0§');
const SIGN = Math.log(0.004);

const ENCODINGS = ['windows-1251', 'koi8-r', 'ibm866'] as const;
const SAMPLE_BYTES = 64 * 1024;

/** How much a text resembles Russian by its characters beyond ASCII, and the share of them that fits. */
function likelihood(text: string): { fit: number; belonging: number } {
  let fit = 0;
  let count = 0;
  let belonging = 0;
  let before = '';
  for (const character of text) {
    if (character > '\u007f') {
      const lower = character.toLowerCase();
      const known = LIKELIHOOD.get(lower);
      const isCapital = lower !== character;
      // Inverted case is typical of KOI8-R decoded as windows-1251.
      const wrongCase = isCapital && before !== before.toUpperCase() ? 3 : 0;
      fit += (known ?? (SIGNS.has(character) ? SIGN : OTHER)) - (isCapital ? 0.7 : 0) - wrongCase;
      count += 1;
      if (known !== undefined || SIGNS.has(character)) belonging += 1;
    }
    before = character;
  }
  // Every encoding decodes the same bytes to as many such characters, so the sums are comparable.
  return { fit, belonging: belonging / count };
}

/** Letters of Western Europe, and single ones of them within a Latin word. */
const WESTERN = /[À-ÿ]/g;
const WESTERN_ALONE = /(?<=[A-Za-z])[À-ÿ](?!\P{ASCII})|(?<!\P{ASCII})[À-ÿ](?=[A-Za-z])/gu;

/** Most letters beyond ASCII are single within Latin words: French or German, not Russian. */
function isWestern(bytes: Uint8Array): boolean {
  const text = new TextDecoder('windows-1252').decode(bytes);
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return count(WESTERN_ALONE) > count(WESTERN) * 0.6;
}

/** The one-byte encoding with the result that resembles Russian most; null: none does. */
export function likelyEncoding(bytes: Uint8Array): string | null {
  // The beginning of a table may be all Latin: e-mails, ids. One preceding byte stays, since it shows a Latin
  // word.
  const start = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1);
  const sample = bytes.subarray(start, start + SAMPLE_BYTES);
  if (isWestern(sample)) return 'windows-1252';
  const scored = ENCODINGS.map((encoding) => ({
    encoding,
    ...likelihood(new TextDecoder(encoding).decode(sample)),
  })).sort((a, b) => b.fit - a.fit);
  const best = scored[0];
  return best !== undefined && best.belonging > 0.75 ? best.encoding : null;
}
