import type { GapAnswer } from '#contract/answers.ts';
import type { Gap } from '#contract/questions.ts';
import type { ItemStatistics } from '#contract/statistics.ts';
import { gapShare } from '#domain/gaps.ts';
import { isFilledGap } from '#domain/kinds/gaps/answers.ts';
import type { AnswerOf, Kind, QuestionOf } from '#domain/kinds/rules.ts';
import { groupingText, matchedAnswers } from '#domain/matched-answers.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { gapFacility } from '#domain/statistics.ts';

/** Of typed answers only the most frequent ones are listed. */
const TEXTS = 10;
const TEXT_CHARACTERS = 200;

export interface ChoiceTally {
  count: number;
  /** Sum and number of the rest-of-test scores of those who chose it. */
  rest: number;
  rests: number;
}

/** The choices made at one item, by a key of the choice. */
export type Choices = Map<string, ChoiceTally>;

const pairKey = (leftId: string, rightId: string) => `${leftId}\n${rightId}`;

export type Normalise = (text: string) => string;

function gapKey(gap: Gap | undefined, given: GapAnswer, normalise: Normalise): string {
  if (!('text' in given)) return `${given.gapId}\n${given.optionId}`;
  const isTyped = gap && gap.input !== 'choice';
  const text = isTyped ? groupingText(gap, given.text, normalise) : normalise(given.text);
  return `${given.gapId}\n${text}`;
}

type ListedChoice = ItemStatistics['choices'][number];

const NOBODY: ChoiceTally = { count: 0, rest: 0, rests: 0 };

function listed(
  choice: { readonly text: string; readonly isRight: boolean | null; readonly tally: ChoiceTally },
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

function options(versions: readonly QuestionOf<'variant'>[], choices: Choices, answered: number) {
  const all = known(
    versions.map((question) => question.options),
    ({ optionId }) => optionId,
  );
  return [...all.values()].map(({ optionId, text, isRight }) =>
    listed({ text, isRight, tally: choices.get(optionId) ?? NOBODY }, answered),
  );
}

/** The right pairs, and the wrong ones that somebody made, by the left items in order. */
function pairs(matching: readonly QuestionOf<'compliance'>[], choices: Choices, answered: number) {
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

const mostFrequent = (choices: readonly [string, ChoiceTally][]) =>
  choices.toSorted(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1));

/** The most frequent orders, and the right one; the items of the newest version. */
function orders(newest: QuestionOf<'ordering'>, choices: Choices, answered: number) {
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

/** The options of each list, and the most frequent texts of each typed gap. */
function gapChoices(newest: QuestionOf<'gaps'>, choices: Choices, answered: number) {
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
const answersIn = ({ gapId }: Gap, choices: Choices): [answer: string, tally: ChoiceTally][] => {
  const start = `${gapId}\n`;
  return [...choices]
    .filter(([key]) => key.startsWith(start))
    .map(([key, found]) => [key.slice(start.length), found]);
};

/** By the key of the newest version, as `isRight` of the choices is. */
function gapFacilities(
  { gaps }: QuestionOf<'gaps'>,
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

function isRightText(question: QuestionOf<'open'>, text: string): boolean | null {
  if (isGradedByHand(question)) return null;
  return (matchedAnswers(question, text)[0]?.share ?? 0) > 0;
}

function texts(question: QuestionOf<'open'>, choices: Choices, answered: number) {
  return mostFrequent([...choices])
    .slice(0, TEXTS)
    .map(([text, tally]) =>
      listed(
        { text: text.slice(0, TEXT_CHARACTERS), isRight: isRightText(question, text), tally },
        answered,
      ),
    );
}

export type ListedChoices = Pick<ItemStatistics, 'choices' | 'otherAnswers' | 'gaps'>;

export const NOTHING_LISTED: ListedChoices = { choices: [], otherAnswers: 0, gaps: [] };

/** A list of the most frequent answers; the others are counted. */
function listedMost(list: readonly ListedChoice[], answered: number): ListedChoices {
  const shown = list.reduce((total, { count }) => total + count, 0);
  return {
    ...NOTHING_LISTED,
    choices: [...list],
    otherAnswers: Math.max(0, answered - shown),
  };
}

/** How the choices at questions of one kind are counted and listed. */
interface ChoiceRules<K extends Kind> {
  /** The keys of what an answer chooses. */
  keys(answer: AnswerOf<K>, question: QuestionOf<K>, normalise: Normalise): readonly string[];
  /** @param versions the newest first */
  list(
    newest: QuestionOf<K>,
    versions: readonly QuestionOf<K>[],
    choices: Choices,
    counts: Pick<ItemStatistics, 'answered' | 'graded'>,
  ): ListedChoices;
}

const variantChoices: ChoiceRules<'variant'> = {
  keys: ({ optionIds }) => optionIds,
  list: (_, versions, choices, { answered }) => ({
    ...NOTHING_LISTED,
    choices: options(versions, choices, answered),
  }),
};

const complianceChoices: ChoiceRules<'compliance'> = {
  keys: (answer) => answer.pairs.map(({ leftId, rightId }) => pairKey(leftId, rightId)),
  list: (_, versions, choices, { answered }) => ({
    ...NOTHING_LISTED,
    choices: pairs(versions, choices, answered),
  }),
};

const orderingChoices: ChoiceRules<'ordering'> = {
  keys: ({ itemIds }) => [itemIds.join('\n')],
  list: (newest, _, choices, { answered }) =>
    listedMost(orders(newest, choices, answered), answered),
};

/** Essays are read one by one and never counted. */
const openChoices: ChoiceRules<'open'> = {
  keys(answer, question, normalise) {
    if (question.input === 'text') return [];
    return question.accepted.length > 0
      ? [groupingText(question, answer.text, normalise)]
      : [normalise(answer.text)];
  },
  list: (newest, _, choices, { answered }) =>
    listedMost(newest.input === 'text' ? [] : texts(newest, choices, answered), answered),
};

const gapsChoices: ChoiceRules<'gaps'> = {
  keys: (answer, { gaps }, normalise) =>
    answer.gaps.filter(isFilledGap).map((given) =>
      gapKey(
        gaps.find(({ gapId }) => gapId === given.gapId),
        given,
        normalise,
      ),
    ),
  list: (newest, _, choices, { answered, graded }) => ({
    ...NOTHING_LISTED,
    choices: gapChoices(newest, choices, answered),
    gaps: gapFacilities(newest, choices, graded),
  }),
};

/** The kinds with answers that can be counted by their choices. */
const RULES: { readonly [K in Kind]?: ChoiceRules<K> } = {
  variant: variantChoices,
  open: openChoices,
  compliance: complianceChoices,
  ordering: orderingChoices,
  gaps: gapsChoices,
};

/** The rules of a kind; without rules, its answers are counted as others. */
export const choiceRules = <K extends Kind>({
  kind,
}: {
  readonly kind: K;
}): ChoiceRules<K> | undefined => RULES[kind];
