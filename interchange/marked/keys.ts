import { partNumber, sectionOf } from './patterns.ts';

/** Notations of the right answers in files: a line of a question, or a table of answers. */

const KEY =
  /^\s*(?:✅\s{0,3})?[({]?\s{0,3}(?:(?:верный|правильный|стандартный)\s{1,3}(?:ответ|вариант)|(?:верные|правильные)\s{1,3}(?:ответы|варианты(?:\s{1,3}ответа)?)|ответы?|эталоны?\s{1,3}ответов?|(?:дұрыс\s{1,3})?жауа(?:п|бы|птар|птары)|ключ|(?:правильна\s{1,3})?відповід[ьі]|(?:correct\s{1,3})?answers?|(?:richtige\s{1,3})?(?:antwort|lösung)|(?:respuesta|resposta)(?:\s{1,3}corre[ct]{1,2}a)?)\}?\s{0,3}(?:[:=—–-]:?\s{0,9}|(?=\s[a-zа-яё]\s{0,3}[).]{0,2}\s*$))/iu;

export const keyLength = (text: string): number => KEY.exec(text)?.[0].length ?? 0;

/** The text after «Ответ:», without the bracket around the whole line. */
export const keyOf = (text: string): string => {
  const key = text.slice(keyLength(text)).trim();
  return /^\s*(?:✅\s{0,3})?\(/.test(text) ? key.replace(/\)$/, '').trim() : key;
};

/** «Ответы», «Ответы к тесту № 3:», «Ответы на тест по теме …». */
const KEYS_HEAD =
  /^\s*(?:ключи?|keys?|таблица\s{1,3}ответов|ответы|(?:правильные|верные)\s{1,3}ответы|эталоны?\s{1,3}ответов|(?:дұрыс\s{1,3})?жауаптары?|відповіді|(?:правільныя\s{1,3})?адказы|javoblar|kalit(?:i|lar)?|answers|answer\s{1,3}key)(?:\s{1,3}(?:к|на|до)\s{1,3}(?:тест|задани|вопрос|контрольн)\p{L}{0,6}(?:\s{0,3}№?\s{0,3}\d{1,3}(?=\s{0,3}[:.]))?)?/iu;
/** The rest of a heading: «по теме «Африка»». */
const OF_SUBJECT = /^\s{1,3}(?:по|на\s{1,3}тему|для)\s[^\d:]{1,80}[:.]?\s*$/iu;

/** A number and the separator before its key: «1-а», «2) б», «3 в», «4г». */
const ANCHOR =
  /(?<![\p{L}\d.,-])([ABCАБВС]?)(\d{1,4})(\s{0,3}[-–—.):=]\s{0,3}(?=\S)|\s{0,3}(?=\p{L}))/gu;
const KEY_CHARACTERS = 60;
/** «(2 балла)» after a key. */
const POINTS_OF_KEY = /\s\(\d[^()]{0,20}\)\s*$/;
/** A row of a table of answers. Separated by spaces only a short key counts, since «5 баллов» is none. */
const KEY_ROW =
  /^\|?\s{0,9}(\d{1,4})(?:\s{0,3}[|\t]\s{0,9}([^\s|]{1,20})|\s{1,9}([a-zа-яё]{1,3}|\d{1,4}(?:[.,]\d{1,4})?))\s{0,9}\|?$/iu;

export interface KeyPair {
  readonly number: number;
  readonly key: string;
}

/** «2-А» continues the table even if its number does not; «1-й» does not. */
const OWN_KEY = /^(?!(?:й|я|е|го|ом|ой|му|ый|ая|ое|х)(?!\p{L}))\p{L}/u;

interface Anchor {
  readonly number: number;
  readonly isClose: boolean;
  readonly at: number;
  readonly end: number;
}

/** Where the key of each number begins. A number within a key does not continue the sequence: «3. 1,5». */
function anchorsOf(text: string): readonly Anchor[] {
  const found: Anchor[] = [];
  const numbers = new Set<number>();
  let hasKey = true;
  let seen = 0;
  for (const { index, 0: whole, 1: part = '', 2: digits = '', 3: sign = '' } of text.matchAll(
    ANCHOR,
  )) {
    const number = part === '' ? Number(digits) : partNumber(part, digits);
    const before = found.at(-1);
    const isClose = !/\S/.test(sign);
    hasKey ||= /[\p{L}\d]/u.test(text.slice(seen, index));
    seen = index;
    const end = index + whole.length;
    const goesOn = isClose
      ? number === (before?.number ?? 0) + 1
      : before === undefined ||
        number > before.number ||
        (!numbers.has(number) && /[-–—=]/.test(sign) && OWN_KEY.test(text.slice(end, end + 4)));
    if (!hasKey || !goesOn) continue;
    found.push({ number, isClose, at: index, end });
    numbers.add(number);
    hasKey = false;
    seen = end;
  }
  // «2 четверть» is no pair; «1 а, 2 б» are.
  return found.length === 1 && found[0]?.isClose ? [] : found;
}

/** Pairs of a table of answers: «1-а, 2-б, в, 3 - вг». */
export function keyPairs(text: string): KeyPair[] {
  const anchors = anchorsOf(text);
  const pairs = anchors.flatMap(({ number, end }, place) => {
    const key = text
      .slice(end, anchors[place + 1]?.at)
      .slice(0, KEY_CHARACTERS)
      .replace(/[\s.,;|#]+$/, '')
      .replace(POINTS_OF_KEY, '')
      .replace(/[\s.,;|#]+$/, '')
      .trim();
    return key === '' ? [] : [{ number, key }];
  });
  const [, number, cell, short] = KEY_ROW.exec(text) ?? [];
  const key = cell ?? short;
  return pairs.length === 0 && number && key ? [{ number: Number(number), key }] : pairs;
}

/** The cells of a row of a table of answers, without its name. */
export const cellsOf = (text: string): string[] =>
  text
    .replace(
      /^[|\s]{0,9}(?:(?:№|номера?|вопрос\p{L}{0,2}|задани\p{L}{0,2}|ответы?|буквы?)[|\s:]{1,9}){1,3}/iu,
      '',
    )
    .split(/[|\s]+/)
    .filter((cell) => cell !== '');

/** Whether a line only draws a table, or names its columns. */
export const isTableLine = (text: string): boolean =>
  /^[|\s:-]+$/.test(text) || /^\|?\s*(?:№|номер|вопрос|question)[^\d]*$/i.test(text);

/** The table of answers that begins with this line, and the part of the test that it names; null: it is none. */
export function keysHead(text: string): { pairs: KeyPair[]; section: string | null } | null {
  const head = KEYS_HEAD.exec(text)?.[0];
  if (head === undefined) return null;
  const behind = text.slice(head.length);
  if (/^\p{L}/u.test(behind)) return null;
  const rest = behind.replace(/^\s{0,3}[:.]?\s{0,9}/, '');
  if (rest.trim() === '' || (/\s(?:к|на)\s/.test(head) && OF_SUBJECT.test(behind)))
    return { pairs: [], section: null };
  const part = sectionOf(rest);
  const pairs = keyPairs(part?.rest ?? rest);
  return pairs.length > 1 ? { pairs, section: part?.name ?? null } : null;
}
