import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { textToMarkdown } from '#interchange/imported-text.ts';

/** Styles by which teachers mark a right option, the most reliable first. */
export const STYLES = ['highlight', 'colour', 'underline', 'bold', 'italic'] as const;
export type Style = (typeof STYLES)[number];

/** A segment of a line: typed text, or Markdown already (a formula, a picture, a table). */
export type LinePiece =
  | { readonly kind: 'words'; readonly text: string; readonly styles: ReadonlySet<Style> }
  | { readonly kind: 'markdown'; readonly text: string };

/** Word's own numbering; a typed number is in the text. */
export interface Numbering {
  /** Equal for items of one list. */
  readonly list: string;
  readonly level: number;
  readonly mark: 'number' | 'letter' | 'bullet';
}

export interface Line {
  /** «строка 12», «абзац 12». */
  readonly place: string;
  readonly pieces: readonly LinePiece[];
  readonly numbering: Numbering | null;
  /** Rows of a table of two columns, which may be pairs. */
  readonly sides?: readonly { readonly left: Line; readonly right: Line }[];
  readonly losses: readonly string[];
}

const NONE: ReadonlySet<Style> = new Set();

export const textLine = (place: string, text: string): Line => ({
  place,
  pieces: [{ kind: 'words', text, styles: NONE }],
  numbering: null,
  losses: [],
});

/** Joins the pieces of several lines, with a space between them. */
export const joinedPieces = (lines: readonly Line[]): readonly LinePiece[] =>
  lines.flatMap(({ place, pieces }, index) =>
    index === 0 ? pieces : [...textLine(place, ' ').pieces, ...pieces],
  );

const PLACEHOLDER = '\ufffc';

/** The line as text, a placeholder for each formula and picture. */
export const plainOf = ({ pieces }: Line): string =>
  pieces.map((piece) => (piece.kind === 'words' ? piece.text : PLACEHOLDER)).join('');

/** The rows of a line that is a table; null: it is none. */
export function tableRows({ pieces }: Line): readonly string[] | null {
  const [first, ...rest] = pieces.filter(({ text }) => text.trim() !== '');
  const text = first?.kind === 'markdown' && rest.length === 0 ? first.text.trim() : '';
  return text.startsWith('|') ? text.split('\n') : null;
}

/** Maximum number of blank lines to skip. */
const GAP = 5;

/** The text of the next line that is not empty; empty: none is near. */
export const textAfter = (texts: readonly string[], index: number): string =>
  texts.slice(index + 1, index + 1 + GAP).find((text) => text.trim() !== '') ?? '';

/** The line without its first and its last characters. */
export function cutLine(line: Line, first: number, last = 0): Line {
  let from = first;
  let to = plainOf(line).length - last;
  const pieces = line.pieces.flatMap((piece): LinePiece[] => {
    const length = piece.kind === 'words' ? piece.text.length : 1;
    const [start, end] = [Math.max(0, from), Math.min(length, to)];
    from -= length;
    to -= length;
    if (start >= end) return [];
    return [piece.kind === 'words' ? { ...piece, text: piece.text.slice(start, end) } : piece];
  });
  return { ...line, pieces };
}

const HIDDEN = /\ue200(\d+)\ue201/g;

/** Lines as one Markdown text: control characters are escaped, formulas and pictures stay. */
export function markdownOf(lines: readonly Line[]): string {
  const ready: string[] = [];
  const text = lines
    .map(({ pieces }) =>
      pieces
        .map((piece) => {
          if (piece.kind === 'words') return piece.text.replaceAll(/[\ue200\ue201]/g, '');
          ready.push(piece.text);
          return `\ue200${ready.length - 1}\ue201`;
        })
        .join('')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
  // Too long to import. Refused by its length, so that it need not be parsed.
  if (text.length > ANSWER_TEXT_CHARACTERS) return text;
  return textToMarkdown(text, false)
    .replaceAll(HIDDEN, (mark, index: string, offset: number, whole: string) => {
      const piece = ready[Number(index)] ?? '';
      // A digit after the closing dollar would make it a price.
      const next = whole[offset + mark.length] ?? '';
      return piece.endsWith('$') && /\d/.test(next) ? `${piece}\u200b` : piece;
    })
    .trim();
}

/** Styles of nearly the whole text of a line. */
export function stylesOf({ pieces }: Line): ReadonlySet<Style> {
  const length = (text: string) => text.replaceAll(/[\s\d.,;:()]/g, '').length;
  const words = pieces.filter((piece) => piece.kind === 'words');
  const all = words.reduce((sum, { text }) => sum + length(text), 0);
  if (all === 0) return words[0]?.styles ?? NONE;
  return new Set(
    STYLES.filter(
      (style) =>
        words.reduce((sum, piece) => sum + (piece.styles.has(style) ? length(piece.text) : 0), 0) >=
        all * 0.8,
    ),
  );
}
