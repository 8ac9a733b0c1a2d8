import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import {
  affirmed,
  hasInside,
  holds,
  readCondition,
  type Condition,
  type ConditionAnswer,
  type ResponseKinds,
} from './conditions.ts';

interface Change {
  readonly action: string;
  readonly value: number;
}

/** One `respcondition`. */
export interface Rule {
  readonly condition: Condition;
  readonly changes: readonly Change[];
  /** Identifiers of the feedback that it shows. */
  readonly shows: readonly string[];
  readonly stops: boolean;
}

export interface ScoreOutcome {
  readonly score: number;
  /** Identifiers of the feedback that is shown, in order. */
  readonly shown: readonly string[];
}

/** The `resprocessing` of an item. */
export interface ResponseProcessing {
  readonly rules: readonly Rule[];
  /** The score of an answer and the feedback that it shows. */
  readonly judge: (given: ConditionAnswer) => ScoreOutcome;
  /** The declared maximum of the score, null if there is none; percents or points, as the exporter chose. */
  readonly maximum: number | null;
  /** Blackboard's rules for one option each: its credit in percent, and its feedback. */
  readonly optionRules: ReadonlyMap<
    string,
    { readonly credit: number; readonly shows: readonly string[] }
  >;
  /** Whether the processing has rules that are not supported. */
  readonly isStrange: boolean;
  /** An unscored item: nothing gives points. */
  readonly isUnscored: boolean;
}

/** Maximum number of rules and conditions, since each is evaluated for many answers. No question has more. */
const MAX_RULES = 1_000;
const MAX_CONDITIONS = 3_000;

/** Blackboard's variables beside the score. */
const ASIDE =
  /^(?:PartialCreditPercent|points_set_on_answers|single_correct_answer|answer_selection_limit)$/i;
const NEGATIVE = /^NegativeCreditPercent$/i;

const numberOf = (text: string | undefined): number | null => {
  const value = Number((text ?? '').trim());
  return (text ?? '').trim() !== '' && Number.isFinite(value) ? value : null;
};

const nameOf = (node: XmlElement) =>
  (node.attributes.get('varname') ?? node.attributes.get('variablename') ?? 'SCORE').trim();

/** The variable that is the score: «SCORE» by the standard; some exporters choose another name. */
function scoreName(declared: readonly XmlElement[], set: readonly XmlElement[]): string {
  const names = set.map(nameOf).filter((name) => !ASIDE.test(name) && !NEGATIVE.test(name));
  const standard = names.find((name) => name.toUpperCase() === 'SCORE');
  return (
    standard ?? declared.map(nameOf).find((name) => names.includes(name)) ?? names[0] ?? 'SCORE'
  );
}

function apply(score: number, { action, value }: Change): number {
  switch (action) {
    case 'add':
      return score + value;
    case 'subtract':
      return score - value;
    case 'multiply':
      return score * value;
    case 'divide':
      return value === 0 ? score : score / value;
    default:
      return value;
  }
}

const CORRECT = /^correct(?:_fb)?$/i;

/** Whether a variable beside the score changes it in a manner that is not read. */
const isStrangeVariable = (node: XmlElement): boolean =>
  NEGATIVE.test(nameOf(node)) ? (numberOf(textOf(node)) ?? 0) !== 0 : !ASIDE.test(nameOf(node));

/**
 * Reads an item's `resprocessing`. Processing continues with the next rule unless a rule has `continue="No"`: exporters
 * add points rule by rule without «Yes».
 * @param share points of one rule if the file shows «correct» without setting a score (Blackboard): a part of 1
 */
export function readProcessing(
  item: XmlElement,
  kinds: ResponseKinds,
  options: ReadonlySet<string>,
  share: number,
): ResponseProcessing {
  const nodes = elements(item, 'resprocessing').flatMap((one) => elements(one, 'respcondition'));
  const declared = elements(item, 'resprocessing').flatMap((one) =>
    elements(element(one, 'outcomes') ?? one, 'decvar'),
  );
  const set = nodes.flatMap((node) => elements(node, 'setvar'));
  const name = scoreName(declared, set);
  const score = declared.find((one) => nameOf(one) === name) ?? declared[0];
  const maximum = numberOf(score?.attributes.get('maxvalue'));
  const minimum = numberOf(score?.attributes.get('minvalue'));
  const valueOf = (node: XmlElement): number | null => {
    const text = textOf(node).trim();
    if (/\.max$/i.test(text)) return maximum !== null && maximum > 0 ? maximum : 1;
    return /\.min$/i.test(text) ? (minimum ?? 0) : numberOf(text);
  };
  // For «any other answer» exporters write no condition. A rule that only shows a text shows it to everybody.
  const conditionOf = (node: XmlElement, hasChanges: boolean): Condition =>
    hasChanges && elements(node).length === 0 ? { kind: 'other' } : readCondition(node, kinds);
  let isStrange = set.some((node) =>
    nameOf(node) === name && !NEGATIVE.test(name)
      ? valueOf(node) === null
      : isStrangeVariable(node),
  );
  const optionRules = new Map<string, { credit: number; shows: readonly string[] }>();
  const rules: Rule[] = [];
  let conditions = 0;
  for (const node of nodes.slice(0, MAX_RULES)) {
    conditions += [...everyElement(node)].length;
    if (conditions > MAX_CONDITIONS) break;
    const condition = element(node, 'conditionvar');
    const changes = elements(node, 'setvar')
      .filter((one) => nameOf(one) === name)
      .map((one) => ({
        action: (one.attributes.get('action') ?? 'Set').toLowerCase(),
        value: valueOf(one) ?? 0,
      }));
    const shows = elements(node, 'displayfeedback').map(
      (one) => one.attributes.get('linkrefid')?.trim() ?? '',
    );
    const option = condition && optionOf(condition, options);
    if (option !== undefined) {
      optionRules.set(option, { credit: changes[0]?.value ?? 0, shows });
      continue;
    }
    rules.push({
      condition: condition ? conditionOf(condition, changes.length > 0) : { kind: 'strange' },
      changes,
      shows,
      stops: node.attributes.get('continue')?.toLowerCase() === 'no',
    });
  }
  const giving = rules.some(({ changes }) => changes.some(({ value }) => value !== 0));
  const all = giving ? rules : rules.map((rule) => withCredit(rule, (maximum || 1) * share));
  isStrange ||= nodes.length > MAX_RULES || conditions > MAX_CONDITIONS || all.some(isStrangeRule);
  const isOwn = score !== undefined && nameOf(score).toLowerCase() === name.toLowerCase();
  const start = isOwn ? (numberOf(score.attributes.get('defaultval')) ?? 0) : 0;
  return {
    rules: all,
    judge: (given) => judge(all, given, kinds, { start, minimum }),
    maximum,
    optionRules,
    isStrange,
    isUnscored: !all.some(({ changes }) => changes.some(({ value }) => value !== 0)),
  };
}

/** Blackboard names an option by `respident` and leaves the value empty. */
function optionOf(condition: XmlElement, options: ReadonlySet<string>): string | undefined {
  const inner = [...everyElement(condition)].filter(({ name }) => name === 'varequal');
  const [only] = inner;
  const response = only?.attributes.get('respident')?.trim();
  return inner.length === 1 &&
    response !== undefined &&
    options.has(response) &&
    textOf(only).trim() === ''
    ? response
    : undefined;
}

const isStrangeRule = ({ condition, changes }: Rule): boolean =>
  changes.length > 0 && hasInside(condition, ({ kind }) => kind === 'strange');

/** A rule that shows «correct» and sets no score gives the points of one rule. */
const withCredit = (rule: Rule, points: number): Rule =>
  rule.shows.some((one) => CORRECT.test(one)) &&
  ![...affirmed(rule.condition)].some(({ kind }) => kind === 'other')
    ? { ...rule, changes: [{ action: 'add', value: points }] }
    : rule;

function judge(
  rules: readonly Rule[],
  given: ConditionAnswer,
  kinds: ResponseKinds,
  { start, minimum }: { start: number; minimum: number | null },
): ScoreOutcome {
  let score = start;
  let isScored = false;
  const shown: string[] = [];
  for (const { condition, changes, shows, stops } of rules) {
    if (!holds(condition, given, isScored, kinds)) continue;
    for (const change of changes) score = apply(score, change);
    if (changes.length > 0) isScored = true;
    shown.push(...shows);
    if (stops) break;
  }
  return { score: minimum === null ? score : Math.max(minimum, score), shown };
}
