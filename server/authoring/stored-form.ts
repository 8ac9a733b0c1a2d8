import { PartId } from '#contract/primitives.ts';
import { Question } from '#contract/questions.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { mapLeaves } from '#domain/schema-leaves.ts';
import { stableId } from '#server/ids.ts';

/** UUIDs that begin with a time or a counter (versions 1, 2, 6 and 7). */
const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-[1267][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The id under which an option, a left or a right item is stored. An id that reveals its time of creation reveals which
 * items belong together, so it is replaced. The replacement is always the same, so that the editor that created the ids
 * may send them again.
 */
const storedPartId = (partId: string): string =>
  TIMED.test(partId) ? stableId(`part/${partId.toLowerCase()}`) : partId;

/** The question with its parts' stored ids, in its key too. */
const withStoredParts = (question: Question): Question =>
  mapLeaves(Question, question, new Map([[PartId, storedPartId]]));

/** The right column, in an order independent of its pairs and of the received order. */
const withMixedRight = (question: Question): Question =>
  questionRules(question).sortParts?.(question, (rightId) => stableId(`right/${rightId}`)) ??
  question;

/** A question in its stored form: a start sends students the part ids and, unshuffled, their order. Idempotent. */
export const storedForm = (question: Question): Question =>
  withMixedRight(withStoredParts(question));
