import { INVISIBLE, withoutInvisible } from './format-typed.ts';
import { lookOfLetters, readLetters } from './look-alikes.ts';
import { normalForm } from './normal-form.ts';
import { SUBSCRIPT, SUPERSCRIPT, unifyRaised } from './raised.ts';

/**
 * Characters that the compatibility form NFKC would change in meaning: superscripts and subscripts («10²» is not
 * «102»), numbers and letters in circles and squares, spacing accents, which it writes with a blank, and the two
 * ligatures of many words.
 */
const APART = String.raw`${SUPERSCRIPT}${SUBSCRIPT}\u00A8\u00AF\u00B8\u02D8-\u02DD\u037A\u0384\u1FBD\u1FBF\u1FC0\u1FFE\u2017\u203E\u2460-\u2473\u24B6-\u24EA\u3244-\u3247\u3250-\u327E\u3280-\u32BF\u32D0-\u32FE\u{1F12B}-\u{1F12E}\u{1F130}-\u{1F14F}\u{1F190}\u{1F200}-\u{1F251}\uFDFA\uFDFB`;
const TOGETHER = new RegExp(`[^${APART}]+`, 'gu');

/** «½» and «㎡»: their compatibility forms would join the number before them, or lose the power. */
const FRACTION = /(\p{Nd}?)([\u00BC-\u00BE\u2150-\u215F\u2189])/gu;
const SQUARED_UNIT = /[\u3378\u3379\u339F-\u33A6\u33A8\u33AF]/g;

const withPlainSigns = (text: string): string =>
  text
    .replaceAll(
      FRACTION,
      (_, digit: string, fraction: string) =>
        `${digit && `${digit} `}${fraction.normalize('NFKC')}`,
    )
    .replaceAll(SQUARED_UNIT, (unit) =>
      unit.normalize('NFKC').replace('2', '\u00B2').replace('3', '\u00B3'),
    )
    // Before NFKC, which writes them with a blank or as two.
    .replaceAll(/[\u00BA\u02DA]/g, '°')
    .replaceAll(/[\u00B4\u2032\u2035]/g, "'")
    .replaceAll(/[\u2033\u2036]/g, '"')
    .replaceAll(TOGETHER, (part) => normalForm(part, 'NFKC'))
    .replaceAll(/[\u2010-\u2015\u2212\u02D7\u2043\u2796]/g, '-')
    .replaceAll(/[«»“”„‟]/g, '"')
    .replaceAll(/[’‘‛`\u02B9-\u02BC\u02C8]/g, "'")
    .replaceAll("''", '"')
    .replaceAll(/[\u2044\u2215]/g, '/')
    .replaceAll(/[\u2022\u2027\u2219\u22C5]/g, '·')
    .replaceAll('\u2217', '*')
    .replaceAll('\u2236', ':')
    .replaceAll('\u2223', '|')
    .replaceAll(/[\u02DC\u223C]/g, '~')
    .replaceAll('\u02C6', '^')
    .replaceAll('\u201A', ',')
    .replaceAll('\u2206', '\u0394')
    .replaceAll('\u220F', '\u03A0')
    .replaceAll('\u2211', '\u03A3');

/** Control characters without a width. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F]/g;
/** Includes a character that looks like a blank but is none for `\s`. */
const BLANKS = /[\s\u0085\u2800]+/g;

const fold = (text: string): string => text.toLowerCase().replaceAll('ё', 'е');

/** All readings of a text for the comparison. Texts are grouped by the first one. */
function readingsOf(text: string): readonly [string, ...string[]] {
  const seen = text.replaceAll(INVISIBLE, '').replaceAll(CONTROLS, '').replaceAll(BLANKS, ' ');
  // Full-width characters become markup, and signs within raised text are unified.
  const plain = withPlainSigns(unifyRaised(withPlainSigns(seen)))
    .replaceAll(/ +/g, ' ')
    .trim();
  const [first, ...others] = readLetters(plain);
  return [fold(first), ...others.map(fold)];
}

/**
 * Text answers are compared without case, outer and doubled spaces, the ё/е difference, and invisible characters:
 * docs/MARKING.md.
 */
export const normaliseText = (text: string): string => readingsOf(text)[0];

/** Texts with the same value look the same to a reader: «все» and «всё», «мПа» and «МПа» do not. */
export const shownIdentity = (text: string): string =>
  lookOfLetters(normalForm(withoutInvisible(text), 'NFC'))
    .replaceAll(BLANKS, ' ')
    .trim();

/** A number in Russian or English notation; null when the text is no plain number. */
export const parseNumber = (text: string): number | null => comparableAnswer(text).value;

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
  /** The possible readings of its appearance. Answers are grouped by the first one. */
  readonly readings: readonly [string, ...string[]];
  /** Null: no plain number. */
  readonly value: number | null;
}

export function comparableAnswer(written: string): ComparableAnswer {
  const readings = readingsOf(written);
  const values = readings.map(numberIn);
  return { readings, value: values.find((value) => value !== null) ?? null };
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
  return typed.readings.some((reading) => accepted.readings.includes(reading));
}

/**
 * Equal for two accepted answers exactly when they match the same typed ones: numbers by value and tolerance,
 * others by their normalised text.
 */
export function acceptedIdentity(written: string, tolerance: number): string {
  const { readings, value } = comparableAnswer(written);
  return value === null || Math.abs(value) >= EXACT_BELOW ? readings[0] : `${value} ± ${tolerance}`;
}

/**
 * For each accepted answer whether a reader would see it as a repetition of an earlier one. A number may be accepted
 * twice: exactly, and with a smaller share within a tolerance.
 */
export function markRepeated(
  accepted: readonly { readonly text: string; readonly tolerance: number }[],
): boolean[] {
  const seen = new Set<string>();
  return accepted.map(({ text, tolerance }) => {
    const { readings, value } = comparableAnswer(text);
    const written = readings.map((reading) =>
      value === null ? reading : `${reading} ± ${tolerance}`,
    );
    const isRepeated = written.some((one) => seen.has(one));
    for (const one of written) seen.add(one);
    return isRepeated;
  });
}
