import type { Question, StudentQuestion } from '#contract/questions.ts';
import { inAlphabet } from './alphabet.ts';
import { hasAreas, inReadingOrder } from './areas.ts';

/**
 * The rank of a shuffled part: parts are sorted by it. It is derived from a secret of the server, since whoever
 * can compute the order can reverse it.
 */
export type PartRank = (questionId: string, partId: string) => string;

function sortedBy<T>(items: readonly T[], rankOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ item }) => item);
}

/** Options of a list to choose from: sorted by their texts, they are found soon and tell nothing of the key. */
export const sortedOptions = <T extends { readonly optionId: string; readonly text: string }>(
  options: readonly T[],
): T[] => inAlphabet(options, ({ optionId, text }) => ({ name: text, id: optionId }));

interface Transcribed {
  readonly transcript?: string | undefined;
  readonly transcriptShown?: boolean | undefined;
}

/** The transcript of a question or a shared text as students get it: none unless the teacher shows it. */
const shownTranscript = ({ transcript, transcriptShown }: Transcribed) =>
  transcriptShown && transcript ? { transcript } : {};

/** Of a question for students with its key, too: without transcripts that they may not read. */
export function withShownTranscripts(question: Question): Question {
  const { transcript: _, transcriptShown: __, passage, ...rest } = question;
  const shared = passage && {
    passageId: passage.passageId,
    text: passage.text,
    ...shownTranscript(passage),
  };
  return { ...rest, ...shownTranscript(question), ...(shared && { passage: shared }) };
}

/**
 * A question as the student of one attempt gets it: fields are picked one by one, so that no key can leak; the
 * same rank gives the same order for the whole attempt.
 */
export function studentQuestion(question: Question, rank: PartRank): StudentQuestion {
  const { questionId, text, points, passage, transcript } = withShownTranscripts(question);
  const base = {
    questionId,
    text,
    points,
    ...(passage && { passage }),
    ...(transcript === undefined ? {} : { transcript }),
  };
  switch (question.kind) {
    case 'open':
      return { ...base, kind: 'open', input: question.input };
    case 'variant': {
      const options = question.options.map(({ optionId, text: label, area }) => ({
        optionId,
        text: label,
        ...(area && { area: { ...area } }),
      }));
      const ordered = question.shuffle
        ? sortedBy(options, ({ optionId }) => rank(questionId, optionId))
        : options;
      return {
        ...base,
        kind: 'variant',
        multiple: question.multiple,
        options: hasAreas(ordered) ? inReadingOrder(ordered) : ordered,
      };
    }
    case 'compliance': {
      const left = question.left.map(({ leftId, text: label }) => ({ leftId, text: label }));
      const right = question.right.map(({ rightId, text: label }) => ({ rightId, text: label }));
      return {
        ...base,
        kind: 'compliance',
        ...(question.reuse ? { reuse: true } : {}),
        left,
        right: question.shuffle
          ? sortedBy(right, ({ rightId }) => rank(questionId, rightId))
          : right,
      };
    }
    case 'ordering': {
      const items = question.items.map(({ itemId, text: label }) => ({ itemId, text: label }));
      // Their order is the key.
      return {
        ...base,
        kind: 'ordering',
        items: sortedBy(items, ({ itemId }) => rank(questionId, itemId)),
      };
    }
    case 'gaps':
      return {
        ...base,
        kind: 'gaps',
        gaps: question.gaps.map((gap) =>
          gap.input === 'choice'
            ? {
                gapId: gap.gapId,
                input: gap.input,
                options: sortedOptions(gap.options).map(({ optionId, text: label }) => ({
                  optionId,
                  text: label,
                })),
              }
            : { gapId: gap.gapId, input: gap.input },
        ),
      };
    case 'file': {
      const { maxBytes, accept, maxFiles } = question;
      const several = maxFiles === undefined ? {} : { maxFiles };
      return { ...base, kind: 'file', maxBytes, accept: [...accept], ...several };
    }
  }
}
