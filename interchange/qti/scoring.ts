import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';

/** An item's declaration of the answer to one interaction. */
export interface Declared {
  readonly correct: readonly string[];
  readonly mapping: readonly {
    readonly key: string;
    readonly value: number;
    readonly isExact: boolean;
  }[];
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
  readonly points: number | null;
  /** Identifiers of feedback that it shows. */
  readonly feedback: readonly string[];
}

export interface Processing {
  readonly branches: readonly Branch[];
  /** Points of the declared right answer. */
  readonly correctPoints: number | null;
  readonly isMapped: boolean;
  /** The processing has unsupported rules. */
  readonly isStrange: boolean;
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
  const correct = element(declaration, 'correctResponse');
  return {
    correct: correct ? elements(correct, 'value').map((value) => textOf(value).trim()) : [],
    mapping: mapping
      ? elements(mapping, 'mapEntry').map((entry) => ({
          key: (entry.attributes.get('mapKey') ?? '').trim(),
          value: numberOf(entry.attributes.get('mappedValue')) ?? 0,
          isExact: entry.attributes.get('caseSensitive') === 'true',
        }))
      : [],
    upperBound: numberOf(mapping?.attributes.get('upperBound')),
    defaultValue: numberOf(mapping?.attributes.get('defaultValue')) ?? 0,
    cardinality: declaration?.attributes.get('cardinality') ?? 'single',
    baseType: declaration?.attributes.get('baseType') ?? 'identifier',
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

const COMPARED = new Set(['match', 'equal', 'equalRounded', 'stringMatch', 'member']);

function outcomes(branch: XmlElement, wanted: RegExp): string[] {
  return elements(branch, 'setOutcomeValue')
    .filter((one) => wanted.test(one.attributes.get('identifier') ?? ''))
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
  const root = element(item, 'responseProcessing');
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
      for (const identifier of outcomes(node, /FEEDBACK/i)) wrong.add(identifier);
  }
  return wrong;
}

/** What is supported of an item’s response processing for one interaction. */
export function processing(item: XmlElement, identifier: string): Processing {
  const root = element(item, 'responseProcessing');
  const branches: Branch[] = [];
  let correctPoints: number | null = null;
  let isStrange = false;
  const template = root?.attributes.get('template') ?? '';
  let isMapped = /map_response|map_response_point/.test(template);
  for (const node of root ? everyElement(root) : []) {
    if (node.name === 'mapResponse') isMapped = true;
    if (/^(?:patternMatch|customOperator|substring|mapResponsePoint|random)/.test(node.name))
      isStrange = true;
    if (node.name !== 'responseIf' && node.name !== 'responseElseIf') continue;
    const compared = [...affirmed(node)].find(
      (one) => COMPARED.has(one.name) && isOf(one, 'variable', identifier),
    );
    if (!compared) continue;
    const points = numberOf(outcomes(node, /^SCORE/i)[0]);
    const feedback = outcomes(node, /FEEDBACK/i);
    if (isOf(compared, 'correct', identifier)) {
      correctPoints ??= points;
      if (compared.name === 'equal' || compared.name === 'equalRounded') {
        const [answer = ''] = declared(item, identifier).correct;
        branches.push({
          answer,
          ...tolerances(compared, answer),
          isExact: false,
          points,
          feedback,
        });
      }
      continue;
    }
    const value = element(compared, 'baseValue');
    if (!value) continue;
    const answer = textOf(value).trim();
    branches.push({
      answer,
      ...tolerances(compared, answer),
      isExact: compared.attributes.get('caseSensitive') === 'true',
      points,
      feedback,
    });
  }
  return { branches, correctPoints, isMapped, isStrange };
}

/** The item's maximum points, where declared. */
export function maximum(item: XmlElement): number | null {
  const outcomes = elements(item, 'outcomeDeclaration');
  const named = (name: string) => outcomes.find((one) => one.attributes.get('identifier') === name);
  const preset = element(element(named('MAXSCORE'), 'defaultValue'), 'value');
  const told =
    numberOf(preset && textOf(preset)) ?? numberOf(named('SCORE')?.attributes.get('normalMaximum'));
  return told !== null && told > 0 ? told : null;
}
