import { PartId } from '#contract/primitives.ts';
import { Question } from '#contract/questions.ts';
import { leavesOf, mapLeaves } from '#domain/schema-leaves.ts';
import { stableId } from '#server/ids.ts';

/** UUIDs that begin with a time or a counter (versions 1, 2, 6 and 7). */
const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-[1267][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether an id reveals its time of creation. */
export const isTimed = (id: string): boolean => TIMED.test(id);

/**
 * The id under which an option, a left or a right item is stored. Ids that reveal their time of creation reveal
 * which items belong together, so they are replaced: always by the same ones, so that an old id still means the
 * same part.
 */
export const storedPartId = (partId: string): string =>
  isTimed(partId) ? stableId(`part/${partId.toLowerCase()}`) : partId;

/** Ids of the parts of a question, each once. */
export const partIdsOf = (question: Question): string[] => [
  ...new Set(leavesOf(Question, question, PartId)),
];

/** The question with other part ids, in its key too. */
export const withPartIds = (question: Question, idOf: (partId: string) => string): Question =>
  mapLeaves(Question, question, new Map([[PartId, idOf]]));

/** The right column in an order independent of its pairs and of the order it came in. */
export function withMixedRight(question: Question): Question {
  if (question.kind !== 'compliance') return question;
  const right = question.right
    .map((item) => ({ item, place: stableId(`right/${item.rightId}`) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ item }) => item);
  return { ...question, right };
}

/** A question in its stored form: a start sends students the part ids and, unshuffled, their order. Idempotent. */
export const storedForm = (question: Question): Question =>
  withMixedRight(withPartIds(question, storedPartId));
