import { materialText } from './material.ts';
import { isClose, UNANSWERED, type InteractionResult, type ItemContext } from './item-context.ts';
import { affirmed, type ConditionAnswer } from './conditions.ts';
import { planFeedback } from './feedback.ts';
import { eitherOr } from './messages.ts';
import type { Response } from './presentation.ts';
import type { ScoreOutcome, ResponseProcessing } from './processing.ts';

const INLINE = { inline: true };

interface Judge {
  readonly outcome: (chosen: Iterable<string>) => ScoreOutcome;
  readonly score: (chosen: Iterable<string>) => number;
}

function judgeOf(response: Response, { judge }: ResponseProcessing): Judge {
  const given = (chosen: Iterable<string>): ConditionAnswer =>
    new Map([[response.ident, new Set(chosen)]]);
  return {
    outcome: (chosen) => judge(given(chosen)),
    score: (chosen) => judge(given(chosen)).score,
  };
}

/** Reads the options; those without any text are left out. */
function readOptions({ responses, context, newId, kind }: ItemContext, right: ReadonlySet<string>) {
  const [response] = responses;
  const read = (response?.options ?? []).map(({ ident, node }) => {
    const text = materialText([node], context, INLINE);
    const internal = /either\/or/i.test(kind)
      ? eitherOr(text.replaceAll('\\', '') || ident)
      : undefined;
    return { ident, optionId: newId(), text: internal ?? text };
  });
  const remaining = read.filter(({ text, ident }) => text !== '' || right.has(ident));
  if (remaining.length < read.length) context.loss('Варианты без текста не переносятся');
  return remaining;
}

/** Feedback of one option, which its own rule shows, or which has its identifier. */
export const ownFeedback = (
  ident: string,
  { optionRules, rules }: ResponseProcessing,
): readonly string[] => [
  ident,
  `${ident}_fb`,
  ...(optionRules.get(ident)?.shows ?? []),
  ...rules.flatMap(({ condition, changes, shows }) => {
    const inner = [...affirmed(condition)].filter(({ kind }) => kind !== 'and' && kind !== 'or');
    const [only] = inner;
    return changes.length === 0 &&
      inner.length === 1 &&
      only?.kind === 'equal' &&
      only.value === ident
      ? shows
      : [];
  }),
];

function reportCredits(
  { optionRules }: ResponseProcessing,
  right: ReadonlySet<string>,
  loss: (line: string) => void,
) {
  const isPartial = [...optionRules].some(
    ([ident, { credit }]) => !right.has(ident) && credit !== 0,
  );
  if (isPartial) loss('Часть балла за другие варианты не переносится');
}

/** One option of several. */
function single(interaction: ItemContext, response: Response): InteractionResult {
  const { processing, context, feedback } = interaction;
  const { outcome } = judgeOf(response, processing);
  const outcomes = new Map(response.options.map(({ ident }) => [ident, outcome([ident])]));
  const scores = new Map([...outcomes].map(([ident, { score }]) => [ident, score]));
  const best = Math.max(0, ...scores.values());
  const rights = best > 0 ? [...scores].filter(([, score]) => isClose(score / best, 1)) : [];
  const [right] = rights.map(([ident]) => ident);
  if (right === undefined) context.loss('Верный вариант не отмечен');
  if (rights.length > 1)
    context.loss(
      `Верных вариантов, из которых хватало одного, было ${rights.length}: верным остался первый`,
    );
  if ([...scores.values()].some((score) => score > 0 && !isClose(score / best, 1)))
    context.loss('Часть балла за другие варианты не переносится');
  if ([...scores.values()].some((score) => score < 0))
    context.loss('Штраф за неверный вариант не переносится');
  if (outcome([]).score > 0) context.loss(UNANSWERED);
  const rightSet = new Set(right === undefined ? [] : [right]);
  reportCredits(processing, rightSet, context.loss);
  const plan = planFeedback(
    feedback,
    [...outcomes.values()],
    right === undefined ? null : outcome([right]),
    context.loss,
  );
  return {
    best,
    plan,
    apart: new Set(),
    body: {
      kind: 'variant',
      points: 1,
      multiple: false,
      scoring: 'partial',
      shuffle: isShuffled(response, interaction, context.loss),
      options: readOptions(interaction, rightSet).map(({ ident, optionId, text }) => ({
        optionId,
        text,
        isRight: ident === right,
        ...plan.of([...ownFeedback(ident, processing), ...(outcomes.get(ident)?.shown ?? [])]),
      })),
    },
  };
}

/** Whether the options are shuffled; an option with a fixed place is reported. */
function isShuffled(
  { isShuffled: own, options }: Response,
  { shuffle }: { readonly shuffle: boolean },
  loss: (line: string) => void,
): boolean {
  const isMixed = own ?? shuffle;
  if (isMixed && options.some(({ node }) => /^no$/i.test(node.attributes.get('rshuffle') ?? '')))
    loss('Варианты, закреплённые на своём месте, тоже перемешиваются');
  return isMixed;
}

/** Larger sets of options are tried only in variations by one or two options. */
const ALL_SETS_UP_TO = 6;

function* trials(
  options: readonly string[],
  key: ReadonlySet<string>,
): Generator<ReadonlySet<string>> {
  if (options.length <= ALL_SETS_UP_TO) {
    for (let bits = 0; bits < 2 ** options.length; bits += 1)
      yield new Set(options.filter((_, index) => (bits >> index) % 2 === 1));
    return;
  }
  yield new Set();
  yield new Set(options);
  yield key;
  for (const [index, option] of options.entries()) {
    yield new Set([option]);
    yield toggled(key, option);
    yield toggled(toggled(key, option), options[(index + 1) % options.length] ?? option);
  }
}

function toggled(set: ReadonlySet<string>, option: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(option)) next.add(option);
  return next;
}

/** If there are more rules than a key needs, they are not tried as keys. */
const MAX_NAMED_SETS = 100;

/**
 * The smallest set of options that scores most: starts from the sets that rules name, and improves them option by
 * option.
 */
function bestSet(
  response: Response,
  processing: ResponseProcessing,
  { score }: Judge,
): ReadonlySet<string> {
  const known = new Set(response.options.map(({ ident }) => ident));
  const giving = processing.rules
    .filter(({ changes }) => changes.some(({ value }) => value > 0))
    .slice(0, MAX_NAMED_SETS);
  const named = giving.map(
    ({ condition }) =>
      new Set(
        [...affirmed(condition)].flatMap((one) =>
          one.kind === 'equal' && known.has(one.value) ? [one.value] : [],
        ),
      ),
  );
  const base = score([]);
  const adding = new Set([...known].filter((ident) => score([ident]) > base));
  let best: ReadonlySet<string> = new Set();
  let most = base;
  for (const set of [adding, ...named]) {
    const reached = score(set);
    if (reached > most) [best, most] = [set, reached];
  }
  for (const option of known) {
    const next = toggled(best, option);
    const reached = score(next);
    // If one of several options is enough, it is not superfluous.
    const isEnough = adding.size > 1 && score([option]) === most;
    const isSmaller = next.size < best.size && !isEnough;
    if (reached > most || (reached === most && isSmaller)) [best, most] = [next, reached];
  }
  return best;
}

const partialShare = (set: ReadonlySet<string>, key: ReadonlySet<string>) => {
  const hits = [...set].filter((one) => key.has(one)).length;
  return Math.max(0, (hits - (set.size - hits)) / Math.max(1, key.size));
};

/** Compares the file's scores of many answers with ours, and chooses the nearer of our two rules. */
function scoringOf(
  options: readonly string[],
  key: ReadonlySet<string>,
  best: number,
  { score }: Judge,
  loss: (line: string) => void,
): 'partial' | 'allOrNothing' {
  let isWhole = true;
  let isPartial = true;
  let gaveParts = false;
  let gaveForMore = false;
  for (const set of trials(options, key)) {
    const share = Math.max(0, score(set) / best);
    const isKey = set.size === key.size && [...set].every((one) => key.has(one));
    if (!isClose(share, isKey ? 1 : 0)) isWhole = false;
    if (!isClose(share, partialShare(set, key))) isPartial = false;
    if (share > 0.002 && share < 0.998) gaveParts = true;
    if (!isKey && share >= 0.998) gaveForMore = true;
  }
  if (isWhole) return 'allOrNothing';
  if (isPartial) return 'partial';
  if (gaveParts) {
    loss(
      'Баллы за неполный ответ считались иначе: здесь каждый верный вариант прибавляет, а каждый неверный снимает поровну',
    );
    return 'partial';
  }
  if (gaveForMore) loss('Лишний выбранный вариант баллов не снимал, здесь ответ с ним неверен');
  return 'allOrNothing';
}

/** A choice of several options. */
function multiple(interaction: ItemContext, response: Response): InteractionResult {
  const { processing, context, feedback } = interaction;
  const judge = judgeOf(response, processing);
  const names = response.options.map(({ ident }) => ident);
  const key = bestSet(response, processing, judge);
  const best = judge.score(key);
  if (key.size === 0 || best <= 0) context.loss('Верный вариант не отмечен');
  const isEachEnough =
    key.size > 1 && best > 0 && [...key].every((one) => isClose(judge.score([one]) / best, 1));
  if (isEachEnough)
    context.loss(`Из ${key.size} верных вариантов хватало одного: здесь каждый даёт часть балла`);
  const scoring = isEachEnough
    ? 'partial'
    : best > 0
      ? scoringOf(names, key, best, judge, context.loss)
      : 'allOrNothing';
  reportCredits(processing, key, context.loss);
  const outcomes = [[], key, ...names.map((name) => [name])].map((set) => judge.outcome(set));
  const plan = planFeedback(feedback, outcomes, judge.outcome(key), context.loss);
  return {
    best,
    plan,
    apart: new Set(),
    body: {
      kind: 'variant',
      points: 1,
      multiple: true,
      scoring,
      shuffle: isShuffled(response, interaction, context.loss),
      options: readOptions(interaction, key).map(({ ident, optionId, text }) => ({
        optionId,
        text,
        isRight: best > 0 && key.has(ident),
        ...plan.of(ownFeedback(ident, processing)),
      })),
    },
  };
}

/** Reads a question with one list of options. */
export function readChoice(interaction: ItemContext, response: Response): InteractionResult {
  const idents = response.options.map(({ ident }) => ident);
  if (new Set(idents).size < idents.length || idents.includes(''))
    return { reason: 'У вариантов одинаковые обозначения: неясно, какой из них верный' };
  return response.isSingle ? single(interaction, response) : multiple(interaction, response);
}
