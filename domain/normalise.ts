import { normalForm } from './normal-form.ts';

/** Text answers are compared without case, outer and doubled spaces, and the ё/е difference. */
export function normaliseText(text: string): string {
  return normalForm(text, 'NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/[«»“”„]/g, '"')
    .replaceAll(/[’‘`]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Texts with the same one look the same to a reader: «все» and «всё», «мПа» and «МПа» do not. */
export const shownIdentity = (text: string): string =>
  normalForm(text, 'NFC').replaceAll(/\s+/g, ' ').trim();

/** A number in Russian or English notation; null when the text is no plain number. */
export const parseNumber = (text: string): number | null => numberIn(normaliseText(text));

function numberIn(normalised: string): number | null {
  const plain = normalised.replaceAll(' ', '').replace(',', '.').replace(/^\+/, '');
  if (!/^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** Above it a double cannot distinguish neighbouring whole numbers. */
const EXACT_BELOW = 1e15;

/** A typed or an accepted answer, normalised once for all comparisons. */
export interface ComparableAnswer {
  readonly text: string;
  /** Null: no plain number. */
  readonly value: number | null;
}

export function comparableAnswer(written: string): ComparableAnswer {
  const text = normaliseText(written);
  return { text, value: numberIn(text) };
}

/** Whether a typed answer matches the accepted one: as text, or as numbers within the tolerance. */
export function matchesAccepted(
  typed: ComparableAnswer,
  accepted: ComparableAnswer,
  tolerance: number,
): boolean {
  const a = typed.value;
  const b = accepted.value;
  if (a !== null && b !== null && Math.max(Math.abs(a), Math.abs(b)) < EXACT_BELOW) {
    // Slack for rounding at the tolerance's edge: 4.95 − 4.9 is a little more than 0.05.
    const slack = tolerance === 0 ? 0 : 1e-12 * Math.max(1, Math.abs(b));
    return Math.abs(a - b) <= tolerance + slack;
  }
  return typed.text === accepted.text;
}

/**
 * Equal for two accepted answers exactly when they match the same typed ones: numbers by value and tolerance,
 * others by their normalised text.
 */
export function acceptedIdentity(written: string, tolerance: number): string {
  const { text, value } = comparableAnswer(written);
  return value === null || Math.abs(value) >= EXACT_BELOW ? text : `${value} ± ${tolerance}`;
}

/**
 * Equal for two accepted answers that a reader takes for a repetition. A number may be accepted twice: exactly,
 * and with a smaller share within a tolerance.
 */
export function writtenIdentity(written: string, tolerance: number): string {
  const { text, value } = comparableAnswer(written);
  return value === null ? text : `${text} ± ${tolerance}`;
}
