/** A number and its tolerance. */
export interface NumberRange {
  readonly text: string;
  readonly tolerance: number;
}

const NUMBER = String.raw`[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?`;
const WITH_TOLERANCE = new RegExp(`^(${NUMBER})(?:\\s*:\\s*(${NUMBER}))?$`);
const BETWEEN = new RegExp(`^(${NUMBER})\\s*\\.\\.\\s*(${NUMBER})$`);

const valueOf = (text: string) => Number(text.replace(',', '.'));

/** Half of a sum without the rounding error of binary fractions. */
const rounded = (value: number) => Number(value.toPrecision(12));

/** With a decimal comma, as in Russian texts. */
const russianNumber = (text: string): string => text.replace(/^\+/, '').replace('.', ',');

/** «5», «5:0.1» or «4.9..5.1»; null: no number. */
export function readRange(given: string): NumberRange | null {
  const text = given.trim().replaceAll('−', '-');
  const between = BETWEEN.exec(text);
  if (between) {
    const [low, high] = [valueOf(between[1] ?? ''), valueOf(between[2] ?? '')];
    if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
    const middle = rounded((low + high) / 2);
    return {
      text: russianNumber(String(middle)),
      tolerance: Math.max(0, rounded(Math.abs(high - low) / 2)),
    };
  }
  const single = WITH_TOLERANCE.exec(text);
  if (!single || !Number.isFinite(valueOf(single[1] ?? ''))) return null;
  const tolerance = single[2] === undefined ? 0 : Math.abs(valueOf(single[2]));
  return Number.isFinite(tolerance) ? { text: russianNumber(single[1] ?? ''), tolerance } : null;
}
