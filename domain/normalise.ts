/** Text answers are compared without case, outer and doubled spaces, and the ё/е difference. */
export function normaliseText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/[«»“”„]/g, '"')
    .replaceAll(/[’‘`]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A number written the Russian or the English way; null when the text is no plain number. */
export function parseNumber(text: string): number | null {
  const plain = normaliseText(text).replaceAll(' ', '').replace(',', '.').replace(/^\+/, '');
  if (!/^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** Above it a double cannot tell neighbouring whole numbers apart. */
const EXACT_BELOW = 1e15;

/** Whether a typed answer is one of the accepted ones: as text, or as numbers within the tolerance. */
export function matchesAccepted(typed: string, accepted: string, tolerance: number): boolean {
  const a = parseNumber(typed);
  const b = parseNumber(accepted);
  if (a !== null && b !== null && Math.max(Math.abs(a), Math.abs(b)) < EXACT_BELOW) {
    // A hair of slack at the tolerance's edge: 4.95 − 4.9 is a little more than 0.05.
    const slack = tolerance === 0 ? 0 : 1e-12 * Math.max(1, Math.abs(b));
    return Math.abs(a - b) <= tolerance + slack;
  }
  return normaliseText(typed) === normaliseText(accepted);
}
