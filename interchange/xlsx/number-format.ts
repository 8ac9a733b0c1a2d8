/** Built-in formats of Excel, without a code in the file, as a Russian Excel shows them. */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'dd.mm.yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'dd.mm.yyyy h:mm',
  37: '#,##0;-#,##0',
  38: '#,##0;-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;-#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};
export const builtInFormat = (id: number): string | undefined => BUILT_IN[id];

/** The text that a cell shows. */
export interface ShownNumber {
  readonly text: string;
  readonly isDate: boolean;
}

/** One part of a format: literal text, or signs for the number. */
interface Token {
  readonly isLiteral: boolean;
  readonly text: string;
}

const TOKEN =
  /"([^"]*)"|\\([\s\S])|_[\s\S]|\*[\s\S]|\[\$([^\]-]*)[^\]]*\]|\[(h+|m+|s+)\]|\[([^\]]*)\]|General|AM\/PM|A\/P|[\s\S]/gi;
const COLOUR =
  /^(?:black|blue|cyan|green|magenta|red|white|yellow|color\s*\d+|чёрный|черный|синий|голубой|зелёный|зеленый|красный|белый|ж[её]лтый|цвет\s*\d+)$/i;

/** Null: a condition or a calendar that is not supported. */
function tokensOf(section: string): Token[] | null {
  const tokens: Token[] = [];
  for (const [whole, quoted, escaped, currency, elapsed, bracket] of section.matchAll(TOKEN)) {
    const literal = quoted ?? escaped ?? currency;
    if (literal !== undefined) tokens.push({ isLiteral: true, text: literal });
    else if (elapsed !== undefined)
      tokens.push({ isLiteral: false, text: `[${elapsed.toLowerCase()}]` });
    else if (bracket !== undefined) {
      if (!COLOUR.test(bracket.trim())) return null;
    } else if (!/^[_*]/.test(whole) || whole.length === 1)
      tokens.push({ isLiteral: false, text: whole });
  }
  return tokens;
}

/** The sections for positive, negative and zero numbers. */
function sectionsOf(code: string): string[] {
  const sections = [''];
  for (const [piece] of code.matchAll(/"[^"]*"|\\[\s\S]|\[[^\]]*\]|[\s\S]/g)) {
    if (piece === ';') sections.push('');
    else sections[sections.length - 1] += piece;
  }
  return sections;
}

/** Excel stores 15 digits: 0.1+0.2 is 0,3. */
export const generalNumber = (value: number): string =>
  String(Number(value.toPrecision(15))).replace('.', ',');

const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '\u00a0');

/** Half away from zero, like Excel for decimal notation. */
function fixed(value: number, decimals: number): string {
  const [mantissa = '0', exponent = '0'] = value.toPrecision(15).split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + decimals}`));
  const rounded = Number(`${shifted}e${-decimals}`);
  return rounded.toFixed(decimals);
}

/** Digits by a pattern such as `#,##0.00`: `0` always shows one, `#` and `?` only if there is one. */
function showDecimal(value: number, pattern: string): string {
  const [whole = '', part = ''] = pattern.replaceAll(',', '').split('.');
  const [digits = '0', rest = ''] = fixed(value, part.length).split('.');
  const least = (whole.match(/0/g) ?? []).length;
  const bare = digits === '0' && least === 0 ? '' : digits.padStart(least, '0');
  const needed = (/^.*0/.exec(part)?.[0] ?? '').length;
  let decimals = rest;
  while (decimals.length > needed && decimals.endsWith('0')) decimals = decimals.slice(0, -1);
  const integer = pattern.includes(',') ? grouped(bare) : bare;
  return decimals === '' ? integer || '0' : `${integer},${decimals}`;
}

/** The nearest fraction with a denominator of a given number of digits, or with a given denominator. */
function nearestFraction(value: number, bottom: string): readonly [number, number] {
  if (/^\d+$/.test(bottom)) return [Math.round(value * Number(bottom)), Number(bottom)];
  const most = 10 ** Math.min(bottom.length, 4) - 1;
  let best: readonly [number, number] = [Math.round(value), 1];
  for (let denominator = 2; denominator <= most; denominator += 1) {
    const numerator = Math.round(value * denominator);
    const [top, under] = best;
    if (Math.abs(value - numerator / denominator) < Math.abs(value - top / under) - 1e-12)
      best = [numerator, denominator];
  }
  return best;
}

function showFraction(value: number, whole: boolean, bottom: string): string {
  const integer = whole ? Math.floor(value) : 0;
  const [top, under] = nearestFraction(value - integer, bottom);
  if (top === 0) return String(integer);
  if (whole && top === under) return String(integer + 1);
  return integer === 0 ? `${top}/${under}` : `${integer} ${top}/${under}`;
}

const MONTHS =
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь'.split(' ');
const DAYS = 'воскресенье понедельник вторник среда четверг пятница суббота'.split(' ');
const SHORT_DAYS = 'Вс Пн Вт Ср Чт Пт Сб'.split(' ');
const pad = (value: number, width: number) => String(value).padStart(width, '0');

const isDateToken = ({ isLiteral, text }: Token) =>
  !isLiteral && /^(?:[ymdhs]|\[[hms]+\]|AM\/PM|A\/P)$/i.test(text);

/** Runs of one letter as one token: `dd`, `mmmm`. */
function datePieces(tokens: readonly Token[]): Token[] {
  const pieces: Token[] = [];
  for (const token of tokens) {
    const last = pieces.at(-1);
    const isSame =
      last &&
      !last.isLiteral &&
      !token.isLiteral &&
      /^[ymdhs0]$/i.test(token.text) &&
      last.text[0]?.toLowerCase() === token.text.toLowerCase();
    if (isSame)
      pieces[pieces.length - 1] = { isLiteral: false, text: last.text + token.text.toLowerCase() };
    else
      pieces.push(
        token.isLiteral
          ? token
          : {
              isLiteral: false,
              text: /^A/i.test(token.text) ? token.text : token.text.toLowerCase(),
            },
      );
  }
  return pieces;
}

const SECONDS = 86_400;

function showDate(serial: number, tokens: readonly Token[]): string | null {
  if (serial < 0 || serial > 2_958_465.99999) return null;
  const seconds = Math.round(serial * SECONDS);
  // Excel counts 29 February 1900, which did not exist.
  const days = Math.floor(seconds / SECONDS) + (serial < 60 ? 1 : 0);
  const date = new Date((days - 25_569) * SECONDS * 1000);
  const time = seconds % SECONDS;
  const [hours, minutes] = [Math.floor(time / 3600), Math.floor(time / 60) % 60];
  const pieces = datePieces(tokens);
  const isHalf = pieces.some(({ text, isLiteral }) => !isLiteral && /^A/i.test(text));
  const codes = pieces.map(({ text, isLiteral }) => (isLiteral ? '' : text));
  const isMinute = (index: number) => {
    const earlier = codes.slice(0, index).reverse();
    const before = earlier.find((code) => /^(?:[ymdhs]|\[h)/.test(code)) ?? '';
    const after = codes.slice(index + 1).find((code) => /^[ymdhs]/.test(code)) ?? '';
    return /^(?:h|\[h)/.test(before) || after.startsWith('s');
  };
  const month = MONTHS[date.getUTCMonth()] ?? '';
  const hour = isHalf ? hours % 12 || 12 : hours;
  const one = ({ isLiteral, text }: Token, index: number): string => {
    if (isLiteral) return text;
    switch (text[0]) {
      case 'y':
        return text.length > 2
          ? String(date.getUTCFullYear())
          : pad(date.getUTCFullYear() % 100, 2);
      case 'm':
        if (text.length <= 2)
          return pad(isMinute(index) ? minutes : date.getUTCMonth() + 1, text.length);
        return text.length === 3
          ? month.slice(0, 3)
          : text.length === 4
            ? month
            : (month[0] ?? '').toUpperCase();
      case 'd':
        if (text.length <= 2) return pad(date.getUTCDate(), text.length);
        return (text.length === 3 ? SHORT_DAYS : DAYS)[date.getUTCDay()] ?? '';
      case 'h':
        return pad(hour, text.length);
      case 's':
        return pad(time % 60, text.length);
      case '[': {
        const unit = text[1] === 'h' ? 3600 : text[1] === 'm' ? 60 : 1;
        return pad(Math.floor(seconds / unit), text.length - 2);
      }
      case 'A':
      case 'a':
        return hours < 12 ? 'AM' : 'PM';
      default:
        return text;
    }
  };
  return pieces.map(one).join('');
}

const PLACE = /[#0?]/;

function showNumber(value: number, tokens: readonly Token[]): string | null {
  const codes = tokens.map(({ isLiteral, text }) => (isLiteral ? '\u0000' : text)).join('');
  const percents = (codes.match(/%/g) ?? []).length;
  const scaled = percents === 0 ? value : Number((value * 100 ** percents).toPrecision(15));
  const fraction = /([#0?]+\s+)?[#0?]+\s*\/\s*([#0?]+|\d+)/.exec(codes);
  const exponent = /([#0?]+(?:\.[#0?]+)?)E[+-]([#0?]+)/i.exec(codes);
  const plain = /[#0?][#0?,]*(?:\.[#0?]*)?|\.[#0?]+/.exec(codes);
  const found = fraction ?? exponent ?? plain;
  let number = '';
  if (fraction) number = showFraction(scaled, fraction[1] !== undefined, fraction[2] ?? '?');
  else if (exponent) {
    if (/^#*[#0?]{2}/.test(exponent[1] ?? '')) return null;
    const decimals = (exponent[1]?.split('.')[1] ?? '').length;
    const [mantissa = '', power = '0'] = scaled.toExponential(decimals).split('e');
    const sign = power.startsWith('-') ? '-' : '+';
    number = `${mantissa.replace('.', ',')}E${sign}${pad(Math.abs(Number(power)), exponent[2]?.length ?? 1)}`;
  } else if (plain) {
    // Commas at the end divide by thousands.
    if (/,(?:\.|$)/.test(plain[0])) return null;
    number = showDecimal(scaled, plain[0]);
  }
  const start = found?.index ?? -1;
  const end = start + (found?.[0].length ?? 0);
  let shown = '';
  let at = 0;
  for (const { isLiteral, text } of tokens) {
    const width = isLiteral ? 1 : text.length;
    if (at === start) shown += number;
    if (at < start || at >= end) {
      // Digits in several groups, as in a telephone number.
      if (!isLiteral && PLACE.test(text)) return null;
      shown += isLiteral
        ? text
        : /^general$/i.test(text) || text === '@'
          ? generalNumber(value)
          : text;
    }
    at += width;
  }
  return shown.trim();
}

/**
 * A number as a cell shows it in a Russian Excel; null: the format is not read.
 * @param is1904 days are counted from 1904
 */
export function showCell(value: number, code: string, is1904 = false): ShownNumber | null {
  if (!Number.isFinite(value)) return null;
  const sections = sectionsOf(code);
  const index = value < 0 && sections.length > 1 ? 1 : value === 0 && sections.length > 2 ? 2 : 0;
  const section = sections[index] ?? '';
  const tokens = tokensOf(section);
  if (!tokens) return null;
  if (tokens.some(isDateToken)) {
    const text = showDate(is1904 ? value + 1462 : value, tokens);
    return text === null ? null : { text, isDate: true };
  }
  const isOwnSign = index === 1;
  const isGeneral = tokens.some(
    ({ isLiteral, text }) => !isLiteral && (/^general$/i.test(text) || text === '@'),
  );
  const text = showNumber(isGeneral && !isOwnSign ? value : Math.abs(value), tokens);
  if (text === null) return null;
  const needsSign = value < 0 && !isOwnSign && !isGeneral && /[1-9]/.test(text);
  return { text: needsSign ? `-${text}` : text, isDate: false };
}
