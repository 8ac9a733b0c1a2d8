import type { Question } from '#contract/questions.ts';
import { stableId } from '#server/ids.ts';

/** UUIDs that begin with the time or the number of their making (versions 1, 2, 6 and 7). */
const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-[1267][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether an id tells when it was made. */
export const isTimed = (id: string): boolean => TIMED.test(id);

/**
 * The id under which an option, a left or a right item is stored. Ids that tell when they were made tell
 * which items a teacher made together, so they give way to others: always the same ones, so that whoever
 * still has the old id means the same part.
 */
export const storedPartId = (partId: string): string =>
  isTimed(partId) ? stableId(`part/${partId.toLowerCase()}`) : partId;

/** Ids of the parts of a question. */
export function partIdsOf(question: Question): string[] {
  switch (question.kind) {
    case 'variant':
      return question.options.map(({ optionId }) => optionId);
    case 'compliance':
      return [
        ...question.left.map(({ leftId }) => leftId),
        ...question.right.map(({ rightId }) => rightId),
      ];
    case 'open':
    case 'file':
      return [];
  }
}

/** The question with other ids of its parts, in its key too. */
export function withPartIds(question: Question, idOf: (partId: string) => string): Question {
  switch (question.kind) {
    case 'variant': {
      const options = question.options.map((option) => ({
        ...option,
        optionId: idOf(option.optionId),
      }));
      return { ...question, options };
    }
    case 'compliance':
      return {
        ...question,
        left: question.left.map((item) => ({ ...item, leftId: idOf(item.leftId) })),
        right: question.right.map((item) => ({ ...item, rightId: idOf(item.rightId) })),
        pairs: question.pairs.map(({ leftId, rightId }) => ({
          leftId: idOf(leftId),
          rightId: idOf(rightId),
        })),
      };
    case 'open':
    case 'file':
      return question;
  }
}

/** The right column in an order that says nothing of its pairs, the same one whatever order it came in. */
export function withMixedRight(question: Question): Question {
  if (question.kind !== 'compliance') return question;
  const right = question.right
    .map((item) => ({ item, place: stableId(`right/${item.rightId}`) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ item }) => item);
  return { ...question, right };
}

/**
 * A question as it is stored, whoever sent it: a start sends the ids of its parts, and unshuffled their
 * order, to students. Storing it again changes nothing.
 */
export const storedForm = (question: Question): Question =>
  withMixedRight(withPartIds(question, storedPartId));
