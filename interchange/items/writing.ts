import type { Question } from '#contract/questions.ts';
import { htmlToMarkdown } from '#interchange/html/to-markdown.ts';
import {
  lookOf,
  markdownToXhtml,
  type Dialect,
  type XhtmlPiece,
  type XhtmlShape,
} from '#interchange/html/to-xhtml.ts';
import { fragmentText } from '#interchange/xml-writer.ts';

/** Receives a question's losses from a writer, each sentence once. */
export interface Losses {
  readonly of: (number: number) => (line: string) => void;
  readonly all: () => readonly string[];
}

export function losing(): Losses {
  const lines = new Set<string>();
  return {
    of: (number) => (line) => lines.add(`Вопрос ${number}: ${line}`),
    all: () => [...lines],
  };
}

/** One line of plain text that every parser reads alike. */
const SAFE = /^[\p{L}\p{N}«»"(][\p{L}\p{N} ,;:()?!%«»"—–-]*$/u;

/** A text as XHTML, checked by reading it back: a difference in appearance is reported. */
export function faithfulXhtml(
  markdown: string,
  dialect: Dialect,
  shape: XhtmlShape,
  loss: (line: string) => void,
): readonly XhtmlPiece[] {
  const pieces = markdownToXhtml(markdown, dialect, shape);
  if (SAFE.test(markdown)) return pieces;
  const carried = { picture: (src: string) => src, loss: () => undefined };
  const asRead = markdownToXhtml(
    markdown,
    {
      ...dialect,
      picture: (key) => dialect.picture(key) && key,
      recording: (key) => (dialect.recording?.(key) ? key : null),
    },
    shape,
  );
  const back = htmlToMarkdown(fragmentText(asRead), carried, shape);
  if (lookOf(back, shape) !== lookOf(markdown, shape)) loss('разметка текста упрощена');
  return pieces;
}

/** Reported once when a test has alternatives: other systems show all of them. */
export function alternativesLoss(questions: readonly Question[]): readonly string[] {
  return questions.some(({ variantOf }) => variantOf !== undefined)
    ? ['Варианты одного вопроса станут отдельными вопросами']
    : [];
}
