import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';

/** An item's declaration of the answer to one interaction. */
export interface Declared {
  readonly correct: readonly string[];
  readonly mapping: readonly {
    readonly key: string;
    readonly value: number;
    readonly isExact: boolean;
  }[];
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  readonly defaultValue: number;
  readonly cardinality: string;
  readonly baseType: string;
}

/** One branch of the processing: an answer and its points. */
export interface Branch {
  readonly answer: string;
  readonly tolerance: number;
  readonly isUneven: boolean;
  readonly isExact: boolean;
  /** Whether its bounds are no answers themselves. */
  readonly isOpenRange?: boolean;
  readonly points: number | null;
  /** Identifiers of the feedback that it shows. */
  readonly feedback: readonly string[];
}

export interface Processing {
  readonly branches: readonly Branch[];
  /** Points of the declared right answer. */
  readonly correctPoints: number | null;
  readonly isMapped: boolean;
  /** The processing has unsupported rules. */
  readonly isStrange: boolean;
  /** Whether some answer has negative points. */
  readonly hasPenalty: boolean;
  /** Whether the points are given only for several fields together. */
  readonly isJoint: boolean;
  /** The standard's template: all points for the right answer alone. */
  readonly isWhole: boolean;
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const value = Number(text.trim());
  return Number.isFinite(value) ? value : null;
}

export function declared(item: XmlElement, identifier: string): Declared {
  const declaration = elements(item, 'responseDeclaration').find(
    (one) => one.attributes.get('identifier') === identifier,
  );
  const mapping = element(declaration, 'mapping');
  const baseType = declaration?.attributes.get('baseType') ?? '';
  const correct = element(declaration, 'correctResponse');
  return {
    correct: correct ? elements(correct, 'value').map((value) => textOf(value).trim()) : [],
    mapping: mapping
      ? elements(mapping, 'mapEntry').map((entry) => ({
          key: (entry.attributes.get('mapKey') ?? '').trim(),
          value: numberOf(entry.attributes.get('mappedValue')) ?? 0,
          // The standard's default is to distinguish capitals from small letters.
          isExact: baseType === 'string' && entry.attributes.get('caseSensitive') !== 'false',
        }))
      : [],
    lowerBound: numberOf(mapping?.attributes.get('lowerBound')),
    upperBound: numberOf(mapping?.attributes.get('upperBound')),
    defaultValue: numberOf(mapping?.attributes.get('defaultValue')) ?? 0,
    cardinality: declaration?.attributes.get('cardinality') ?? 'single',
    baseType,
  };
}

const isOf = (node: XmlElement, name: string, identifier: string) =>
  elements(node, name).some((one) => one.attributes.get('identifier') === identifier);

function tolerances(node: XmlElement, answer: string): { tolerance: number; isUneven: boolean } {
  if (node.name === 'equalRounded') {
    const digits = numberOf(node.attributes.get('figures')) ?? 0;
    const isDecimal = node.attributes.get('roundingMode') === 'decimalPlaces';
    return { tolerance: isDecimal ? 0.5 * 10 ** -Math.min(20, digits) : 0, isUneven: !isDecimal };
  }
  const mode = node.attributes.get('toleranceMode') ?? 'exact';
  const [below = 0, above = below] = (node.attributes.get('tolerance') ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => Math.abs(numberOf(part) ?? 0));
  const scale = mode === 'relative' ? Math.abs(numberOf(answer) ?? 0) / 100 : 1;
  const tolerance = mode === 'exact' ? 0 : Math.round(Math.max(below, above) * scale * 1e12) / 1e12;
  return { tolerance, isUneven: mode !== 'exact' && below !== above };
}

export const COMPARED: ReadonlySet<string> = new Set([
  'match',
  'equal',
  'equalRounded',
  'stringMatch',
  'member',
]);

/** Names of an item's outcomes that are set to a value. */
interface OutcomeNames {
  readonly isScore: (name: string) => boolean;
  readonly isFeedback: (name: string) => boolean;
}

/** The score has its usual name, or is the only number. Feedback has its usual name, or shows some text. */
export function outcomeNames(item: XmlElement): OutcomeNames {
  const numbers = elements(item, 'outcomeDeclaration').flatMap(({ attributes }) => {
    const name = attributes.get('identifier') ?? '';
    const isNumber = /^(?:float|integer)$/.test(attributes.get('baseType') ?? '');
    return isNumber && !/^(?:MAX|MIN)/i.test(name) ? [name] : [];
  });
  const [only] = numbers;
  const shown = new Set(
    [...everyElement(item)].flatMap(({ attributes }) => attributes.get('outcomeIdentifier') ?? []),
  );
  return {
    isScore: (name) => /^SCORE/i.test(name) || (numbers.length === 1 && name === only),
    isFeedback: (name) => /FEEDBACK/i.test(name) || shown.has(name),
  };
}

function outcomes(branch: XmlElement, isWanted: (name: string) => boolean): string[] {
  return elements(branch, 'setOutcomeValue')
    .filter((one) => isWanted(one.attributes.get('identifier') ?? ''))
    .flatMap((set) => [...everyElement(set)].filter(({ name }) => name === 'baseValue'))
    .map((value) => textOf(value).trim());
}

/** All inside except negations: «not this answer» says nothing about the answer. */
function* affirmed(node: XmlElement): Generator<XmlElement> {
  if (node.name === 'not') return;
  yield node;
  for (const below of elements(node)) yield* affirmed(below);
}

/** Feedback for wrong answers only: by its name, in an «else», or where «incorrect» was set before. */
export function wrongFeedback(item: XmlElement): ReadonlySet<string> {
  const wrong = new Set<string>();
  const { isFeedback } = outcomeNames(item);
  const root = element(item, 'responseProcessing');
  const changed = new Set(
    [...(root ? everyElement(root) : [])].flatMap((node) =>
      node.name === 'setOutcomeValue' ? [node.attributes.get('identifier') ?? ''] : [],
    ),
  );
  // Feedback shown at first, until a right answer changes it.
  for (const declaration of elements(item, 'outcomeDeclaration')) {
    const identifier = declaration.attributes.get('identifier') ?? '';
    const first = element(declaration, 'defaultValue');
    if (first && isFeedback(identifier) && changed.has(identifier)) wrong.add(textOf(first).trim());
  }
  for (const node of root ? everyElement(root) : []) {
    const isBranch = node.name === 'responseIf' || node.name === 'responseElseIf';
    const condition = isBranch
      ? elements(node).filter(({ name }) => name !== 'setOutcomeValue')
      : [];
    const isDenied = condition.some((one) =>
      [...everyElement(one)].some(
        (inner) =>
          (inner.name === 'baseValue' && /^(?:incorrect|wrong)$/i.test(textOf(inner).trim())) ||
          (inner.name === 'not' && [...everyElement(inner)].some(({ name }) => name === 'member')),
      ),
    );
    if (node.name === 'responseElse' || isDenied)
      for (const identifier of outcomes(node, isFeedback)) wrong.add(identifier);
  }
  return wrong;
}

/** Bounds of a number, each with whether it is excluded itself. */
const BOUNDS: Readonly<Record<string, { isLower: boolean; isOpen: boolean }>> = {
  gte: { isLower: true, isOpen: false },
  gt: { isLower: true, isOpen: true },
  lte: { isLower: false, isOpen: false },
  lt: { isLower: false, isOpen: true },
};

/** The numbers between two bounds as an answer with a tolerance; null: there are not two. */
function rangeOf(bounds: readonly XmlElement[]) {
  let [lower, upper, isOpenRange] = [-Infinity, Infinity, false];
  for (const bound of bounds) {
    const value = numberOf(textOf(element(bound, 'baseValue') ?? '').trim());
    const kind = BOUNDS[bound.name];
    if (value === null || !kind) return null;
    // «Five is less than the answer» has the operands in reverse.
    const isLower = elements(bound)[0]?.name === 'variable' ? kind.isLower : !kind.isLower;
    if (isLower) lower = Math.max(lower, value);
    else upper = Math.min(upper, value);
    isOpenRange ||= kind.isOpen;
  }
  if (!Number.isFinite(upper - lower) || upper < lower) return null;
  const exact = (value: number) => Math.round(value * 1e12) / 1e12;
  return {
    answer: String(exact((lower + upper) / 2)),
    tolerance: exact((upper - lower) / 2),
    isUneven: false,
    isExact: false,
    isOpenRange,
  };
}

/** Elements that this reader understands, or that do not concern the key. */
const UNDERSTOOD = new Set(
  'responseProcessing responseCondition responseIf responseElseIf responseElse match equal equalRounded stringMatch member variable correct baseValue setOutcomeValue mapResponse and or not isNull sum gte gt lte lt exitResponse'.split(
    ' ',
  ),
);

/** Responses that an element compares with some answer. */
export const comparedIn = (node: XmlElement): readonly string[] =>
  [...affirmed(node)].flatMap((one) =>
    COMPARED.has(one.name) || one.name in BOUNDS
      ? elements(one, 'variable').map((variable) => variable.attributes.get('identifier') ?? '')
      : [],
  );

type IsOutcome = (identifier: string) => boolean;

const comparesOutcome = (node: XmlElement, isScore: IsOutcome): boolean =>
  COMPARED.has(node.name) &&
  elements(node, 'variable').some(({ attributes }) => isScore(attributes.get('identifier') ?? ''));

/** Whether it sets the score to a value that contains a negative number. */
const isPenalty = (node: XmlElement, isScore: IsOutcome): boolean =>
  node.name === 'setOutcomeValue' &&
  isScore(node.attributes.get('identifier') ?? '') &&
  [...everyElement(node)].some(
    (value) => value.name === 'baseValue' && (numberOf(textOf(value)) ?? 0) < 0,
  );

/** The supported part of an item’s response processing for one interaction. */
export function processing(item: XmlElement, identifier: string): Processing {
  const root = element(item, 'responseProcessing');
  const { isScore, isFeedback } = outcomeNames(item);
  const branches: Branch[] = [];
  let correctPoints: number | null = null;
  const template = root?.attributes.get('template') ?? '';
  // Without any rules the author has given only the points of the declaration.
  const isSilent = template === '' && (!root || elements(root).length === 0);
  let isMapped =
    /map_response|map_response_point/.test(template) ||
    (isSilent && declared(item, identifier).mapping.length > 0);
  const everything = root ? [...everyElement(root)] : [];
  let isStrange = everything.some(({ name }) => !UNDERSTOOD.has(name));
  let isJoint = false;
  const isWhole = /match_correct/.test(template);
  for (const node of everything) {
    if (node.name === 'mapResponse') isMapped = true;
    if (node.name !== 'responseIf' && node.name !== 'responseElseIf') continue;
    const [condition] = elements(node);
    if (!condition) continue;
    const isAll = condition.name === 'and';
    const about = new Set(comparedIn(condition));
    if (isAll && about.size > 1 && about.has(identifier)) isJoint = true;
    const inside = [...affirmed(condition)];
    const compared = inside.filter(
      (one) => COMPARED.has(one.name) && isOf(one, 'variable', identifier),
    );
    const bounds = inside.filter((one) => one.name in BOUNDS && isOf(one, 'variable', identifier));
    const points = numberOf(outcomes(node, isScore)[0]);
    // Points for a score; a greatest or a least score does not count.
    const isOnScore = inside.some((one) => comparesOutcome(one, isScore));
    if (points !== null && points > 0 && isOnScore) isStrange = true;
    const feedback = outcomes(node, isFeedback);
    const range = bounds.length > 0 ? rangeOf(bounds) : null;
    if (range) branches.push({ ...range, points, feedback });
    if (bounds.length > 0 && (!range || !isAll)) isStrange = true;
    if (isAll && compared.length > 1) isStrange = true;
    for (const one of isAll ? compared.slice(0, 1) : compared) {
      if (isOf(one, 'correct', identifier)) {
        correctPoints ??= points;
        if (one.name !== 'equal' && one.name !== 'equalRounded') continue;
        const [answer = ''] = declared(item, identifier).correct;
        branches.push({ answer, ...tolerances(one, answer), isExact: false, points, feedback });
        continue;
      }
      const value = element(one, 'baseValue');
      if (!value) continue;
      const answer = textOf(value).trim();
      branches.push({
        answer,
        ...tolerances(one, answer),
        isExact:
          one.attributes.get('caseSensitive') === 'true' ||
          (one.name === 'match' && value.attributes.get('baseType') === 'string'),
        points,
        feedback,
      });
    }
  }
  const hasPenalty = everything.some((node) => isPenalty(node, isScore));
  return { branches, correctPoints, isMapped, isStrange, hasPenalty, isJoint, isWhole };
}

/** The item's maximum points, where declared. */
export function maximum(item: XmlElement): number | null {
  const outcomes = elements(item, 'outcomeDeclaration');
  const named = (name: string) => outcomes.find((one) => one.attributes.get('identifier') === name);
  const preset = element(element(named('MAXSCORE'), 'defaultValue'), 'value');
  const stated =
    numberOf(preset && textOf(preset)) ?? numberOf(named('SCORE')?.attributes.get('normalMaximum'));
  return stated !== null && stated > 0 ? stated : null;
}
