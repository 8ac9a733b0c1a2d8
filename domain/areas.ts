import type { Area, Question } from '#contract/questions.ts';

interface Placed {
  readonly area?: Area | undefined;
}

/** Whether a question is answered on its picture: some option is a part of it. */
export const hasAreas = (options: readonly Placed[]): boolean =>
  options.some(({ area }) => area !== undefined);

/** Whether it is a choice answered on its picture. */
export const isAnsweredOnPicture = (
  question: Question,
): question is Extract<Question, { kind: 'variant' }> =>
  question.kind === 'variant' && hasAreas(question.options);

/** Areas are in one row if their middles differ by less than this fraction of the picture's height. */
const ROWS = 10;

const rowOf = ({ top, height }: Area) => Math.round((top + height / 2) * ROWS);

/**
 * Options in the reading order of their areas, row by row; those without an area follow in the given order. This order
 * does not reveal the key, and is the same for everybody.
 */
export function inReadingOrder<T extends Placed>(options: readonly T[]): T[] {
  const placed = options.flatMap((option) => (option.area ? [{ option, area: option.area }] : []));
  placed.sort(
    (a, b) => rowOf(a.area) - rowOf(b.area) || a.area.left - b.area.left || a.area.top - b.area.top,
  );
  return [
    ...placed.map(({ option }) => option),
    ...options.filter(({ area }) => area === undefined),
  ];
}

// The letters of list headings in Russian; Ё, З, Й, О, Ч, Ь, Ы, Ъ are left out.
const LETTERS = 'АБВГДЕЖИКЛМНПРСТУФХЦШЩЭЮЯ'.split('');

/** A text for an option that has none: the first letter that no other option has. */
export function nextAreaText(texts: readonly string[]): string {
  const taken = new Set(texts.map((text) => text.trim().toUpperCase()));
  return LETTERS.find((letter) => !taken.has(letter)) ?? String(texts.length + 1);
}

// Bounded, so that endless brackets are skipped quickly.
const PICTURE = /!\[((?:\\.|[^\]\\]){0,500})\]\(file:([^()\s]{1,200})\)/;

/** The picture with a question's areas, the first of its text, and the text around it. Null: there is none. */
export function areasPicture(text: string): {
  readonly key: string;
  readonly alt: string;
  readonly before: string;
  readonly after: string;
} | null {
  const found = PICTURE.exec(text);
  if (!found) return null;
  const [whole, alt = '', key = ''] = found;
  return {
    key,
    alt,
    before: text.slice(0, found.index),
    after: text.slice(found.index + whole.length),
  };
}
