import { QUESTIONS_PER_TEST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { askedCount } from '#domain/variants.ts';
import { withTexts } from '#interchange/exported.ts';
import type { Imported } from './messages.ts';

const PICTURE = /file:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** The number of questions that still fit into a test. */
export const roomLeft = (questions: readonly Question[]): number =>
  Math.max(0, QUESTIONS_PER_TEST - askedCount(questions));

/** Indexes of the initially selected items: as many as fit into the test. */
export const firstChosen = ({ items }: Imported, room: number): ReadonlySet<number> =>
  new Set(items.slice(0, room).map((_, index) => index));

/** Keys of the pictures used in the questions. */
export const namedPictures = (questions: readonly Question[]): ReadonlySet<string> =>
  new Set([...JSON.stringify(questions).matchAll(PICTURE)].map((match) => match[1] ?? ''));

/**
 * Converts the selected questions for a test: new ids, origin, and pictures by their server keys. Of a failed
 * picture only the description stays.
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
