import type { Gap } from '#contract/questions.ts';
import { splitAtGapMarks } from '#domain/format-gaps.ts';
import type { XhtmlPiece } from '#interchange/html/to-xhtml.ts';
import { innerText, parseHtml } from '#interchange/html/tree.ts';
import { withTypedTags } from '#interchange/html/typed-tags.ts';

/** Loss: in this app the words of a bank stay in it after use. */
export const WORDS_STAY =
  'Каждое слово давалось один раз, здесь его можно поставить и в несколько пропусков';

const FORMULA = /\\[([]|\$\$|<math\b|«math\b/i;

/** A word of a gap is plain text. Reports the parts of its source that cannot be imported. */
export function reportGapWord(source: string, loss: (line: string) => void): void {
  if (FORMULA.test(source)) loss('Формулы в вариантах внутри пропусков остались текстом');
}

/** The text of an HTML option, which a gap shows without markup. */
export function plainWord(given: string, loss: (line: string) => void): string {
  const html = withTypedTags(given, loss);
  const tree = /[<&]/.test(html) ? parseHtml(html) : null;
  reportGapWord(html, loss);
  if (/<[a-z]/i.test(html)) loss('Оформление вариантов внутри пропусков не переносится');
  return (tree ? innerText(tree) : html).replaceAll(/\s+/g, ' ').trim();
}

/** Markdown with gap marks, from a marked text after its conversion. */
export const withMarkedGaps = (markdown: string): string =>
  splitAtGapMarks(markdown)
    .map((piece) => (typeof piece === 'string' ? piece : `[[${piece.gapId}]]`))
    .join('');

/** A marked text with replacements for its gaps. Formulas contain none. */
export function piecesWithGaps(
  pieces: readonly XhtmlPiece[],
  placed: (gapId: string) => XhtmlPiece,
): readonly XhtmlPiece[] {
  return pieces.flatMap((piece): readonly XhtmlPiece[] => {
    if (typeof piece === 'string')
      return splitAtGapMarks(piece).map((part) =>
        typeof part === 'string' ? part : placed(part.gapId),
      );
    if (piece.name === 'math') return [piece];
    return [{ ...piece, children: piecesWithGaps(piece.children, placed) }];
  });
}

/** Whole weights of gaps in proportion to their points; null: there are none. */
export function weightsOf(points: readonly number[]): number[] | null {
  const least = Math.min(...points);
  if (!(least > 0)) return null;
  for (let times = 1; times <= 100; times += 1) {
    const weights = points.map((one) => (one / least) * times);
    if (weights.every((one) => one <= 100 && Math.abs(one - Math.round(one)) < 0.01))
      return weights.map(Math.round);
  }
  return null;
}

export type ChoiceGap = Extract<Gap, { input: 'choice' }>;
export type TypedGap = Exclude<Gap, ChoiceGap>;
