import { PartId } from '#contract/primitives.ts';
import { Question, type Area } from '#contract/questions.ts';
import { hasAreas } from '#domain/areas.ts';
import { withoutCredit } from '#domain/bank.ts';
import { gapIdsIn, withGapPlaces } from '#domain/format-gaps.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { leavesOf, mapLeaves } from '#domain/schema-leaves.ts';
import type { ComparableQuestion } from './model.ts';

/** The pixels of a picture are coarser than shares. */
const roundedArea = ({ shape, left, top, width, height }: Area) => [
  shape,
  ...[left, top, width, height].map((share) => Math.round(share * 200)),
];

/** Fields of a kind that are compared in another form than the stored one. */
const COMPARED: KindTable<Readonly<Record<string, unknown>>> = {
  variant: ({ options, shuffle }) => ({
    // Areas have their own order.
    shuffle: hasAreas(options) || shuffle,
    options: options.map(({ optionId: _id, area, ...option }) => ({
      ...option,
      ...(area && { area: roundedArea(area) }),
    })),
  }),
  compliance({ left, right, pairs }) {
    const placeOf = (id: string) => right.findIndex(({ rightId }) => rightId === id);
    return {
      left: left.map(({ leftId, text }) => ({
        text,
        right: placeOf(pairs.find((pair) => pair.leftId === leftId)?.rightId ?? ''),
      })),
      right: right.map(({ text }) => text),
      pairs: pairs.length,
    };
  },
  ordering: ({ items }) => ({ items: items.map(({ text }) => text) }),
  gaps({ text, gaps: given }) {
    // An export may change the numbers of gaps, and multiply weights by a common factor. The order of options does not
    // matter.
    const ids = gapIdsIn(text);
    const whole = given.reduce((sum, { weight }) => sum + weight, 0);
    const gaps = [...given].sort((a, b) => ids.indexOf(a.gapId) - ids.indexOf(b.gapId));
    return {
      text: withGapPlaces(text, (gapId) => `[[${ids.indexOf(gapId) + 1}]]`),
      gaps: gaps.map(({ gapId: _gapId, weight, ...gap }) => ({
        ...gap,
        weight: Math.round((weight / whole) * 1e4),
        ...('options' in gap
          ? { options: gap.options.map(({ optionId: _id, ...option }) => option) }
          : {}),
      })),
    };
  },
};

/** Replaces the ids of parts with numbers, in the order of their first occurrence in the question. */
function withNumberedParts(question: Question): Question {
  const ids = [...new Set(leavesOf(Question, question, PartId))];
  return mapLeaves(Question, question, new Map([[PartId, (id) => String(ids.indexOf(id) + 1)]]));
}

/**
 * The parts that must survive an export and import: kinds, texts, keys, points, feedback, titles, themes. Ids are
 * replaced with positions; the origin of a question is left out.
 */
export function comparable(question: Question): ComparableQuestion {
  const own = entryOf(COMPARED, question)?.(question);
  const whole = withoutCredit(own ? question : withNumberedParts(question));
  const { questionId: _, origin: __, variantOf: ___, passage, ...rest } = whole;
  const { text, transcript, transcriptShown } = passage ?? {};
  const shared = transcript ? { text, transcript, transcriptShown } : text;
  return { ...rest, ...(passage && { passage: shared }), ...own };
}
