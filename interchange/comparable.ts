import type { Area, Question } from '#contract/questions.ts';
import { withoutCredit } from '#domain/bank.ts';
import { hasAreas } from '#domain/areas.ts';
import { gapIdsIn, withGapPlaces } from '#domain/format-gaps.ts';
import type { ComparableQuestion } from './model.ts';

/** Pixels of a picture are coarser than shares. */
const roundedArea = ({ shape, left, top, width, height }: Area) => [
  shape,
  ...[left, top, width, height].map((share) => Math.round(share * 200)),
];

/**
 * What must survive an export and import: kinds, texts, keys, points, feedback, titles, themes. Ids are
 * replaced by positions; the origin of a question is left out.
 */
export function comparable(question: Question): ComparableQuestion {
  const { questionId: _, origin: __, variantOf: ___, passage, ...alone } = withoutCredit(question);
  const { text, transcript, transcriptShown } = passage ?? {};
  const shared = transcript ? { text, transcript, transcriptShown } : text;
  const rest = { ...alone, ...(passage && { passage: shared }) };
  switch (rest.kind) {
    case 'variant':
      return {
        ...rest,
        // Areas have their own order.
        ...(hasAreas(rest.options) && { shuffle: true }),
        options: rest.options.map(({ optionId: _id, area, ...option }) => ({
          ...option,
          ...(area && { area: roundedArea(area) }),
        })),
      };
    case 'compliance': {
      const placeOf = (rightId: string) =>
        rest.right.findIndex((right) => right.rightId === rightId);
      return {
        ...rest,
        left: rest.left.map(({ leftId, text }) => ({
          text,
          right: placeOf(rest.pairs.find((pair) => pair.leftId === leftId)?.rightId ?? ''),
        })),
        right: rest.right.map(({ text }) => text),
        pairs: rest.pairs.length,
      };
    }
    case 'ordering':
      return { ...rest, items: rest.items.map(({ text }) => text) };
    case 'gaps': {
      // Numbers of gaps may change on the way, and weights by a common factor; the order of options does not matter.
      const ids = gapIdsIn(rest.text);
      const whole = rest.gaps.reduce((sum, { weight }) => sum + weight, 0);
      const gaps = [...rest.gaps].sort((a, b) => ids.indexOf(a.gapId) - ids.indexOf(b.gapId));
      return {
        ...rest,
        text: withGapPlaces(rest.text, (gapId) => `[[${ids.indexOf(gapId) + 1}]]`),
        gaps: gaps.map(({ gapId: _gapId, weight, ...gap }) => ({
          ...gap,
          weight: Math.round((weight / whole) * 1e4),
          ...('options' in gap
            ? { options: gap.options.map(({ optionId: _id, ...option }) => option) }
            : {}),
        })),
      };
    }
    default:
      return rest;
  }
}
