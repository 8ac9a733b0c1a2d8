const paired = (from: string, to: string): ReadonlyMap<string, string> =>
  new Map(Array.from(from, (sign, index) => [sign, Array.from(to)[index] ?? sign]));

/** Superscripts and subscripts that fonts have. */
export const SUPERSCRIPTS = paired('0123456789+-=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ');
export const SUBSCRIPTS = paired('0123456789+-=()aeox', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓ');

/** Characters with the compatibility mapping `<super>`, except º, which people type for the degree. */
export const SUPERSCRIPT = String.raw`\u00AA\u00B2\u00B3\u00B9\u02B0-\u02B8\u02E0-\u02E4\u10FC\u1D2C-\u1D2E\u1D30-\u1D3A\u1D3C-\u1D4D\u1D4F-\u1D61\u1D78\u1D9B-\u1DBF\u2070\u2071\u2074-\u207F\u2120\u2122\u2C7D\u2D6F\u3192-\u319F\uA69C\uA69D\uA770\uA7F2-\uA7F4\uA7F8\uA7F9\uAB5C-\uAB5F\uAB69\u{10781}-\u{10785}\u{10787}-\u{107B0}\u{107B2}-\u{107BA}\u{1E030}-\u{1E050}\u{1E06B}-\u{1E06D}\u{1F16A}-\u{1F16C}`;
/** Characters with the compatibility mapping `<sub>`. */
export const SUBSCRIPT = String.raw`\u1D62-\u1D6A\u2080-\u208E\u2090-\u209C\u2C7C\u{1E051}-\u{1E06A}`;

/** HTML: neighbours of one level are joined. */
const TAGS = /<(\/?)(sup|sub)(?:\s[^<>]{0,100})?>/gi;
const BETWEEN_TAGS = /<\/(su[pb])><\1>/g;
const TAGGED = /<(su[pb])>([^<>]*)<\/\1>/g;

/** TeX: there are no blanks just inside the dollars, as in Markdown. */
const FORMULA = /\$(\$?)(?!\s)([^$]*[^$\s])\1\$/g;
const TEXT_IN_FORMULA = /\\(?:text|mathrm|mathit|rm)\s*\{([^{}]*)\}/g;
const DEGREE = /\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![a-z]))/gi;

/** «¹⁄₂», composed by hand, is read like «½». */
const COMPOSED_FRACTION =
  /([\u00B9\u00B2\u00B3\u2070\u2074-\u2079]+)[/\u2044\u2215]([\u2080-\u2089]+)/g;

/**
 * One level of superscripts or subscripts in any notation: characters; `^{…}`, `_{…}`, `^(…)`; a number without
 * brackets, with the sign of a charge at the end of a formula; one letter after `^`, a word after `_`.
 */
const RAISED = new RegExp(
  [
    `([${SUPERSCRIPT}]+)`,
    `([${SUBSCRIPT}]+)`,
    String.raw`([\^_])\{([^{}]*)\}`,
    String.raw`\^\(([^()]*)\)`,
    String.raw`\^(\d*[-+])(?=\s*(?:$|[)\]},;=→⇄+-]))`,
    String.raw`\^([-+]?(?:\d+|\p{L}))`,
    String.raw`_(\d+|\p{L}+)`,
  ].join('|'),
  'gu',
);

/** As characters if all exist, otherwise as words, without braces where possible. */
function write(sign: '^' | '_', content: string, next: string): string {
  const signs = sign === '^' ? SUPERSCRIPTS : SUBSCRIPTS;
  const letters = Array.from(content);
  if (letters.every((letter) => signs.has(letter) && !/\p{L}/u.test(letter)))
    return letters.map((letter) => signs.get(letter)).join('');
  const isWord = sign === '^' ? /^\p{L}$/u.test(content) : /^\p{L}+$/u.test(content);
  return isWord && !/^[\p{L}\p{M}]/u.test(next) ? sign + content : `${sign}{${content}}`;
}

/** Other dollars may be money or names of variables. */
const withoutDollars = (text: string): string =>
  text.replaceAll(FORMULA, (formula: string, _, inside: string) =>
    /[\^_]/.test(inside) || formula === text.trim() ? inside : formula,
  );

const withoutMarkup = (text: string): string =>
  withoutDollars(
    text
      .replaceAll(TAGS, (_, end: string, name: string) => `<${end}${name.toLowerCase()}>`)
      .replaceAll(BETWEEN_TAGS, '')
      .replaceAll(TAGGED, (_, name: string, inside: string) =>
        write(name === 'sup' ? '^' : '_', inside.trim(), 'a'),
      )
      .replaceAll(TEXT_IN_FORMULA, '$1')
      .replaceAll(DEGREE, '°'),
  ).replaceAll(
    COMPOSED_FRACTION,
    (_, top: string, bottom: string) => `${top.normalize('NFKC')}/${bottom.normalize('NFKC')}`,
  );

/**
 * Superscripts and subscripts in one notation: `10^2`, `10^{2}`, `10<sup>2</sup>`, `$10^2$` as «10²», `H_2O` as
 * «H₂O». They never become ordinary digits. A `^` after a superscript stays: «2^3^4» is not «2³⁴».
 */
export function unifyRaised(text: string): string {
  let end = { at: -1, sign: '' };
  return withoutMarkup(text).replaceAll(
    RAISED,
    (
      whole,
      high,
      low,
      braced,
      inBraces,
      inBrackets,
      charge,
      power,
      index,
      at: number,
      all: string,
    ) => {
      const sign = low !== undefined || index !== undefined || braced === '_' ? '_' : '^';
      const isWritten = high !== undefined || low !== undefined;
      const follows = end.at === at && end.sign === sign;
      end = { at: at + whole.length, sign };
      const content: string =
        (high ?? low)?.normalize('NFKC') ?? inBraces ?? inBrackets ?? charge ?? power ?? index;
      const level = content.replaceAll('\u2212', '-').replaceAll(/\s+/g, '');
      if (level === '' || (follows && !isWritten)) return whole;
      return write(sign, level, all.slice(at + whole.length, at + whole.length + 2));
    },
  );
}
