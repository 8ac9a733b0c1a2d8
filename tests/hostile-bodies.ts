/** A text of exactly so many UTF-16 code units, the kind most expensive to read. */
type HostileText = (characters: number) => string;

const repeated =
  (unit: string, start = '', end = ''): HostileText =>
  (characters) => {
    const middle = Math.max(0, characters - start.length - end.length);
    const text = start + unit.repeat(Math.ceil(middle / unit.length)).slice(0, middle) + end;
    return text.slice(0, characters);
  };

/** Marker runs of every length, each another delimiter that may or may not close. */
const staircase =
  (unit: string): HostileText =>
  (characters) => {
    let text = '';
    for (let length = 1; text.length < characters; length += 1) text += `a${unit.repeat(length)}`;
    return text.slice(0, characters);
  };

/**
 * Texts that a careless reader processes in disproportionate time, by name: known weaknesses of normalising,
 * regular expressions, Markdown, TeX and CSV.
 */
export const HOSTILE_BODIES: Readonly<Record<string, HostileText>> = {
  'combining marks out of order': repeated('\u0301\u0323', 'a'),
  'half-width marks out of order': repeated('\uFF9E\u0323', 'か'),
  'signs that grow when normalised': repeated('\uFDFA'),
  'marks that nobody sees': repeated('\u200B\u200D\u2060'),
  'marks that turn the direction': repeated('\u202E\u2066'),
  'blanks before a letter': repeated(' ', '', 'a'),
  'blanks between letters': repeated(' ', 'a', 'b'),
  'tabs and no-break spaces': repeated('\t\u00A0', 'a', 'b'),
  'line ends': repeated('\n', 'a', 'b'),
  'line ends and blanks': repeated(' \n', 'a', 'b'),
  'carriage returns': repeated('\r', 'a', 'b'),
  'letters without an end': repeated('a', '', '!'),
  digits: repeated('1', '', 'x'),
  'digits and commas': repeated('1,', '', 'x'),
  'digits, dots and hyphens': repeated('1.-'),
  'letters and dots': repeated('a.', '', '@'),
  'an address that never ends': repeated('a@a.'),
  'web addresses': repeated('www.a'),
  'web addresses with brackets': repeated('http://a('),
  'wide signs': repeated('😀'),
  'halves of wide signs': repeated('\uD83D'),
  backslashes: repeated('\\'),
  quotes: repeated('"', '=', ';'),
  'doubled quotes': repeated('"",', '"'),
  semicolons: repeated(';'),
  slashes: repeated('../'),
  'percent signs': repeated('%'),
  ampersands: repeated('&'),
  'character references': repeated('&#1'),
  'tags that never close': repeated('<a '),
  'tags within tags': repeated('<b>'),
  'attributes without an end': repeated(' a="', '<a'),
  'comments that never close': repeated('<!--'),
  'instructions that never close': repeated('<?'),
  'sections that never close': repeated('<![CDATA['),
  'closing tags': repeated('</'),
  'round brackets': repeated('('),
  'square brackets': repeated('['),
  'square brackets in pairs': (characters) => {
    const half = Math.floor(characters / 2);
    return '['.repeat(half) + ']'.repeat(characters - half);
  },
  braces: repeated('{'),
  'links within links': repeated('[a]('),
  'links with titles': repeated('[a](b "'),
  'pictures within pictures': repeated('![a]('),
  'pictures of files': repeated('![a](file:b'),
  'references without an aim': repeated('[a][b]'),
  'aims of references': repeated('[a]: b\n'),
  'an aim without an end': repeated('\\]', '['),
  'emphasis that never closes': repeated('**a_'),
  'emphasis of two kinds': repeated('*a_ '),
  'openers of emphasis': repeated(' *a'),
  'closers of emphasis': repeated('a* '),
  'strong openers, then closers': repeated('a**b', '', 'c* '),
  'underscores between letters': repeated('a_'),
  stars: repeated('*'),
  underscores: repeated('_'),
  'stars in steps': staircase('*'),
  'backticks in steps': staircase('`'),
  'struck openers': repeated(' ~~a'),
  tildes: repeated('~'),
  dollars: repeated('$'),
  'dollars and letters': repeated('$a'),
  'doubled dollars': repeated('$$a '),
  'a formula of braces': repeated('{', '$', '$'),
  'a formula of roots': repeated('\\sqrt{', '$', '$'),
  'a formula of fractions': repeated('\\frac', '$', '$'),
  'a formula of stretched brackets': repeated('\\left(', '$', '$'),
  'a formula of powers': repeated('x^', '$', '$'),
  'a formula of cells': repeated('a&', '$\\begin{matrix}', '\\end{matrix}$'),
  'a formula of macros': repeated('\\def\\a{\\a\\a}\\a', '$', '$'),
  'many formulas': repeated('$a$ '),
  'template braces': repeated('{{a'),
  'quotes within quotes': repeated('> '),
  'quotes that deepen': (characters) => {
    let text = '';
    for (let depth = 1; text.length < characters; depth += 1) text += `${'>'.repeat(depth)}a\n`;
    return text.slice(0, characters);
  },
  'lists within lists': repeated('- '),
  'list items': repeated('- a\n'),
  'items that deepen': (characters) => {
    let text = '';
    for (let depth = 0; text.length < characters; depth += 1) text += `${'  '.repeat(depth)}- a\n`;
    return text.slice(0, characters);
  },
  'numbered items': repeated('1. '),
  'items with blank lines': repeated('- a\n\n'),
  headings: repeated('# a\n'),
  'heading signs': repeated('#', '', 'a'),
  'underlined lines': repeated('a\n-\n'),
  rules: repeated('* * '),
  pipes: repeated('|'),
  'table rows': repeated('|a|\n', '|a|\n|-|\n'),
  'table cells': repeated('|-', '|a\n'),
  'fences that never close': repeated('```\n'),
  'indented lines': repeated('    a\n'),
  apostrophes: repeated("'", 'a'),
  'minus signs': repeated('-', 'a'),
  'plus signs': repeated('+', '='),
};

/** An ordinary text of the same length: the baseline of the hostile ones. */
export const plainText: HostileText = repeated('Сила тока равна 5 А, а напряжение 12 В. ');
