import type { Question, StudentQuestion } from '#contract/questions.ts';
import { shuffled } from '#domain/seeded-random.ts';
import { newQuestion } from '#domain/new-question.ts';
import { stableId } from '#server/ids.ts';

/** The attacker's knowledge: the reply to a start, and the code that the app ships. */
export interface StolenReply {
  readonly attemptId: string;
  readonly questions: readonly StudentQuestion[];
}

interface Part {
  readonly id: string;
  readonly text: string;
}

/** Parts in the received order, the seed of the former shuffle → parts in the order of the key. */
type Guess = (parts: readonly Part[], seed: string) => readonly Part[];

const by =
  (value: (part: Part) => string): Guess =>
  (parts) =>
    parts.toSorted((a, b) => (value(a) < value(b) ? -1 : 1));

/** Reverses a shuffle of public code and a known seed. */
const unshuffled: Guess = (parts, seed) => {
  const places = shuffled(
    parts.map((_, place) => place),
    seed,
  );
  return parts.map((_, place) => parts[places.indexOf(place)]).filter((part) => part !== undefined);
};

const GUESSES: Readonly<Record<string, Guess>> = {
  'the shuffle taken back': unshuffled,
  'the shuffle taken back with the question alone': (parts, seed) =>
    unshuffled(parts, seed.slice(seed.indexOf('/') + 1)),
  'the order as it came': (parts) => parts,
  'the order as it came, backwards': (parts) => parts.toReversed(),
  'ids sorted': by(({ id }) => id),
  'ids sorted backwards': (parts, seed) => by(({ id }) => id)(parts, seed).toReversed(),
  'times of ids': by(({ id }) => id.replaceAll('-', '').slice(0, 12)),
  'a public hash of ids': by(({ id }) => stableId(`right/${id}`)),
  'lengths of ids': (parts) => parts.toSorted((a, b) => a.id.length - b.id.length),
};

/** The result of one guessing method over the questions of one kind: `right` of `parts` decisions. */
export interface Loot {
  readonly guess: string;
  readonly kind: 'variant' | 'compliance' | 'ordering' | 'gaps';
  readonly right: number;
  readonly questions: number;
  /** The number right by chance alone, and its standard deviation. */
  readonly expected: number;
  readonly deviation: number;
}

function pairsRight(
  shown: Extract<StudentQuestion, { kind: 'compliance' }>,
  keyed: Extract<Question, { kind: 'compliance' }>,
  order: (parts: readonly Part[]) => readonly Part[],
  sortsLeft: boolean,
): number {
  const left = shown.left.map(({ leftId, text }) => ({ id: leftId, text }));
  const right = order(shown.right.map(({ rightId, text }) => ({ id: rightId, text })));
  const key = new Map(keyed.pairs.map(({ leftId, rightId }) => [leftId, rightId]));
  return (sortsLeft ? order(left) : left).filter(
    ({ id }, place) => right[place]?.id === key.get(id),
  ).length;
}

/**
 * Guesses the keys of a reply by every method; the true keys only count the result. Matchings have as many
 * right items as left ones, choices one right option.
 */
export function attack(stolen: StolenReply, keyed: readonly Question[]): Loot[] {
  const keys = new Map(keyed.map((question) => [question.questionId, question]));
  return Object.entries(GUESSES).flatMap(([guess, order]) => {
    const choice = { right: 0, questions: 0, expected: 0, variance: 0 };
    const matching = { right: 0, questions: 0, expected: 0, variance: 0 };
    const ordering = { right: 0, questions: 0, expected: 0, variance: 0 };
    const gapped = { right: 0, questions: 0, expected: 0, variance: 0 };
    for (const shown of stolen.questions) {
      const key = keys.get(shown.questionId);
      const ordered = (parts: readonly Part[]) =>
        order(parts, `${stolen.attemptId}/${shown.questionId}`);
      if (shown.kind === 'variant' && key?.kind === 'variant') {
        const [first] = ordered(
          shown.options.map(({ optionId, text }) => ({ id: optionId, text })),
        );
        const isRight = key.options.some(
          ({ optionId, isRight }) => isRight && optionId === first?.id,
        );
        const chance = 1 / shown.options.length;
        choice.right += isRight ? 1 : 0;
        choice.questions += 1;
        choice.expected += chance;
        choice.variance += chance * (1 - chance);
      }
      if (shown.kind === 'compliance' && key?.kind === 'compliance') {
        matching.right += pairsRight(shown, key, ordered, guess.includes('ids'));
        matching.questions += 1;
        // Fixed points of a random order: one on average, with variance one.
        matching.expected += 1;
        matching.variance += 1;
      }
      if (shown.kind === 'ordering' && key?.kind === 'ordering') {
        const guessed = ordered(shown.items.map(({ itemId, text }) => ({ id: itemId, text })));
        ordering.right += key.items.filter(
          ({ itemId }, place) => guessed[place]?.id === itemId,
        ).length;
        ordering.questions += 1;
        ordering.expected += 1;
        ordering.variance += 1;
      }
      if (shown.kind === 'gaps' && key?.kind === 'gaps') {
        gapped.questions += 1;
        for (const [place, gap] of shown.gaps.entries()) {
          const keyedGap = key.gaps[place];
          if (gap.input !== 'choice' || keyedGap?.input !== 'choice') continue;
          const [first] = ordered(
            gap.options.map(({ optionId, text }) => ({ id: optionId, text })),
          );
          const chance = 1 / gap.options.length;
          gapped.right += keyedGap.options.some(
            ({ optionId, isRight }) => isRight && optionId === first?.id,
          )
            ? 1
            : 0;
          gapped.expected += chance;
          gapped.variance += chance * (1 - chance);
        }
      }
    }
    return [
      { guess, kind: 'variant' as const, ...choice },
      { guess, kind: 'compliance' as const, ...matching },
      ...(ordering.questions > 0 ? [{ guess, kind: 'ordering' as const, ...ordering }] : []),
      ...(gapped.questions > 0 ? [{ guess, kind: 'gaps' as const, ...gapped }] : []),
    ].map(({ variance, ...rest }) => ({ ...rest, deviation: Math.sqrt(variance) }));
  });
}

/** Chance exceeds this less than once in a hundred million guesses, and a known key reaches five times as much. */
const DEVIATIONS = 6.5;

export const betterThanChance = ({ right, expected, deviation }: Loot): boolean =>
  right > expected + DEVIATIONS * deviation;

/** Options of a choice, pairs of a matching, items of an ordering. */
export const PARTS = 5;

/**
 * As a teacher types them: the right option first, each right item beside its left one; choices and matchings
 * in turn.
 */
export function typedQuestions(count: number, newId: () => string): Question[] {
  const places = Array.from({ length: PARTS }, (_, place) => place);
  return Array.from({ length: count }).flatMap((_, number) => {
    const choice = newQuestion('variant', newId);
    const matching = newQuestion('compliance', newId);
    if (choice.kind !== 'variant' || matching.kind !== 'compliance') throw new Error('other kinds');
    const pairs = places.map(() => ({ leftId: newId(), rightId: newId() }));
    return [
      {
        ...choice,
        text: `Выбор ${number}`,
        shuffle: true,
        options: places.map((place) => ({
          optionId: newId(),
          text: `${place}`,
          isRight: place === 0,
        })),
      },
      {
        ...matching,
        text: `Пары ${number}`,
        left: pairs.map(({ leftId }, place) => ({ leftId, text: `слева ${place}` })),
        right: pairs.map(({ rightId }, place) => ({ rightId, text: `справа ${place}` })),
        pairs,
      },
    ];
  });
}

/** As a teacher types them: items in their right order. */
export const typedOrderings = (count: number, newId: () => string): Question[] =>
  Array.from({ length: count }, (_, number) => ({
    questionId: newId(),
    kind: 'ordering',
    points: 1,
    text: `Порядок ${number}`,
    items: Array.from({ length: PARTS }, (__, place) => ({
      itemId: newId(),
      text: `шаг ${place}`,
    })),
  }));

/**
 * As a teacher types them: the right option of a gap first. Lists of gaps are shown in the alphabet's order, so the
 * texts say nothing of the key.
 */
export const typedGaps = (count: number, newId: () => string): Question[] =>
  Array.from({ length: count }, (_, number) => ({
    questionId: newId(),
    kind: 'gaps',
    points: 1,
    text: `Пропуск ${number}: [[1]]`,
    gaps: [
      {
        gapId: '1',
        weight: 1,
        input: 'choice',
        options: Array.from({ length: PARTS }, (__, place) => ({
          optionId: newId(),
          text: stableId(`${number}/${place}`).slice(-6),
          isRight: place === 0,
        })),
      },
    ],
  }));
