import type { Passage, Question } from '#contract/questions.ts';
import type { Difficulty } from '#contract/themes.ts';
import { copiedQuestion, withoutCredit } from '#domain/bank.ts';
import { isSamePassage } from '#domain/passages.ts';
import { byPlace, placeId } from '#domain/variants.ts';

/** Edits for the draft's `change`; they find questions by id, since they may run again on newer ones. */
export type Edit = (questions: readonly Question[]) => readonly Question[];

/** Groups alternatives at the place of the first. */
const gathered = (questions: readonly Question[]): Question[] =>
  [...byPlace(questions).values()].flat();

const inserted = <T>(list: readonly T[], at: number, ...added: readonly T[]): T[] => [
  ...list.slice(0, at),
  ...added,
  ...list.slice(at),
];

const carried = <T>(list: readonly T[], from: number, to: number, item: T): T[] =>
  inserted([...list.slice(0, from), ...list.slice(from + 1)], to, item);

/** Moves a place with all its alternatives to index `to` of all places. */
export function movePlace(place: string, to: (from: number, count: number) => number): Edit {
  return (questions) => {
    const places = [...byPlace(questions).entries()];
    const from = places.findIndex(([id]) => id === place);
    const moved = places[from];
    if (!moved) return questions;
    const at = Math.min(Math.max(to(from, places.length), 0), places.length - 1);
    if (at === from) return questions;
    return carried(places, from, at, moved).flatMap(([, alternatives]) => alternatives);
  };
}

/** Moves a place to the current index of another one. */
export const movePlaceTo = (place: string, over: string): Edit => {
  return (questions) => {
    const at = [...byPlace(questions).keys()].indexOf(over);
    return at < 0 ? questions : movePlace(place, () => at)(questions);
  };
};

/** Moves one alternative within its place. */
export function moveAlternative(id: string, by: number): Edit {
  return (questions) => {
    const moved = questions.find(({ questionId }) => questionId === id);
    if (!moved) return questions;
    const places = byPlace(questions);
    const alternatives = places.get(placeId(moved)) ?? [];
    const from = alternatives.indexOf(moved);
    const to = Math.min(Math.max(from + by, 0), alternatives.length - 1);
    if (to === from) return questions;
    places.set(placeId(moved), carried(alternatives, from, to, moved));
    return [...places.values()].flat();
  };
}

/** Replaces a question. A change of its shared text is made in the other questions, too. */
export const replaceQuestion =
  (next: Question): Edit =>
  (questions) => {
    const former = questions.find(({ questionId }) => questionId === next.questionId)?.passage;
    const { passage } = next;
    const isChanged =
      passage !== undefined &&
      former?.passageId === passage.passageId &&
      !isSamePassage(former, passage);
    return questions.map((question) => {
      if (question.questionId === next.questionId) return next;
      return isChanged && question.passage?.passageId === passage.passageId
        ? { ...question, passage }
        : question;
    });
  };

/** Added questions with the test's version of the texts they share: their own may be older. */
function withTextsOf(questions: readonly Question[], added: readonly Question[]): Question[] {
  const texts = new Map(passagesOf(questions).map((passage) => [passage.passageId, passage]));
  return added.map((question) => {
    const passage = texts.get(question.passage?.passageId ?? '');
    return passage ? { ...question, passage } : question;
  });
}

/** The texts that questions share, each once, in the order of the test. */
export function passagesOf(questions: readonly Question[]): Passage[] {
  const texts = new Map<string, Passage>();
  for (const { passage } of questions)
    if (passage && !texts.has(passage.passageId)) texts.set(passage.passageId, passage);
  return [...texts.values()];
}

export function removeQuestions(ids: readonly string[]): Edit {
  const gone = new Set(ids);
  return (questions) => questions.filter(({ questionId }) => !gone.has(questionId));
}

/** Appends new questions; existing ones are unchanged. */
export const addQuestions =
  (added: readonly Question[]): Edit =>
  (questions) => {
    const known = new Set(questions.map(({ questionId }) => questionId));
    const fresh = added.filter(({ questionId }) => !known.has(questionId));
    return gathered([...questions, ...withTextsOf(questions, fresh)]);
  };

/** A removed question and its predecessor; null: it was the first. */
export interface RemovedQuestion {
  readonly question: Question;
  readonly after: string | null;
}

/** The questions to remove, with their places. */
export function removedOf(
  questions: readonly Question[],
  ids: readonly string[],
): RemovedQuestion[] {
  return questions.flatMap((question, index) =>
    ids.includes(question.questionId)
      ? [{ question, after: questions[index - 1]?.questionId ?? null }]
      : [],
  );
}

/** Restores removed questions at their places; at the end if their predecessor is gone. */
export const restoreQuestions =
  (removed: readonly RemovedQuestion[]): Edit =>
  (questions) => {
    let next = [...questions];
    for (const { question, after } of removed) {
      if (next.some(({ questionId }) => questionId === question.questionId)) continue;
      const at = after === null ? 0 : next.findIndex(({ questionId }) => questionId === after) + 1;
      const place = after !== null && at === 0 ? next.length : at;
      next = withTextsOf(next, [question]).reduce((all, one) => inserted(all, place, one), next);
    }
    return gathered(next);
  };

/** A copy with a new id and no bank entry. */
function twin(question: Question, questionId: string): Question {
  const { origin: _, ...rest } = withoutCredit(question);
  return { ...rest, questionId };
}

/**
 * Inserts copies: of one question after it, of several together after the last.
 * @param idOf id of the copy by that of its original, the same at each run
 */
export const duplicateQuestions =
  (ids: readonly string[], idOf: ReadonlyMap<string, string>): Edit =>
  (questions) => {
    const chosen = questions.filter(({ questionId }) => ids.includes(questionId));
    const last = chosen.at(-1);
    if (!last) return questions;
    const groups = new Map<string, number>();
    for (const { variantOf } of chosen) {
      if (variantOf !== undefined) groups.set(variantOf, (groups.get(variantOf) ?? 0) + 1);
    }
    const copies = chosen.map((question) => {
      const copy = twin(question, idOf.get(question.questionId) ?? question.questionId);
      const whole = byPlace(questions).get(placeId(question))?.length;
      // A copied whole place becomes a new place; a single alternative joins its place.
      const isWholePlace =
        question.variantOf !== undefined && groups.get(question.variantOf) === whole;
      return isWholePlace
        ? { ...copy, variantOf: idOf.get(placeId(question)) ?? copy.questionId }
        : copy;
    });
    const at = questions.indexOf(last) + 1;
    return gathered(inserted(questions, at, ...copies));
  };

/** Copies for another test; alternatives copied together stay alternatives. */
export function copiesForAnotherTest(
  questions: readonly Question[],
  newId: () => string,
): Question[] {
  return [...byPlace(questions).values()].flatMap((alternatives) => {
    const copies = alternatives.map((question) => copiedQuestion(question, newId));
    if (copies.length === 1) return copies;
    const place = newId();
    return copies.map((copy) => ({ ...copy, variantOf: place }));
  });
}

/** Values of a bulk edit; absent: unchanged. */
export interface BulkChange {
  readonly points?: number;
  /** Null removes it. */
  readonly difficulty?: Difficulty | null;
  readonly topic?: string | null;
  readonly addTags?: readonly string[];
}

function withoutDifficulty(question: Question): Question {
  const { difficulty: _, ...rest } = question;
  return rest;
}

function withoutTopic(question: Question): Question {
  const { topic: _, ...rest } = question;
  return rest;
}

function changed(question: Question, change: BulkChange, mostTags: number): Question {
  let next = change.points === undefined ? question : { ...question, points: change.points };
  if (change.difficulty === null) next = withoutDifficulty(next);
  else if (change.difficulty !== undefined) next = { ...next, difficulty: change.difficulty };
  if (change.topic === null) next = withoutTopic(next);
  else if (change.topic !== undefined) next = { ...next, topic: change.topic };
  if (change.addTags && change.addTags.length > 0) {
    const tags = [...new Set([...(next.tags ?? []), ...change.addTags])].slice(0, mostTags);
    next = { ...next, tags };
  }
  return next;
}

/** Applies the same change to several questions. */
export function changeQuestions(
  ids: readonly string[],
  change: BulkChange,
  mostTags: number,
): Edit {
  const chosen = new Set(ids);
  return (questions) =>
    questions.map((question) =>
      chosen.has(question.questionId) ? changed(question, change, mostTags) : question,
    );
}
