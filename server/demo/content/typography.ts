const UNITS = [
  'мм',
  'см',
  'дм',
  'м',
  'км',
  'м/с',
  'м/с²',
  'км/ч',
  'с',
  'мин',
  'ч',
  'г',
  'кг',
  'т',
  'Н',
  'кН',
  'Н/м',
  'Дж',
  'л',
  'моль',
  'бит',
  'бит/с',
  'байт',
  'Кбайт',
  'Мбайт',
  'руб\\.',
  'рублей',
  '%',
  'год',
  'года',
  'году',
  'годы',
  'годов',
  'лет',
  'баллов',
  'слов',
]
  .sort((one, other) => other.length - one.length)
  .join('|');
const UNIT = `(?:${UNITS})(?![а-яёА-ЯЁ/])`;

/** Code, links and formulas stay unchanged; spaces that must not break a line become no-break ones. */
const PATTERN = new RegExp(
  [
    '(?<kept>```[\\s\\S]*?```|`[^`\\n]*`|\\]\\([^)]*\\))',
    `(?<formula>\\$\\$[\\s\\S]*?\\$\\$|\\$[^$\\n]+\\$)(?: (?=${UNIT}))?`,
    `(?<number>\\d) (?=${UNIT})`,
    '(?<group>(?<![\\d,])\\d{1,3}) (?=\\d{3}(?!\\d))',
    '(?<dash>) (?=—)',
    '(?<sign>№|(?<![\\p{L}\\d.])[А-ЯЁ]\\.) (?=\\d|[А-ЯЁ][.а-яё])',
    '(?<roman>(?<![A-Za-z])[IVX]+) (?=век|полугоди|группы)',
  ].join('|'),
  'gu',
);

/** Markdown with no-break spaces before units and dashes, in long numbers, after initials and «№». */
export function typography(markdown: string): string {
  return markdown.replace(PATTERN, (found) =>
    found.startsWith('`') || found.startsWith(']') || !found.endsWith(' ')
      ? found
      : `${found.slice(0, -1)}\u00a0`,
  );
}
