import { QUESTIONS_PER_TEST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { countSelected, byPlace, placeId } from '#domain/variants.ts';
import { mapTexts } from '#domain/question-texts.ts';
import type { ImportedTest } from './messages.ts';

const SHOWN = /!\[((?:\\.|[^\]\\]){0,500})\]\((audio-)?file:([0-9a-f-]{36})\)/g;
const ADDRESS = /\]\(((?:audio-)?file):([0-9a-f-]{36})\)/g;
const PICTURE = /file:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** The number of questions that still fit into a test. */
export const roomLeft = (questions: readonly Question[]): number =>
  Math.max(0, QUESTIONS_PER_TEST - countSelected(questions));

/** Sources of the items that a test already has. */
export const sourcesIn = (questions: readonly Question[]): ReadonlySet<string> =>
  new Set(
    questions.flatMap(({ origin }) => (origin?.kind === 'import' ? (origin.source ?? []) : [])),
  );

/** A range of a file's items by their indexes, `to` excluded: as many as a test can hold. */
export interface ImportPart {
  readonly from: number;
  readonly to: number;
}

/** Splits a file with more questions than a test can hold. Alternatives are one question and stay together. */
export function partsOf({ items }: ImportedTest): ImportPart[] {
  const starts = items.flatMap(({ question }, index) => {
    const before = items[index - 1]?.question;
    return before && placeId(before) === placeId(question) ? [] : [index];
  });
  const borders = starts.filter((_, place) => place % QUESTIONS_PER_TEST === 0);
  return (borders.length === 0 ? [0] : borders).map((from, part) => ({
    from,
    to: borders[part + 1] ?? items.length,
  }));
}

/** The number of questions that the selected items make in a test. */
export const chosenCount = ({ items }: ImportedTest, chosen: ReadonlySet<number>): number =>
  countSelected(items.flatMap(({ question }, index) => (chosen.has(index) ? [question] : [])));

/** Whether a part has an item that is not among the known sources. */
export const hasNew = (
  { items }: ImportedTest,
  { from, to }: ImportPart,
  known: ReadonlySet<string>,
): boolean => items.slice(from, to).some(({ source }) => !known.has(source));

/**
 * The part to import next: the one that this test has begun, or else the first unknown one. Known items are in this
 * test or in the teacher's bank. Items that were deliberately left out of a part do not block the next one.
 */
export function nextPart(
  imported: ImportedTest,
  present: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ImportPart {
  const parts = partsOf(imported);
  const unfinished = parts.filter((part) => hasNew(imported, part, known));
  const hasSome = ({ from, to }: ImportPart, sources: ReadonlySet<string>) =>
    imported.items.slice(from, to).some(({ source }) => sources.has(source));
  return (
    unfinished.find((part) => hasSome(part, present)) ??
    unfinished.find((part) => !hasSome(part, known)) ??
    unfinished[0] ??
    parts[0] ?? { from: 0, to: 0 }
  );
}

/** Indexes of the initially selected items of a part: unknown ones, as many as fit into the test. */
export const firstChosen = (
  { items }: ImportedTest,
  { from, to }: ImportPart,
  known: ReadonlySet<string>,
  room: number,
): ReadonlySet<number> => {
  const fresh = items.flatMap(({ question, source }, index) =>
    index >= from && index < to && !known.has(source) ? [{ question, index }] : [],
  );
  const places = new Set([...byPlace(fresh.map(({ question }) => question)).keys()].slice(0, room));
  return new Set(
    fresh.flatMap(({ question, index }) => (places.has(placeId(question)) ? [index] : [])),
  );
};

/** Indexes of the items of a part that are in the teacher's bank, but not in this test. */
export const bankedOnly = (
  { items }: ImportedTest,
  { from, to }: ImportPart,
  banked: ReadonlySet<string>,
  present: ReadonlySet<string>,
): number[] =>
  items.flatMap(({ source }, index) =>
    index >= from && index < to && banked.has(source) && !present.has(source) ? [index] : [],
  );

/** The selection after a click on one item. */
export function toggled(chosen: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(chosen);
  if (!next.delete(index)) next.add(index);
  return next;
}

/** Keys of the pictures and recordings used in the questions. */
export const namedPictures = (questions: readonly Question[]): ReadonlySet<string> =>
  new Set([...JSON.stringify(questions).matchAll(PICTURE)].map((match) => match[1] ?? ''));

/**
 * Converts the selected questions for a test: new ids, origin, and pictures by their server keys. A failed picture is
 * replaced with its description.
 */
export function readyQuestions(
  imported: ImportedTest,
  chosen: ReadonlySet<number>,
  keys: ReadonlyMap<string, string>,
): Question[] {
  return imported.items
    .filter((_, index) => chosen.has(index))
    .map(({ question, source }): Question => {
      const origin = { kind: 'import' as const, format: imported.format, source };
      const own = { ...question, origin };
      return mapTexts(own, (text) =>
        text
          .replaceAll(SHOWN, (whole, alt: string, sound: string | undefined, key: string) =>
            keys.has(key) ? whole : `[${alt || (sound ? 'запись' : 'рисунок')}]`,
          )
          .replaceAll(ADDRESS, (whole, scheme: string, key: string) => {
            const sent = keys.get(key);
            return sent === undefined ? whole : `](${scheme}:${sent})`;
          }),
      );
    });
}
