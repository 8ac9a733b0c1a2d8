import type { Question } from '#contract/questions.ts';
import { withGaps } from './format-gaps.ts';
import { findFormulas } from './format-math.ts';
import { plainText, plainTitle } from './format-plain-text.ts';
import { showTex } from './format-tex.ts';
import { speakTex } from './format-spoken-tex.ts';

/** Characters of a label; lists cut it further by their width. */
const MAX_LABEL = 90;
/** Formulas are longer in words. */
const MAX_SPOKEN = 200;
/** A longer formula is not readable in a line of a list. */
const MAX_FORMULA = 32;
/** Only the beginning of a longer text is read; more than the label's length, since markup and URLs are removed. */
const MAX_READ = 1_000;
const MAX_FORMULA_READ = 2_000;
const NOTHING = 'Без текста';

const cut = (text: string, most: number) => {
  if (text.length <= most) return text;
  const start = text.slice(0, most);
  const space = start.lastIndexOf(' ');
  return `${space > most / 2 ? start.slice(0, space) : start}…`;
};

const shortTex = (tex: string) => cut(showTex(tex), MAX_FORMULA);

type Named = Pick<Question, 'title' | 'text'> & { readonly kind?: Question['kind'] };

/** Does not cut a formula at the end of the read part. */
function beginningOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  const across = findFormulas(text.slice(0, MAX_READ + MAX_FORMULA_READ)).find(
    ({ start, end }) => start < MAX_READ && end > MAX_READ,
  );
  return text.slice(0, across?.end ?? MAX_READ);
}

function lineOf({ text, kind }: Named, formula: (tex: string) => string, gap: string): string {
  const line = plainText(beginningOf(text), formula);
  return withGaps({ kind, text: line }, (gapId) => gap.replace('N', gapId));
}

const titleOf = ({ title = '' }: Named, formula: (tex: string) => string) =>
  plainTitle(title, formula);

/** A question in one line of a list: its title, or the beginning of its text. Never empty. */
export function questionLabel(question: Named, most = MAX_LABEL): string {
  const label = titleOf(question, shortTex) || lineOf(question, shortTex, '(N)_____');
  return cut(label || NOTHING, most);
}

/** The same for screen readers: formulas and gaps in words. A label without them is spoken as shown. */
export function spokenQuestionLabel(question: Named, most = MAX_LABEL): string {
  const label = titleOf(question, speakTex) || lineOf(question, speakTex, 'пропуск N') || NOTHING;
  const spoken = cut(label, most);
  return spoken === questionLabel(question, most) ? spoken : cut(label, MAX_SPOKEN);
}
