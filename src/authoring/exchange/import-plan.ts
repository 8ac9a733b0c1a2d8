import { QUESTIONS_PER_TEST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { askedCount } from '#domain/variants.ts';
import { withTexts } from '#interchange/exported.ts';
import type { Imported } from './messages.ts';

const PICTURE = /file:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** How many more questions a test takes. */
export const roomLeft = (questions: readonly Question[]): number =>
  Math.max(0, QUESTIONS_PER_TEST - askedCount(questions));

/** Places of the items that are chosen at first: all, as long as the test has room. */
export const firstChosen = ({ items }: Imported, room: number): ReadonlySet<number> =>
  new Set(items.slice(0, room).map((_, index) => index));

/** Keys of the pictures that the questions name. */
export const namedPictures = (questions: readonly Question[]): ReadonlySet<string> =>
  new Set([...JSON.stringify(questions).matchAll(PICTURE)].map((match) => match[1] ?? ''));

/**
 * The chosen questions as they go into a test: ids of their own, where they came from, and pictures by
 * the keys that the server gave. A picture that did not come loses its place, not its description.
 */
export function readyQuestions(
  imported: Imported,
  chosen: ReadonlySet<number>,
  keys: ReadonlyMap<string, string>,
): Question[] {
  return imported.items
    .filter((_, index) => chosen.has(index))
    .map(({ question }): Question => {
      const own = { ...question, origin: { kind: 'import' as const, format: imported.format } };
      return withTexts(own, (text) =>
        text.replaceAll(
          /!\[([^\]]*)\]\(file:([0-9a-f-]{36})\)/g,
          (_whole, alt: string, key: string) => {
            const sent = keys.get(key);
            return sent === undefined ? `[${alt || 'рисунок'}]` : `![${alt}](file:${sent})`;
          },
        ),
      );
    });
}
