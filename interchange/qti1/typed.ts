import { FILE_BYTES, PARTS_PER_QUESTION } from '#contract/limits.ts';
import {
  comparableAnswer,
  matchesAccepted,
  normaliseText,
  parseNumber,
} from '#domain/normalise.ts';
import { isClose, type InteractionResult, type ItemContext } from './item-context.ts';
import { affirmed, hasInside, type Condition } from './conditions.ts';
import { planFeedback, type FeedbackPlan } from './feedback.ts';
import { isEssay, MANY_BLANKS } from './messages.ts';
import { intervalsOf } from './intervals.ts';
import type { Response } from './presentation.ts';
import type { ScoreOutcome, Rule } from './processing.ts';

const isGiving = ({ changes }: Rule) => changes.some(({ value }) => value > 0);

/** An answer that differs from all in the file. */
const WRONG = '\u0000';

interface Accepted {
  readonly text: string;
  readonly tolerance: number;
  readonly outcome: ScoreOutcome;
}

function reportRules(interaction: ItemContext): void {
  const { processing, context } = interaction;
  const giving = processing.rules.filter(isGiving);
  const has = (test: (one: Condition) => boolean) =>
    giving.some(({ condition }) => hasInside(condition, test));
  if (has((one) => one.kind === 'contains'))
    context.loss('Ответ, в котором достаточно части слов, не переносится: впишите ответы целиком');
  if (has((one) => one.kind === 'equal' && one.isExact && /\p{L}/u.test(one.value)))
    context.loss('Заглавные и строчные буквы здесь не различаются');
}

function texts(interaction: ItemContext, response: Response): Accepted[] {
  const { processing } = interaction;
  const values = processing.rules
    .filter(isGiving)
    .flatMap(({ condition }) =>
      [...affirmed(condition)].flatMap((one) =>
        one.kind === 'equal' && one.response === response.ident ? [one.value] : [],
      ),
    );
  return [...new Set(values.filter((value) => value.trim() !== ''))]
    .slice(0, PARTS_PER_QUESTION + 1)
    .map((text) => ({
      text,
      tolerance: 0,
      outcome: processing.judge(new Map([[response.ident, new Set([text])]])),
    }));
}

function numbers(interaction: ItemContext, response: Response): Accepted[] {
  const { processing, context, responses } = interaction;
  const judge = (value: number) =>
    processing.judge(new Map([[response.ident, new Set([String(value)])]]));
  const found = processing.rules
    .filter(isGiving)
    .filter(
      ({ condition }) =>
        responses.length === 1 ||
        hasInside(condition, (one) => 'response' in one && one.response === response.ident),
    )
    .flatMap(({ condition }) => intervalsOf(condition, response.ident, context.loss))
    .slice(0, PARTS_PER_QUESTION + 1)
    .map(({ text, value, tolerance }) => ({ text, tolerance, outcome: judge(value) }));
  const share = (value: number) =>
    Math.max(
      0,
      ...found
        .filter(({ text, tolerance }) =>
          matchesAccepted(comparableAnswer(String(value)), comparableAnswer(text), tolerance),
        )
        .map(({ outcome }) => outcome.score),
    );
  const isOther = found.some(({ text, tolerance }) => {
    const value = parseNumber(text) ?? 0;
    const step = Math.max(tolerance, Math.abs(value), 1e-6) * 1e-3;
    return [
      value - tolerance,
      value + tolerance,
      value - tolerance - step,
      value + tolerance + step,
    ]
      .map((one) => Number(one.toPrecision(12)))
      .some((one) => tolerance > 0 && !isClose(judge(one).score, share(one)));
  });
  if (isOther) context.loss('Границы числового ответа считались иначе: проверьте допуск');
  return found;
}

/** Answers to a typed field that earn points by the rules, with their scores. */
export const readAccepted = (interaction: ItemContext, response: Response): Accepted[] =>
  (response.isNumeric ? numbers : texts)(interaction, response);

/** Merges answers that differ only in features that are not compared here. */
function merged(found: readonly Accepted[], plan: FeedbackPlan, loss: (line: string) => void) {
  const byText = new Map<string, { one: Accepted; shown: readonly string[] }>();
  for (const one of found) {
    const name = `${parseNumber(one.text) ?? normaliseText(one.text)} ${one.tolerance}`;
    const known = byText.get(name);
    if (known && known.one.outcome.score !== one.outcome.score)
      loss('Ответы, которые различались только регистром букв, стали одним');
    const better = known && known.one.outcome.score >= one.outcome.score ? known.one : one;
    byText.set(name, {
      one: better,
      shown: [...(known?.shown ?? []), ...one.outcome.shown],
    });
  }
  return [...byText.values()].map(({ one, shown }) => ({ ...one, feedback: plan.of(shown) }));
}

/** Reads a question with one typed answer: a line, a number or a text that a person grades. */
export function readTyped(interaction: ItemContext, response: Response): InteractionResult {
  const { processing, context, feedback, kind } = interaction;
  if (response.options.length > 1) return { reason: MANY_BLANKS };
  reportRules(interaction);
  const found = readAccepted(interaction, response);
  const best = Math.max(0, ...found.map(({ outcome }) => outcome.score));
  const wrong = processing.judge(new Map([[response.ident, new Set([WRONG])]]));
  const right = found.find(({ outcome }) => outcome.score === best)?.outcome ?? null;
  const plan = planFeedback(
    feedback,
    [...found.map(({ outcome }) => outcome), wrong],
    right,
    context.loss,
  );
  const all = merged(found, plan, context.loss);
  if (all.some(({ outcome }) => outcome.score < 0))
    context.loss('Ответы, которые снимали баллы, не переносятся');
  const giving = all.filter(({ outcome }) => outcome.score > 0);
  const [first] = giving;
  const tolerance = first?.tolerance ?? 0;
  const isByHand = giving.length === 0;
  if (isByHand && !isEssay(kind))
    context.loss('Верных ответов в файле нет: ответ проверит преподаватель');
  if (!isByHand && wrong.score > 0)
    context.loss('Любой другой ответ тоже давал баллы, здесь – не даёт');
  const natural = response.rows > 1 || isByHand ? 'text' : 'line';
  return {
    best,
    plan,
    apart: new Set(),
    body: {
      kind: 'open',
      points: 1,
      input: response.isNumeric && !isByHand ? 'number' : natural,
      tolerance,
      accepted: giving.map(({ text, tolerance: own, outcome, feedback: said }) => ({
        text,
        share: Math.min(1, Math.round((outcome.score / best) * 1e6) / 1e6),
        ...(own === tolerance ? {} : { tolerance: own }),
        ...said,
      })),
    },
  };
}

/** A file as the answer. */
export function readUpload({ feedback, context }: ItemContext): InteractionResult {
  return {
    best: 0,
    plan: planFeedback(feedback, [], null, context.loss),
    apart: new Set(),
    body: { kind: 'file', points: 1, maxBytes: FILE_BYTES, accept: [] },
  };
}
