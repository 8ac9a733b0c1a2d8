import type { Answer, GapAnswer } from '#contract/answers.ts';
import type { Gap, Question } from '#contract/questions.ts';
import type { ItemStatistics } from '#contract/statistics.ts';
import { isFilledGap } from '#domain/kinds/gaps/answers.ts';
import { gapShare } from '#domain/gaps.ts';
import { groupingText, matchedAnswers } from '#domain/matched-answers.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { gapFacility } from '#domain/statistics.ts';

/** Of typed answers only the most frequent ones are listed. */
const TEXTS = 10;
const TEXT_CHARACTERS = 200;

interface Tally {
  count: number;
  /** Sum and number of the rest-of-test scores of those who chose it. */
  rest: number;
  rests: number;
}

/** The choices made at one item, by a key of the choice. */
export type Choices = Map<string, Tally>;

const pairKey = (leftId: string, rightId: string) => `${leftId}\n${rightId}`;

type Normalise = (text: string) => string;

function gapKey(gap: Gap | undefined, given: GapAnswer, normalise: Normalise): string {
  if (!('text' in given)) return `${given.gapId}\n${given.optionId}`;
  const isTyped = gap && gap.input !== 'choice';
  const text = isTyped ? groupingText(gap, given.text, normalise) : normalise(given.text);
  return `${given.gapId}\n${text}`;
}

function keysOf(question: Question, answer: Answer, normalise: Normalise): readonly string[] {
  switch (answer.kind) {
    case 'variant':
      return answer.optionIds;
    case 'compliance':
      return answer.pairs.map(({ leftId, rightId }) => pairKey(leftId, rightId));
    case 'ordering':
      return [answer.itemIds.join('\n')];
    case 'open':
      return question.kind === 'open' && question.accepted.length > 0
        ? [groupingText(question, answer.text, normalise)]
        : [normalise(answer.text)];
    case 'gaps': {
      const gaps = question.kind === 'gaps' ? question.gaps : [];
      return answer.gaps.filter(isFilledGap).map((given) =>
        gapKey(
          gaps.find(({ gapId }) => gapId === given.gapId),
          given,
          normalise,
        ),
      );
    }
    case 'file':
      return [];
  }
}

/** Essays are read one by one and never counted. */
const isCounted = (question: Question) =>
  question.kind !== 'file' && !(question.kind === 'open' && question.input === 'text');

/**
 * What the answers to an item choose, each set of choices once: of 2,000 answers to a question with four options
 * there are few.
 */
export interface ChoiceSets {
  readonly indexes: Map<string, number>;
  /** Keys of choices, by index. */
  readonly keys: (readonly string[])[];
}

/** Index of the set that an answer chooses. */
export function indexOfChoices(
  sets: ChoiceSets,
  question: Question,
  answer: Answer,
  normalise: Normalise,
): number {
  const chosen = isCounted(question) ? keysOf(question, answer, normalise) : [];
  return indexOfSet(sets, chosen);
}

function indexOfSet({ indexes, keys }: ChoiceSets, chosen: readonly string[]): number {
  const id = chosen.join('\u0000');
  const known = indexes.get(id);
  if (known !== undefined) return known;
  indexes.set(id, keys.length);
  return keys.push([...new Set(chosen)]) - 1;
}

/**
 * Gives the index in other sets for one of former sets. What nobody chooses any more, such as the text of an
 * erased person, is left behind.
 */
export function choicesCopier(former: ChoiceSets, to: ChoiceSets): (index: number) => number {
  const indexes: number[] = [];
  return (index) => {
    const chosen = former.keys[index];
    return chosen ? (indexes[index] ??= indexOfSet(to, chosen)) : -1;
  };
}

/**
 * Counts the choices of all attempts.
 * @param chosen by attempt, the index of its set; negative: no answer
 * @param scores by attempt, the score at the rest of the test; NaN: nothing else of it is graded
 */
export function tallyChoices(
  { keys }: ChoiceSets,
  chosen: Int32Array,
  scores: Float64Array,
): Choices {
  const sets = keys.map((): Tally => ({ count: 0, rest: 0, rests: 0 }));
  chosen.forEach((index, attempt) => {
    const found = sets[index];
    if (!found) return;
    found.count += 1;
    const rest = scores[attempt] ?? Number.NaN;
    if (Number.isNaN(rest)) return;
    found.rest += rest;
    found.rests += 1;
  });
  const choices: Choices = new Map();
  for (const [index, { count, rest, rests }] of sets.entries()) {
    if (count === 0) continue;
    for (const key of keys[index] ?? []) {
      const found = choices.get(key) ?? { count: 0, rest: 0, rests: 0 };
      found.count += count;
      found.rest += rest;
      found.rests += rests;
      choices.set(key, found);
    }
  }
  return choices;
}

type ListedChoice = ItemStatistics['choices'][number];

const NOBODY: Tally = { count: 0, rest: 0, rests: 0 };

function listed(
  choice: { readonly text: string; readonly isRight: boolean | null; readonly tally: Tally },
  answered: number,
): ListedChoice {
  const { count, rest, rests } = choice.tally;
  return {
    text: choice.text,
    isRight: choice.isRight,
    count,
    share: answered === 0 ? 0 : count / answered,
    meanRest: rests === 0 ? null : rest / rests,
  };
}

/** Parts by id over all versions, with the text of the newest version. */
function known<T>(versions: readonly (readonly T[])[], idOf: (thing: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  for (const things of versions)
    for (const thing of things) if (!found.has(idOf(thing))) found.set(idOf(thing), thing);
  return found;
}

const versionsOf = <K extends Question['kind']>(versions: readonly Question[], kind: K) =>
  versions.filter((question): question is Extract<Question, { kind: K }> => question.kind === kind);

function options(versions: readonly Question[], choices: Choices, answered: number) {
  const all = known(
    versionsOf(versions, 'variant').map((question) => question.options),
    ({ optionId }) => optionId,
  );
  return [...all.values()].map(({ optionId, text, isRight }) =>
    listed({ text, isRight, tally: choices.get(optionId) ?? NOBODY }, answered),
  );
}

/** The right pairs, and the wrong ones that somebody made, by the left items in order. */
function pairs(versions: readonly Question[], choices: Choices, answered: number) {
  const matching = versionsOf(versions, 'compliance');
  const left = known(
    matching.map((question) => question.left),
    ({ leftId }) => leftId,
  );
  const right = known(
    matching.map((question) => question.right),
    ({ rightId }) => rightId,
  );
  const key = new Set(matching[0]?.pairs.map(({ leftId, rightId }) => pairKey(leftId, rightId)));
  return [...left.values()].flatMap((leftItem) =>
    [...right.values()].flatMap((rightItem) => {
      const id = pairKey(leftItem.leftId, rightItem.rightId);
      const found = choices.get(id);
      if (!found && !key.has(id)) return [];
      const text = `${leftItem.text} – ${rightItem.text}`;
      return [listed({ text, isRight: key.has(id), tally: found ?? NOBODY }, answered)];
    }),
  );
}

const mostFrequent = (choices: readonly [string, Tally][]) =>
  choices.toSorted(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1));

/** The most frequent orders, and the right one; the items of the newest version. */
function orders(
  newest: Extract<Question, { kind: 'ordering' }>,
  choices: Choices,
  answered: number,
) {
  const places = new Map(newest.items.map(({ itemId }, index) => [itemId, String(index + 1)]));
  const right = [...places.keys()].join('\n');
  const most = mostFrequent([...choices].filter(([order]) => order !== right)).slice(0, TEXTS - 1);
  return [[right, choices.get(right) ?? NOBODY] as const, ...most].map(([order, tally]) => {
    const text = order
      .split('\n')
      .map((id) => places.get(id) ?? '?')
      .join(' → ');
    return listed({ text, isRight: order === right, tally }, answered);
  });
}

/** The options of each list, and the most frequent texts of each gap that is typed into. */
function gapChoices(
  newest: Extract<Question, { kind: 'gaps' }>,
  choices: Choices,
  answered: number,
) {
  return newest.gaps.flatMap((gap) => {
    const name = (text: string) => `(${gap.gapId}) ${text}`;
    if (gap.input === 'choice')
      return gap.options.map(({ optionId, text, isRight }) => {
        const found = choices.get(`${gap.gapId}\n${optionId}`);
        return listed({ text: name(text), isRight, tally: found ?? NOBODY }, answered);
      });
    return mostFrequent(answersIn(gap, choices))
      .slice(0, TEXTS)
      .map(([text, found]) =>
        listed(
          {
            text: name(text.slice(0, TEXT_CHARACTERS)),
            isRight: gapShare(gap, { gapId: gap.gapId, text }) > 0,
            tally: found,
          },
          answered,
        ),
      );
  });
}

/** The texts typed into a gap, or the ids of the options chosen in it. */
const answersIn = ({ gapId }: Gap, choices: Choices): [answer: string, tally: Tally][] => {
  const start = `${gapId}\n`;
  return [...choices]
    .filter(([key]) => key.startsWith(start))
    .map(([key, found]) => [key.slice(start.length), found]);
};

/** By the key of the newest version, as `isRight` of the choices is. */
function gapFacilities(
  { gaps }: Extract<Question, { kind: 'gaps' }>,
  choices: Choices,
  graded: number,
): ItemStatistics['gaps'] {
  return gaps.map((gap) => {
    const { gapId } = gap;
    const options = gap.input === 'choice' ? gap.options : [];
    const given = (answer: string): GapAnswer => {
      const option = options.find(({ optionId }) => optionId === answer);
      return option ? { gapId, optionId: option.optionId } : { gapId, text: answer };
    };
    const answers = answersIn(gap, choices).map(([answer, { count }]) => ({
      share: gapShare(gap, given(answer)),
      count,
    }));
    return { gapId, facility: gapFacility(answers, graded) };
  });
}

function isRightText(question: Question, text: string): boolean | null {
  if (question.kind !== 'open' || isGradedByHand(question)) return null;
  return (matchedAnswers(question, text)[0]?.share ?? 0) > 0;
}

function texts(question: Question, choices: Choices, answered: number) {
  return mostFrequent([...choices])
    .slice(0, TEXTS)
    .map(([text, tally]) =>
      listed(
        { text: text.slice(0, TEXT_CHARACTERS), isRight: isRightText(question, text), tally },
        answered,
      ),
    );
}

type ListedChoices = Pick<ItemStatistics, 'choices' | 'otherAnswers' | 'gaps'>;

const NOTHING: ListedChoices = { choices: [], otherAnswers: 0, gaps: [] };

/**
 * Distractor analysis: how often each choice was made, and how good those who made it are at the rest of the
 * test. A wrong choice of strong students hints at a wrong key (Crocker & Algina 1986, ch. 14).
 * @param versions the item's versions, the newest first
 * @param answered attempts with an answer to it; `graded`: those in which it is graded
 */
export function listChoices(
  versions: readonly Question[],
  choices: Choices,
  { answered, graded }: Pick<ItemStatistics, 'answered' | 'graded'>,
): ListedChoices {
  const [newest] = versions;
  if (!newest || !isCounted(newest)) return { ...NOTHING, otherAnswers: answered };
  if (newest.kind === 'variant')
    return { ...NOTHING, choices: options(versions, choices, answered) };
  if (newest.kind === 'compliance')
    return { ...NOTHING, choices: pairs(versions, choices, answered) };
  if (newest.kind === 'gaps')
    return {
      ...NOTHING,
      choices: gapChoices(newest, choices, answered),
      gaps: gapFacilities(newest, choices, graded),
    };
  const list =
    newest.kind === 'ordering'
      ? orders(newest, choices, answered)
      : texts(newest, choices, answered);
  const shown = list.reduce((total, { count }) => total + count, 0);
  return { ...NOTHING, choices: list, otherAnswers: Math.max(0, answered - shown) };
}
