/** No-break space: before units, so that a number is never alone at a line's end. */
export const NBSP = '\u00a0';

/** The three forms of a Russian noun: «ответ», «ответа», «ответов». Fractions take `few`. */
export type Forms = readonly [one: string, few: string, many: string];

const rules = new Intl.PluralRules('ru');

/** The form of a noun that agrees with a count: 1 → one, 2 → few, 5 → many, 1,5 → few. */
export function plural(count: number, [one, few, many]: Forms): string {
  const category = rules.select(Math.abs(count));
  if (category === 'one') return one;
  return category === 'many' ? many : few;
}

/** By the number of decimals: creating one takes longer than all other formatting of a list. */
const numberFormats = new Map<number, Intl.NumberFormat>();

function numberFormatOf(digits: number): Intl.NumberFormat {
  const known = numberFormats.get(digits);
  if (known) return known;
  const made = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: digits });
  numberFormats.set(digits, made);
  return made;
}

/** A number in Russian writing: decimal comma, true minus, at most `digits` decimals (2). */
export function formatNumber(value: number, digits = 2): string {
  // Most counts are small, and the first formatter occupies a slow phone for a tenth of a second.
  if (Number.isInteger(value) && value >= 0 && value < 1_000) return String(value);
  const plain = numberFormatOf(digits).format(value).replace('-', '−');
  return plain === '−0' ? '0' : plain;
}

/** «3 ответа», «1,5 балла». */
export function formatCount(count: number, forms: Forms): string {
  return `${formatNumber(count)} ${plural(count, forms)}`;
}

export const ANSWERS: Forms = ['ответ', 'ответа', 'ответов'];
export const FILES: Forms = ['файл', 'файла', 'файлов'];
export const QUESTIONS: Forms = ['вопрос', 'вопроса', 'вопросов'];
export const POINTS: Forms = ['балл', 'балла', 'баллов'];
export const TESTS: Forms = ['тест', 'теста', 'тестов'];
export const ATTEMPTS: Forms = ['попытка', 'попытки', 'попыток'];

/** «2 балла», «1,5 балла». */
export function formatPoints(points: number): string {
  return formatCount(points, POINTS);
}

/** A share from 0 to 1 as «96 %». */
export function formatPercent(share: number): string {
  return `${formatNumber(share * 100, 0)}${NBSP}%`;
}

const UNITS = ['Б', 'КБ', 'МБ', 'ГБ'] as const;

function sizeUnit(bytes: number): number {
  let unit = 0;
  for (let rest = bytes; rest >= 1024 && unit < UNITS.length - 1; rest /= 1024) unit += 1;
  return unit;
}

function inUnit(bytes: number, unit: number): string {
  return formatNumber(bytes / 1024 ** unit, unit < 2 ? 0 : 1);
}

/** A size in bytes as «640 КБ» or «2,4 МБ» (1 МБ = 1024 КБ). */
export function formatSize(bytes: number): string {
  const unit = sizeUnit(bytes);
  return `${inUnit(bytes, unit)}${NBSP}${UNITS[unit] ?? ''}`;
}

/** The sent part of a file: «1,5 из 2,4 МБ», both in the unit of the whole. */
export function formatSizeProgress(sentBytes: number, totalBytes: number): string {
  const unit = sizeUnit(totalBytes);
  return `${inUnit(Math.min(sentBytes, totalBytes), unit)} из ${formatSize(totalBytes)}`;
}

/** Letters for the right items of a matching: А–Я without letters that look like others (Ё, Й, Ъ, Ы, Ь). */
const LETTERS = 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ';

/** The letter of the n-th right item, from 0; after Я a number follows («А2»). */
export function letterOf(index: number): string {
  const round = Math.floor(index / LETTERS.length);
  return `${LETTERS[index % LETTERS.length] ?? ''}${round === 0 ? '' : round + 1}`;
}

export const STUDENTS: Forms = ['ученик', 'ученика', 'учеников'];
/** Dative: «12 ученикам». */
export const TO_STUDENTS: Forms = ['ученику', 'ученикам', 'ученикам'];
