import type { Question } from '#contract/questions.ts';
import { parseNumber } from '#domain/normalise.ts';
import type { XmlElement } from '#interchange/xml.ts';
import type { Branch } from './scoring.ts';
import { rules, type InteractionFacts } from './interaction.ts';

type Accepted = Extract<Question, { kind: 'open' }>['accepted'][number];

/** Our values of the attribute `class`, for properties without a QTI attribute. */
export const token = (node: XmlElement, prefix: string): string[] =>
  (node.attributes.get('class') ?? '')
    .split(/\s+/)
    .flatMap((word) => (word.startsWith(prefix) ? [word.slice(prefix.length)] : []));

export function feedbackFor(
  { feedback, used }: InteractionFacts,
  identifiers: readonly string[],
  own: string,
): { feedback?: string } {
  const shared = identifiers.flatMap((identifier) => {
    const text = feedback.byIdentifier.get(identifier);
    if (text === undefined || (feedback.wrong.has(identifier) && own !== '')) return [];
    used.add(identifier);
    return [text];
  });
  const text = [own, ...shared].filter(Boolean).join('\n\n');
  return text === '' ? {} : { feedback: text };
}

/** The key of a typed field. */
export interface TypedAnswers {
  readonly points: number;
  readonly input: 'line' | 'number' | 'text';
  readonly accepted: Accepted[];
  readonly tolerance: number;
}

/** Whether a branch accepts a number by its tolerance. */
const isWithin = ({ answer, tolerance }: Branch, typed: string): boolean =>
  tolerance > 0 && Math.abs(Number(answer) - Number(typed)) <= tolerance;

/**
 * Reads the key of a typed field.
 * @param whole the points for a right answer; null: by the rules of this field alone
 */
export function typedAnswers(facts: InteractionFacts, whole: number | null): TypedAnswers {
  const { interaction, carried } = facts;
  const { given, rule } = rules(facts);
  if (['placeholderText', 'patternMask'].some((name) => interaction.attributes.get(name)))
    carried.loss('Образец и ограничение знаков в поле ответа не переносятся');
  const isNumber = given.baseType === 'float' || given.baseType === 'integer';
  const known = rule.branches.map(({ answer }) => answer);
  const entries = [
    ...rule.branches,
    ...[
      ...given.mapping.map(({ key, value, isExact }) => ({ answer: key, points: value, isExact })),
      ...given.correct
        .filter((answer) => !given.mapping.some(({ key }) => key === answer))
        .filter((answer) => !rule.branches.some((branch) => isWithin(branch, answer)))
        .map((answer) => ({ answer, points: rule.correctPoints, isExact: false })),
    ]
      .filter(({ answer }) => !known.includes(answer))
      .map((entry) => ({ ...entry, tolerance: 0, isUneven: false, feedback: [] })),
  ].filter(({ answer }) => answer !== '');
  const letters = new Set(entries.map(({ answer }) => answer.toLowerCase()));
  if (
    entries.some(({ isExact, answer }) => isExact && /\p{L}/u.test(answer)) ||
    letters.size < entries.length
  )
    carried.loss('Заглавные и строчные буквы здесь не различаются');
  if (entries.some(({ isUneven }) => isUneven))
    carried.loss('Допуск вниз и вверх был разным: взят больший');
  if (rule.branches.some(({ isOpenRange }) => isOpenRange))
    carried.loss('Границы промежутка здесь тоже верны');
  const best = Math.max(0, ...entries.map(({ points }) => points ?? 0));
  const points = whole ?? (best > 0 ? Math.min(given.upperBound ?? Infinity, best) : 1);
  if (given.defaultValue < 0 || entries.some((entry) => (entry.points ?? 0) < 0))
    carried.loss('Ответы, которые снимали баллы, не переносятся');
  const remaining = entries.filter((entry) => (entry.points ?? 0) >= 0);
  const tolerance = remaining[0]?.tolerance ?? 0;
  const accepted = remaining.map((entry) => ({
    text: entry.answer,
    share: Math.min(1, Math.round(((entry.points ?? points) / points) * 1e6) / 1e6),
    ...(entry.tolerance === tolerance ? {} : { tolerance: entry.tolerance }),
    ...feedbackFor(facts, entry.feedback, ''),
  }));
  const [given_] = token(interaction, 'input-');
  const natural =
    interaction.name === 'extendedTextInteraction' ? 'text' : isNumber ? 'number' : 'line';
  const input = given_ === 'line' || given_ === 'number' || given_ === 'text' ? given_ : natural;
  if (accepted.some(({ text }) => isNumber && parseNumber(text) === null))
    carried.loss('Среди ответов есть не числа');
  if (accepted.length === 0 && input !== 'text')
    carried.loss('Верных ответов в файле нет: ответ проверит преподаватель');
  return { points, input, accepted, tolerance };
}
