import { isLineLetterOf } from '#interchange/letters.ts';

/** The numbering of questions: «1.», «1)», «Вопрос 1», or by Word itself. */
export type NumberStyle = '.' | ')' | 'word' | 'list';

export interface Numbered {
  readonly number: number;
  readonly style: NumberStyle;
  /** Characters before the text. */
  readonly length: number;
}

const QUESTION_WORD =
  /^\s*(?:вопрос|задание|задача|№)\s{0,3}№?\s{0,3}(\d{1,4})\s{0,3}[.):]?\s{0,9}/i;
const NUMBER = /^\s*(\d{1,4})\s{0,3}([.)])(?!\d)\s{0,9}/;

/** A typed number at the beginning of a line; null: none. */
export function numbered(text: string): Numbered | null {
  const word = QUESTION_WORD.exec(text);
  if (word) return { number: Number(word[1]), style: 'word', length: word[0].length };
  const digits = NUMBER.exec(text);
  if (!digits) return null;
  const style = digits[2] === ')' ? ')' : '.';
  return { number: Number(digits[1]), style, length: digits[0].length };
}

export interface OptionMark {
  /** As typed; '' for bullets. */
  readonly letter: string;
  readonly isRight: boolean;
  readonly length: number;
}

const LETTER =
  /^\s*([+*✓✔√☑✅]?)\ufe0f?\s{0,3}\(?([A-Za-zА-Яа-яЁёӘәҒғҚқҢңӨөҰұҮүҺһІі])\s{0,2}[.)]\s{0,9}/u;
const RIGHT_BULLET = /^\s*(?:[+✓✔√☑✅]\ufe0f?\s{0,9}(?=\S)|\*\s{1,9})/u;
const BULLET = /^\s*(?:[-–—•·▪○☐]\s{1,9}|[•·▪○☐])/u;

/**
 * A letter that marks the option of this position, or a bullet; null: the line is no option.
 * @param before letters of the options before it
 */
export function optionMark(
  text: string,
  place: number,
  before: readonly string[] = [],
): OptionMark | null {
  const [whole = '', plus = '', letter = ''] = LETTER.exec(text) ?? [];
  if (letter !== '' && isLineLetterOf(letter, place, before)) {
    return { letter, isRight: plus !== '', length: whole.length };
  }
  const right = RIGHT_BULLET.exec(text);
  if (right) return { letter: '', isRight: true, length: right[0].length };
  const bullet = BULLET.exec(text);
  return bullet ? { letter: '', isRight: false, length: bullet[0].length } : null;
}

const LEADING_RIGHT = /^\s*[+*✓✔√☑✅]\ufe0f?\s{0,9}(?=\S)/u;
const TRAILING_RIGHT =
  /(?:[+*✓✔√☑✅]\ufe0f?|\((?:верно|правильно|дұрыс|дұрыс жауап|\+|верный ответ|правильный ответ)\))[\s.;,]{0,5}$/iu;

/** Marks of a right option within its text: the number of characters at its ends; null: none. */
export function rightMarks(text: string): { first: number; last: number } | null {
  const first = LEADING_RIGHT.exec(text)?.[0].length ?? 0;
  const tail = text.slice(-40);
  const last = TRAILING_RIGHT.exec(tail)?.[0].length ?? 0;
  // «C++» and «a*» are text; a mark is separate or follows punctuation.
  const isApart = last > 0 && /[\s.;,)»"!?…]$/u.test(text.slice(0, -last));
  return first > 0 || isApart ? { first, last: isApart ? last : 0 } : null;
}

/** The tag of an option, or of the right one, in the notation of `<question>` and `<variant>`. */
export const VARIANT_TAG = /<variant(?:_?(?:right|correct))?\d{0,4}>/i;

/** Words by which a question asks for pairs. */
export const MATCHING = /соответств|соотнес|соедините|подберите пар|составьте пар/i;

/** A line that begins as an option does, with a bracket or a dot; not initials. */
export const AS_OPTION =
  /^\s*[+*]?\s{0,3}(?:\(?[A-Za-zА-Яа-яЁё]\s{0,2}\)|[A-Za-zА-Яа-яЁё]\.(?=\s)(?!\s{0,3}[A-ZА-ЯЁ]\.)|\d{1,2}\)).*\S/u;

const KEY =
  /^\s*(?:✅\s{0,3})?(?:(?:верный|правильный)\s{1,3}(?:ответ|вариант)|(?:верные|правильные)\s{1,3}(?:ответы|варианты)|ответы?|(?:дұрыс\s{1,3})?жауа(?:п|бы|птар|птары)|ключ|answer)\s{0,3}[:—–-]\s{0,9}/iu;
const KEYS_HEAD =
  /^\s*(?:ключи?|ответы|правильные ответы|верные ответы)(?:\s{1,3}к\s{1,3}тесту)?\s{0,3}[:.]?\s{0,9}/i;
const EXPLANATION = /^\s*(?:пояснение|объяснение|решение|комментарий)\s{0,3}[:—–]\s{0,9}/i;
const POINTS =
  /\(\s{0,3}(\d{1,4}(?:[.,]\d{1,2})?)\s{0,3}балл[а-я]{0,4}\.?\s{0,3}\)\s{0,3}\.?\s{0,9}$/i;

export const keyLength = (text: string): number => KEY.exec(text)?.[0].length ?? 0;
export const explanationLength = (text: string): number => EXPLANATION.exec(text)?.[0].length ?? 0;

/** «(2 балла)» at the end of a question. */
export function pointsMark(text: string): { points: number; length: number } | null {
  const found = POINTS.exec(text.slice(-60));
  return found
    ? { points: Number((found[1] ?? '').replace(',', '.')), length: found[0].length }
    : null;
}

const KEY_PAIR =
  /(\d{1,4})\s{0,3}[-–—.):=]\s{0,3}([^\s,;\d][^,;\d\n]{0,60}|\d[\d.,]{0,20}(?=[;\s]|$))/g;

/** Pairs of a table of answers: «1-а, 2-б, 3 - вг». */
export function keyPairs(text: string): { number: number; key: string }[] {
  return [...text.matchAll(KEY_PAIR)].map(([, number = '', key = '']) => ({
    number: Number(number),
    key: key.trim().replace(/\.$/, ''),
  }));
}

/** The table of answers that begins with this header line; null: it is none. */
export function keysHead(text: string): { pairs: { number: number; key: string }[] } | null {
  const head = KEYS_HEAD.exec(text)?.[0];
  if (head === undefined) return null;
  const rest = text.slice(head.length);
  if (rest.trim() === '') return { pairs: [] };
  const pairs = keyPairs(rest);
  return pairs.length > 1 ? { pairs } : null;
}
