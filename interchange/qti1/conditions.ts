import { normaliseText, parseNumber } from '#domain/normalise.ts';
import { elements, textOf, type XmlElement } from '#interchange/xml.ts';

/** A student's answer: the chosen or typed values, by the identifier of the response. */
export type ConditionAnswer = ReadonlyMap<string, ReadonlySet<string>>;

/** A `conditionvar` of QTI 1.2 (ASI information model, «conditionvar»). */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | {
      readonly kind: 'equal';
      readonly response: string;
      readonly value: string;
      readonly isExact: boolean;
      /** Absolute, for numbers. */
      readonly margin: number;
    }
  | {
      readonly kind: 'bound';
      readonly response: string;
      readonly value: number;
      readonly side: 'low' | 'high';
      readonly isStrict: boolean;
    }
  | { readonly kind: 'contains'; readonly response: string; readonly value: string }
  | { readonly kind: 'unanswered'; readonly response: string }
  | { readonly kind: 'other' }
  /** A rule that is not supported. */
  | { readonly kind: 'strange' };

/** Which responses have one answer, which are lists of options, and which are numbers. */
export interface ResponseKinds {
  readonly lists: ReadonlySet<string>;
  readonly single: ReadonlySet<string>;
  readonly numeric: ReadonlySet<string>;
}

const BOUNDS: Readonly<Record<string, { side: 'low' | 'high'; isStrict: boolean }>> = {
  vargte: { side: 'low', isStrict: false },
  vargt: { side: 'low', isStrict: true },
  varlte: { side: 'high', isStrict: false },
  varlt: { side: 'high', isStrict: true },
};

/** A margin, in percent of the value or absolute, is an extension of Canvas. */
function marginOf(node: XmlElement, value: string): number {
  const margin = Math.abs(Number(node.attributes.get('margin') ?? 0));
  if (!Number.isFinite(margin)) return 0;
  const isPercent = node.attributes.get('margintype') === 'percent';
  return isPercent ? (margin / 100) * Math.abs(parseNumber(value) ?? 0) : margin;
}

function leaf(node: XmlElement): Condition {
  const response = node.attributes.get('respident')?.trim() ?? '';
  const value = textOf(node).trim();
  const isExact = node.attributes.get('case')?.toLowerCase() === 'yes';
  const equal = (one: string): Condition => ({
    kind: 'equal',
    response,
    value: one,
    isExact,
    margin: marginOf(node, one),
  });
  const bound = Object.hasOwn(BOUNDS, node.name) ? BOUNDS[node.name] : undefined;
  if (bound) {
    const limit = parseNumber(value);
    return limit === null
      ? { kind: 'strange' }
      : { kind: 'bound', response, value: limit, ...bound };
  }
  switch (node.name) {
    case 'varequal':
      return node.attributes.has('index') ? { kind: 'strange' } : equal(value);
    case 'varsubset': {
      const mode = node.attributes.get('setmatch')?.toLowerCase() ?? 'exact';
      if (mode === 'contains') return { kind: 'contains', response, value };
      if (mode !== 'exact' && mode !== 'partial') return { kind: 'strange' };
      return { kind: 'and', parts: value.split(',').map((one) => equal(one.trim())) };
    }
    case 'varsubstring':
      return { kind: 'contains', response, value };
    case 'other':
      return { kind: 'other' };
    case 'unanswered':
      return { kind: 'unanswered', response };
    default:
      return { kind: 'strange' };
  }
}

function read(node: XmlElement): Condition {
  if (node.name === 'and' || node.name === 'or')
    return { kind: node.name, parts: elements(node).map(read) };
  if (node.name === 'not')
    return { kind: 'not', part: { kind: 'and', parts: elements(node).map(read) } };
  return leaf(node);
}

/**
 * Reads a `conditionvar`. Its conditions are joined by an implied «and». If one answer would have to equal several
 * values, exporters (Canvas, Blackboard) mean any of them.
 */
export function readCondition(node: XmlElement, { single }: ResponseKinds): Condition {
  const parts = elements(node).map(read);
  const isAlternative = (one: Condition) => one.kind === 'equal' && single.has(one.response);
  const alternatives = parts.filter(isAlternative);
  const rest = parts.filter((one) => !isAlternative(one));
  const responses = new Set(
    alternatives.flatMap((one) => (one.kind === 'equal' ? [one.response] : [])),
  );
  const [response] = responses;
  const isBounded =
    rest.length > 0 && rest.every((one) => one.kind === 'bound' && one.response === response);
  if (responses.size !== 1 || alternatives.length + (isBounded ? 1 : 0) < 2)
    return { kind: 'and', parts };
  const either: Condition = {
    kind: 'or',
    parts: isBounded ? [...alternatives, { kind: 'and', parts: rest }] : alternatives,
  };
  return isBounded || rest.length === 0 ? either : { kind: 'and', parts: [either, ...rest] };
}

/** Whether the condition holds for an answer. `isScored`: an earlier condition has changed the points. */
export function holds(
  condition: Condition,
  given: ConditionAnswer,
  isScored: boolean,
  kinds: ResponseKinds,
): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => holds(part, given, isScored, kinds));
    case 'or':
      return condition.parts.some((part) => holds(part, given, isScored, kinds));
    case 'not':
      return !holds(condition.part, given, isScored, kinds);
    case 'other':
      return !isScored;
    case 'strange':
      return false;
    case 'unanswered':
      return (given.get(condition.response)?.size ?? 0) === 0;
    case 'contains':
      return [...(given.get(condition.response) ?? NOTHING)].some((text) =>
        normaliseText(text).includes(normaliseText(condition.value)),
      );
    case 'bound':
      return [...(given.get(condition.response) ?? NOTHING)].some((text) => {
        const value = parseNumber(text);
        if (value === null) return false;
        if (value === condition.value) return !condition.isStrict;
        return value > condition.value === (condition.side === 'low');
      });
    case 'equal':
      return isGiven(condition, given.get(condition.response) ?? NOTHING, kinds);
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function isGiven(
  condition: Extract<Condition, { kind: 'equal' }>,
  given: ReadonlySet<string>,
  kinds: ResponseKinds,
): boolean {
  if (given.has(condition.value)) return true;
  // Options are compared by their identifiers, texts as typed.
  if (kinds.lists.has(condition.response)) return false;
  return [...given].some((text) => isTyped(condition, text, kinds));
}

function isTyped(
  { response, value, isExact, margin }: Extract<Condition, { kind: 'equal' }>,
  text: string,
  { numeric }: ResponseKinds,
): boolean {
  if (numeric.has(response)) {
    const [a, b] = [parseNumber(text), parseNumber(value)];
    if (a !== null && b !== null) return Math.abs(a - b) <= margin * (1 + 1e-12);
  }
  return !isExact && normaliseText(text) === normaliseText(value);
}

/** The conditions that an answer can meet, without negated ones. */
export function* affirmed(condition: Condition): Generator<Condition> {
  yield condition;
  if (condition.kind === 'and' || condition.kind === 'or')
    for (const part of condition.parts) yield* affirmed(part);
}

/** Whether anything inside satisfies a test, negations included. */
export function hasInside(condition: Condition, test: (one: Condition) => boolean): boolean {
  if (test(condition)) return true;
  if (condition.kind === 'not') return hasInside(condition.part, test);
  return (
    (condition.kind === 'and' || condition.kind === 'or') &&
    condition.parts.some((part) => hasInside(part, test))
  );
}
