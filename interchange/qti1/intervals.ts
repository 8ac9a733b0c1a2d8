import { parseNumber } from '#domain/normalise.ts';
import type { Condition } from './conditions.ts';

interface Interval {
  readonly low: number;
  readonly high: number;
  readonly isStrict: boolean;
  /** As the file writes a single value. */
  readonly text: string | null;
}

/** An accepted number with its absolute tolerance. */
export interface AcceptedNumber {
  readonly text: string;
  readonly value: number;
  readonly tolerance: number;
}

const rounded = (value: number) => Number(value.toPrecision(12));

const ANY: Interval = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  isStrict: false,
  text: null,
};

const common = (a: Interval, b: Interval): Interval => ({
  low: Math.max(a.low, b.low),
  high: Math.min(a.high, b.high),
  isStrict: a.isStrict || b.isStrict,
  text: a.text ?? b.text,
});

/** More alternatives in one condition are not the numbers of a question. */
const MAX_INTERVALS = 200;

/** The intervals of numbers that a condition accepts; null if it requires something else. */
function accepted(condition: Condition, response: string): Interval[] | null {
  switch (condition.kind) {
    case 'equal': {
      const value = parseNumber(condition.value);
      if (value === null || condition.response !== response) return null;
      const { margin } = condition;
      return [
        { low: value - margin, high: value + margin, isStrict: false, text: condition.value },
      ];
    }
    case 'bound': {
      if (condition.response !== response) return null;
      const { value, side, isStrict } = condition;
      return [{ ...ANY, isStrict, ...(side === 'low' ? { low: value } : { high: value }) }];
    }
    case 'and': {
      let all: Interval[] = [ANY];
      for (const part of condition.parts) {
        const more = accepted(part, response);
        if (more === null) return null;
        all = all.flatMap((one) => more.map((other) => common(one, other)));
        if (all.length > MAX_INTERVALS) return null;
      }
      return all.filter(({ low, high }) => low <= high);
    }
    case 'or': {
      const parts = condition.parts.map((part) => accepted(part, response));
      return parts.includes(null)
        ? null
        : parts.flatMap((part) => part ?? []).slice(0, MAX_INTERVALS);
    }
    default:
      return null;
  }
}

/** Whether another interval of the same condition contains this one. */
const isInside = (one: Interval, other: Interval, index: number, otherIndex: number) =>
  other.low <= one.low &&
  other.high >= one.high &&
  (other.low < one.low || other.high > one.high || otherIndex < index);

/**
 * The numbers that a condition accepts, each as a value with a tolerance: the stated value if it is the middle of its
 * interval, else the middle. An open interval, or a value that is no number, is reported.
 */
export function intervalsOf(
  condition: Condition,
  response: string,
  loss: (line: string) => void,
): AcceptedNumber[] {
  const all = accepted(condition, response);
  if (all === null) {
    loss('Часть условий числового ответа не прочитана: проверьте ключ');
    return [];
  }
  const widest = all.filter(
    (one, index) => !all.some((other, at) => at !== index && isInside(one, other, index, at)),
  );
  return widest.flatMap(({ low, high, isStrict }) => {
    if (!Number.isFinite(low) || !Number.isFinite(high)) {
      loss('Ответ «не меньше» или «не больше» без второй границы не переносится');
      return [];
    }
    const middle = rounded((low + high) / 2);
    const tolerance = Math.max(0, rounded((high - low) / 2));
    const stated = all.filter(
      ({ text, low: from, high: to }) => text !== null && from >= low && to <= high,
    );
    const own = stated.find(
      ({ text }) => Math.abs((parseNumber(text ?? '') ?? 0) - middle) <= tolerance * 1e-9,
    );
    if (stated.length > 0 && !own)
      loss(
        `Верный ответ «${stated[0]?.text ?? ''}» записан как середина промежутка, в котором он стоит`,
      );
    if (isStrict && tolerance > 0) loss('Граница промежутка засчитывается, в файле – нет');
    const value = own ? (parseNumber(own.text ?? '') ?? middle) : middle;
    return [{ text: String(value), value, tolerance }];
  });
}
