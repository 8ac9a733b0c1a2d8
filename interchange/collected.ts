import { QUESTIONS_PER_FILE } from '#contract/limits.ts';
import type { Language } from '#contract/themes.ts';
import { languageNamed } from '#domain/languages.ts';
import type {
  FormatId,
  Imported,
  ImportedItem,
  ImportedPicture,
  RefusedItem,
  Tools,
} from './model.ts';

const EXCERPT_CHARACTERS = 80;

/** The beginning of a text in one line, so that a teacher recognizes it. */
export function excerptOf(text: string): string {
  const line = text
    .slice(0, EXCERPT_CHARACTERS * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > EXCERPT_CHARACTERS
    ? `${line.slice(0, EXCERPT_CHARACTERS - 1).trimEnd()}…`
    : line;
}

export interface Collected {
  readonly isFull: () => boolean;
  readonly add: (item: ImportedItem) => void;
  readonly refuse: (place: string, text: string, reason: string) => void;
  readonly note: (note: string | null) => void;
  readonly picture: (picture: ImportedPicture) => void;
  /**
   * Sets the language of the questions by its tag or its Russian name; the first of several counts. Returns whether it
   * is known.
   */
  readonly language: (named: string) => boolean;
  readonly done: (title?: string | null) => Imported;
}

/** The results of a reader so far, bounded: once full, the reader stops and adds a note. */
export function collecting(format: FormatId, { onItem }: Pick<Tools, 'onItem'>): Collected {
  const items: ImportedItem[] = [];
  const refused: RefusedItem[] = [];
  const pictures: ImportedPicture[] = [];
  const notes: string[] = [];
  let language: Language | undefined;
  const count = () => items.length + refused.length;
  const isFull = () => count() >= QUESTIONS_PER_FILE;
  return {
    isFull,
    add: (item) => {
      items.push(item);
      onItem?.(count());
    },
    refuse: (place, text, reason) => {
      refused.push({ place, excerpt: excerptOf(text), reason });
      onItem?.(count());
    },
    note: (note) => {
      if (note !== null) notes.push(note);
    },
    picture: (picture) => pictures.push(picture),
    language: (named) => {
      const known = languageNamed(named);
      language ??= known;
      return known !== undefined;
    },
    done: (title = null) => ({
      format,
      title,
      ...(language === undefined ? {} : { language }),
      items,
      refused,
      pictures,
      notes: isFull()
        ? [
            ...notes,
            `Прочитаны первые ${QUESTIONS_PER_FILE} вопросов, остальное пропущено: разделите файл на части`,
          ]
        : notes,
    }),
  };
}
