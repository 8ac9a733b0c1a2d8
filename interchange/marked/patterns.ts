import { isLineLetterOf } from '#interchange/letters.ts';

/** The numbering of questions: «1.», «1)», «Вопрос 1», «#1.», «А1», «001 », or by Word itself. */
export type NumberStyle = '.' | ')' | 'word' | '#' | 'part' | 'zeros' | 'list';

export interface Numbered {
  readonly number: number;
  readonly style: NumberStyle;
  /** Characters before the text. */
  readonly length: number;
}

const QUESTION_WORD =
  /^\s*(?:вопрос|задание|задача|питання|запитання|завдання|сұрақ|тапсырма|question|frage|pregunta|pergunta|quest[aã]o|q(?=\d{1,4}\s{0,3}[.):])|№)\s{0,3}№?\s{0,3}(\d{1,4})(?!\d|\s{0,3}[-–—]\s{0,3}\d)\s{0,3}[.):]?\s{0,9}/iu;
const NUMBER = /^\s*(\d{1,4})\s{0,3}([.)])(?!\d)\s{0,9}/;
const HASH = /^\s*(?:#\s{0,3}(?=\d{1,4}\s{0,3}[.):])|\${3}\s{0,3})(\d{1,4})\s{0,3}[.):]?\s{0,9}/;
/** «А1», «В2.»: parts of a Russian state examination. */
const PART = /^\s*([ABCАБВС])(\d{1,2})(?:\s{0,3}[.)]\s{0,9}|\s{1,9}(?=[«"]?[А-ЯЁA-Z]))/;
const ZEROS = /^\s*(0\d{1,3})\s{1,9}(?=[«"]?[А-ЯЁA-Z])/;

/** Numbers of the parts A, B and C do not meet: «В2» is 2002. */
export const PART_NUMBERS = 1000;
export const partNumber = (letter: string, number: string): number =>
  (['AА', 'BВ', 'CС', 'Б'].findIndex((alike) => alike.includes(letter)) + 1) * PART_NUMBERS +
  Number(number);

/** A typed number at the beginning of a line; null: none. */
export function numbered(text: string): Numbered | null {
  const found = (match: RegExpExecArray | null, style: NumberStyle, number = Number(match?.[1])) =>
    match && { number, style, length: match[0].length };
  const digits = NUMBER.exec(text);
  const part = PART.exec(text);
  return (
    found(QUESTION_WORD.exec(text), 'word') ??
    found(digits, digits?.[2] === ')' ? ')' : '.') ??
    found(HASH.exec(text), '#') ??
    found(part, 'part', partNumber(part?.[1] ?? '', part?.[2] ?? '')) ??
    found(ZEROS.exec(text), 'zeros')
  );
}

/** A number that a list item may have; null: none. */
export function itemNumber(text: string): Numbered | null {
  const typed = numbered(text);
  return typed?.style === '.' || typed?.style === ')' ? typed : null;
}

const SIGNED_NUMBER = /^\s*[+✓✔√☑✅]\ufe0f?\s{0,3}(\d{1,2})\s{0,2}[.)]\s{0,9}/u;

/** The number of a right option, «+2)»; null: none. */
export function signedNumber(text: string): { number: number; length: number } | null {
  const found = SIGNED_NUMBER.exec(text);
  return found && { number: Number(found[1]), length: found[0].length };
}

export interface OptionMark {
  /** As typed; '' for bullets. */
  readonly letter: string;
  readonly isRight: boolean;
  readonly length: number;
  /** The sign is an asterisk, which is also a bullet of Markdown. */
  readonly isStar?: boolean;
}

const LETTER =
  /^\s*([+*✓✔√☑✅]?)\ufe0f?\s{0,3}\(?([A-Za-zА-Яа-яЁёӘәҒғҚқҢңӨөҰұҮүҺһІі])\s{0,2}[.)]\s{0,9}/u;
/** A letter after a bullet; with a dot it may be an initial. */
const BULLETED_LETTER =
  /^\s*[-–—•·▪○◦●☐]\s{1,3}([+*✓✔√☑✅]?)\ufe0f?\s{0,3}\(?([A-Za-zА-Яа-яЁёӘәҒғҚқҢңӨөҰұҮүҺһІі])\s{0,2}\)\s{0,9}/u;
const RIGHT_BULLET = /^\s*(?:[+✓✔√☑✅]\ufe0f?\s{0,9}(?=\S)|\*\s{1,9})/u;
/** A box of Markdown, «[x]» or «[ ]». */
const BOX =
  /^\s*(?:[-*+]\s{0,3})?(?:\[\s?([xXхХ*+✓✔]?)\s?\]|\(\s?([xXхХ*+✓✔]?)\s?\))\s{1,9}(?=[^\s—–=+*/-])/u;
const BULLET = /^\s*(?:[-–—•·▪○☐]\s{1,9}|[•·▪○☐])/u;

/**
 * A letter that marks the option of this position, or a bullet; null: the line is no option.
 * @param before letters of the previous options
 */
export function optionMark(
  text: string,
  place: number,
  before: readonly string[] = [],
): OptionMark | null {
  const [whole = '', plus = '', letter = ''] =
    LETTER.exec(text) ?? BULLETED_LETTER.exec(text) ?? [];
  if (letter !== '' && isLineLetterOf(letter, place, before)) {
    return { letter, isRight: plus !== '', length: whole.length, isStar: plus === '*' };
  }
  const box = BOX.exec(text);
  if (box) return { letter: '', isRight: Boolean(box[1] || box[2]), length: box[0].length };
  const right = RIGHT_BULLET.exec(text);
  if (right)
    return { letter: '', isRight: true, length: right[0].length, isStar: right[0].includes('*') };
  const bullet = BULLET.exec(text);
  return bullet ? { letter: '', isRight: false, length: bullet[0].length } : null;
}

const LEADING_RIGHT = /^\s*[+*✓✔√☑✅]\ufe0f?\s{0,9}(?=\S)/u;
const TRAILING_RIGHT =
  /(?:[+*✓✔√☑✅]\ufe0f?|\((?:верно|правильно|дұрыс|дұрыс жауап|\+|верный ответ|правильный ответ|to['‘’ʻ`]?g['‘’ʻ`]?ri javob)\))[\s.;,]{0,5}$/iu;

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

/** Words that show a matching question. */
export const MATCHING =
  /соответств|відповідн[іи]сть|сәйкестендір|соотнес|соедините|подберите пар|составьте пар/i;

/** A line that begins like an option, with a bracket or a dot; not initials. */
export const AS_OPTION =
  /^\s*[+*]?\s{0,3}(?:\(?[A-Za-zА-Яа-яЁё]\s{0,2}\)|[A-Za-zА-Яа-яЁё]\.(?=\s)(?!\s{0,3}[A-ZА-ЯЁ]\.)|\d{1,2}\)).*\S/u;

const EXPLANATION =
  /^\s*(?:(?:пояснение|объяснение|решение|комментарий|пояснення|explanation|erklärung|explicación)\s{0,3}[:—–]|почему:)\s{0,9}/iu;
const POINTS =
  /\(\s{0,3}(\d{1,4}(?:[.,]\d{1,2})?)\s{0,3}балл[а-я]{0,4}\.?\s{0,3}\)\s{0,3}\.?\s{0,9}$/i;

export const explanationLength = (text: string): number => EXPLANATION.exec(text)?.[0].length ?? 0;

/** «(2 балла)» at the end of a question. */
export function pointsMark(text: string): { points: number; length: number } | null {
  const found = POINTS.exec(text.slice(-60));
  return found
    ? { points: Number((found[1] ?? '').replace(',', '.')), length: found[0].length }
    : null;
}

const SECTION =
  /^\s*#{0,6}\s{0,3}(?:(вариант|тема|раздел|часть|блок|глава|модуль)\s{1,3}№?\s{0,3}(\d{1,3}|[IVX]{1,5}|[A-CАВСБ](?=\s{0,3}(?:[:.–-]|$)))|(\d{1,3}|[IVX]{1,5})\s{1,3}(вариант))(?![\p{L}\d])[\s:.–-]{0,5}/iu;
const SECTION_CHARACTERS = 120;

/** Captions that some systems write above options, and that no question contains. */
export const CAPTION =
  /^\s*(?:варианты?\s{1,3}ответ(?:ов|а|ы)?|варіанти\s{1,3}відповідей|выберите\s{1,3}(?:один|несколько)\s{1,3}из\s{1,3}\d{1,2}\s{1,3}вариантов\s{1,3}ответа)\s{0,3}[:.]?\s*$/iu;

export interface TestSection {
  /** «вариант 2» */
  readonly name: string;
  /** The text after the name. */
  readonly rest: string;
}

/** The part of a test that a heading or a line of keys names; null: it is neither. */
export function sectionOf(text: string): TestSection | null {
  if (text.length > SECTION_CHARACTERS || text.includes('?')) return null;
  const [whole = '', word, number, first, behind] = SECTION.exec(text) ?? [];
  const kind = word ?? behind;
  return kind === undefined
    ? null
    : { name: `${kind} ${number ?? first}`.toLowerCase(), rest: text.slice(whole.length) };
}

/** Words that show an ordering question. */
export const ORDERING =
  /последовательност|расположите|в порядке|по порядку|правильн\S{1,4}\s{1,3}порядок|упорядочьте/i;

/** A semicolon at the end of these belongs to them; otherwise it separates the options of a list. */
export const CODE =
  /[{}[\]]|\b(?:int|float|double|char|let|var|const|return|cout|cin)\b|[A-Za-z_]\([^()]*\);$/;

/** A text without differences that do not matter: case, spaces, the sign at its end. */
export function wordsOf(text: string): string {
  const end = Math.max(0, text.length - 40);
  return (text.slice(0, end) + text.slice(end).replace(/[\s.;,]+$/, ''))
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
}
