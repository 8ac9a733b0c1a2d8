import type { Question } from '#contract/questions.ts';
import { isLineLetterOf } from '#interchange/letters.ts';
import type { Tools } from '#interchange/model.ts';
import { cutLine, markdownOf, plainOf, type Line } from './line.ts';
import { itemNumber } from './patterns.ts';
import type { QuestionDraft } from './draft.ts';

const LETTER = /^\s*\(?([A-Za-zА-Яа-яЁё])\s{0,2}[.)]\s{0,9}/u;
const LETTER_THEN_NUMBER = /([A-Za-zА-Яа-яЁё])\s{0,3}[-–—=:.)]?\s{0,3}(\d{1,2})(?!\d)/gu;
const NUMBER_THEN_LETTER = /(?<!\d)(\d{1,2})\s{0,3}[-–—=:.)]?\s{0,3}([A-Za-zА-Яа-яЁё])(?!\p{L})/gu;

interface Item {
  readonly label: string;
  readonly line: Line;
}

interface Lists {
  readonly numbers: readonly Item[];
  readonly letters: readonly Item[];
  readonly stem: readonly Line[];
}

const isNumber = ({ label }: Item) => /^\d/.test(label);

/** An item with its own label; null: the line has none. */
function itemOf(line: Line): Item | null {
  const text = plainOf(line);
  const number = itemNumber(text);
  if (number) return { label: String(number.number), line: cutLine(line, number.length) };
  const [mark, letter] = LETTER.exec(text) ?? [];
  return mark && letter ? { label: letter, line: cutLine(line, mark.length) } : null;
}

/**
 * A list of numbers and a list of letters, one after the other, each from its beginning and without a gap. Null: a line
 * without a label makes it doubtful which list it belongs to.
 */
export function listsOf({ text, options }: QuestionDraft): Lists | null {
  const labelled = text.findIndex((line, at) => at > 0 && itemOf(line) !== null);
  const stem = labelled < 0 ? text : text.slice(0, labelled);
  const items = [
    ...(labelled < 0 ? [] : text.slice(labelled)).map(itemOf),
    ...options.flatMap(({ letter, lines: [first, ...rest] }) => [
      first && letter !== '' ? { label: letter, line: first } : null,
      ...rest.map(itemOf),
    ]),
  ];
  const known = items.flatMap((item) => item ?? []);
  if (known.length < items.length || known.some(({ line }) => plainOf(line).trim() === ''))
    return null;
  const numbers = known.filter(isNumber);
  const letters = known.filter((item) => !isNumber(item));
  const labels = letters.map(({ label }) => label);
  const isWhole =
    numbers.length > 1 &&
    letters.length > 1 &&
    numbers.every(({ label }, place) => Number(label) === place + 1) &&
    letters.every(({ label }, place) => isLineLetterOf(label, place, labels.slice(0, place)));
  return isWhole ? { numbers, letters, stem } : null;
}

interface KeyedPairs {
  readonly left: 'numbers' | 'letters';
  /** Positions on the left and on the right. */
  readonly pairs: readonly (readonly [number, number])[];
}

/**
 * The pairs of a key: «1-А, 2-Б», «А2 Б1», or «21», a digit for each letter. The side named first is the one to find
 * pairs for, and each of its items has one. Null: the key has other contents, too, or lacks an item.
 */
export function pairsOf(key: string, { numbers, letters }: Lists): KeyedPairs | null {
  // Letters of another alphabet look alike but have other positions: «В» is the third one or the second.
  const letterAt = (letter: string) =>
    letters.findIndex(({ label }) => label.toUpperCase() === letter.toUpperCase());
  const digits = /^\s*(\d+)[\s.]*$/.exec(key)?.[1];
  const isByNumber = digits === undefined && /^\s*\d/.test(key);
  const form = isByNumber ? NUMBER_THEN_LETTER : LETTER_THEN_NUMBER;
  if (digits === undefined && key.replaceAll(form, '').replaceAll(/[\s,;.]/g, '') !== '')
    return null;
  const named = [...key.matchAll(form)].map(([, first = '', second = '']) =>
    isByNumber
      ? ([Number(first) - 1, letterAt(second)] as const)
      : ([letterAt(first), Number(second) - 1] as const),
  );
  const pairs =
    digits === undefined
      ? named
      : Array.from(digits, (digit, place) => [place, Number(digit) - 1] as const);
  const [own, others] = isByNumber ? [numbers, letters] : [letters, numbers];
  const isWhole =
    pairs.length === own.length &&
    own.every((_, place) => pairs.some(([at]) => at === place)) &&
    pairs.every(([, at]) => at >= 0 && at < others.length);
  return isWhole ? { left: isByNumber ? 'numbers' : 'letters', pairs } : null;
}

/**
 * A matching question with two lists as its sides, one by numbers and one by letters, with a key of pairs. Null: its
 * lines or its key are ambiguous.
 */
export function letteredPairs(
  draft: QuestionDraft,
  tools: Tools,
): { readonly stem: readonly Line[]; readonly question: Pick<Matching, Sides> } | null {
  const lists = draft.key === null ? null : listsOf(draft);
  const read = lists && pairsOf(draft.key ?? '', lists);
  if (!lists || !read) return null;
  const [own, others] =
    read.left === 'letters' ? [lists.letters, lists.numbers] : [lists.numbers, lists.letters];
  const text = ({ line }: Item) => markdownOf([line]);
  const left = own.map((item) => ({ leftId: tools.newId(), text: text(item) }));
  const right = others.map((item) => ({ rightId: tools.newId(), text: text(item) }));
  const pairs = read.pairs.flatMap(([at, to]) => {
    const [leftId, rightId] = [left[at]?.leftId, right[to]?.rightId];
    return leftId && rightId ? [{ leftId, rightId }] : [];
  });
  return {
    stem: lists.stem,
    question: { kind: 'compliance', shuffle: true, left, right, pairs },
  };
}

type Matching = Extract<Question, { kind: 'compliance' }>;
type Sides = 'kind' | 'shuffle' | 'left' | 'right' | 'pairs';
