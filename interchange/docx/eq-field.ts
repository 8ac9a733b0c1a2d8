import { ACCENTS, delimiterOf, formulaText, LARGE_OPERATORS } from './formula-signs.ts';

/** Raised and lowered text inside of a field's code. */
export const RAISED = '\ue010';
export const LOWERED = '\ue011';
export const LEVEL_END = '\ue012';

const MAX_DEPTH = 40;

/** A part of the field that TeX cannot express, or that is not written in Word's syntax. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** One argument: its TeX, and the EQ command if the argument is a single command. */
interface Argument {
  readonly tex: string;
  readonly text: string;
  readonly only: Command | null;
}

interface Command {
  readonly name: string;
  /** `\al`, `\co2`: names with their numbers; `\lc\{`: with the character. */
  readonly options: ReadonlyMap<string, string>;
  readonly list: readonly Argument[];
}

const NAMES = new Set('abdfilorsx');
const CHARACTER_OPTIONS = new Set(['lc', 'rc', 'bc', 'fc', 'vc']);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

const withLevels = (text: string): string =>
  formulaText(text).replaceAll(RAISED, '^{').replaceAll(LOWERED, '_{').replaceAll(LEVEL_END, '}');

class FieldReader {
  private at = 0;
  private depth = 0;
  private readonly code: string;
  private readonly separator: string;

  constructor(code: string, separator: string) {
    this.code = code;
    this.separator = separator;
  }

  private get rest(): string {
    return this.code.slice(this.at, this.at + 12);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.rest);
    if (found) this.at += found[0].length;
    return found;
  }

  /** Reads up to the end of an argument, or of the field. */
  read(isInside: boolean): Argument {
    let tex = '';
    let text = '';
    let plain = '';
    let open = 0;
    const commands: Command[] = [];
    const endText = () => {
      tex += withLevels(plain);
      text += plain;
      plain = '';
    };
    while (this.at < this.code.length) {
      const sign = this.code[this.at] ?? '';
      if (sign === '\\') {
        const escaped = this.match(/^\\([\\,;()])/)?.[1];
        if (escaped !== undefined) plain += escaped;
        else {
          endText();
          const command = this.command();
          commands.push(command);
          tex += write(command);
        }
        continue;
      }
      if (isInside && open === 0 && (sign === ')' || sign === this.separator)) break;
      open += sign === '(' ? 1 : sign === ')' ? -1 : 0;
      plain += sign;
      this.at += 1;
    }
    endText();
    const [only = null, another] = commands;
    return {
      tex: tex.trim(),
      text: text.trim(),
      only: text.trim() === '' && !another ? only : null,
    };
  }

  private command(): Command {
    const name = this.match(/^\\([a-z])(?![a-z])\s*/i)?.[1]?.toLowerCase() ?? '';
    if (!NAMES.has(name) || this.depth >= MAX_DEPTH) throw new Unreadable();
    const options = new Map<string, string>();
    for (let found = this.option(); found; found = this.option()) options.set(...found);
    if (this.code[this.at] !== '(') throw new Unreadable();
    this.depth += 1;
    const list: Argument[] = [];
    do {
      this.at += 1;
      list.push(this.read(true));
    } while (this.code[this.at] === this.separator);
    if (this.code[this.at] !== ')') throw new Unreadable();
    this.at += 1;
    this.depth -= 1;
    return { name, options, list };
  }

  private option(): [string, string] | null {
    const name = this.match(/^\\([a-z]{2})\s*/i)?.[1]?.toLowerCase();
    if (name === undefined) return null;
    const value = CHARACTER_OPTIONS.has(name)
      ? this.match(/^\\(\S)\s*/u)?.[1]
      : (this.match(/^(\d*)\s*/)?.[1] ?? '');
    if (value === undefined) throw new Unreadable();
    return [name, value];
  }
}

function columnsOf({ options, list }: Command): string[][] {
  const columns = Math.max(1, Number(options.get('co') ?? 1) || 1);
  return Array.from({ length: Math.ceil(list.length / columns) }, (_, row) =>
    list.slice(row * columns, (row + 1) * columns).map(({ tex }) => tex),
  );
}

const writeRows = (rows: readonly (readonly string[])[], name: string) =>
  `\\begin{${name}}${rows.map((row) => row.join(' & ')).join('\\\\')}\\end{${name}}`;

const MATRICES: Readonly<Record<string, string>> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
};

function writeBrackets({ options, list }: Command): string {
  const both = options.get('bc') ?? (options.has('lc') || options.has('rc') ? undefined : '(');
  const begin = options.get('lc') ?? both ?? '';
  const end = options.get('rc') ?? (both === undefined ? '' : (CLOSING[both] ?? both));
  const [first] = list;
  if (!first || list.length > 1) throw new Unreadable();
  if (first.only?.name === 'a') {
    const rows = columnsOf(first.only);
    const isNarrow = rows.every((row) => row.length <= 2);
    const name = begin === '{' && end === '' && isNarrow ? 'cases' : MATRICES[begin + end];
    if (name !== undefined) return writeRows(rows, name);
  }
  const [left, right] = [delimiterOf(begin), delimiterOf(end)];
  if (left === undefined || right === undefined) throw new Unreadable();
  return `\\left${left}${first.tex}\\right${right}`;
}

function writeIntegral({ options, list }: Command): string {
  const [lower, upper, body] = list;
  if (!body || list.length > 3) throw new Unreadable();
  const own = options.get('fc') ?? options.get('vc');
  const sign = options.has('su')
    ? '\\sum'
    : options.has('pr')
      ? '\\prod'
      : LARGE_OPERATORS[own ?? '∫'];
  if (sign === undefined) throw new Unreadable();
  const bottom = lower?.tex ? `_{${lower.tex}}` : '';
  const top = upper?.tex ? `^{${upper.tex}}` : '';
  return `${sign}${bottom}${top} ${body.tex}`;
}

function writeScripts({ options, list }: Command): string {
  const [first, second] = list;
  if (!first || list.length > 2) throw new Unreadable();
  if (second) return `^{${first.tex}}_{${second.tex}}`;
  // `\ai` and `\di` are the space around a line, not a level.
  const isPlain =
    (options.has('ai') || options.has('di')) && !options.has('up') && !options.has('do');
  if (isPlain) return first.tex;
  return `${options.has('do') ? '_' : '^'}{${first.tex}}`;
}

const LINES_ABOVE = /^[\u00af\u203e\u02c9\u2013\u2014_-]$/;

/** Characters on top of each other: a letter with its accent, a power with its index. */
function writeOverstrike({ list }: Command): string {
  const [first, second] = list;
  if (!first || list.length > 2) throw new Unreadable();
  if (!second) return first.tex;
  if ([first, second].every(({ only }) => only?.name === 's')) {
    const marks = [first.tex, second.tex];
    // Two of one level would be an error of TeX.
    if (marks[0]?.[0] === marks[1]?.[0]) throw new Unreadable();
    return marks.join('');
  }
  if (second.text === '/' && first.text === '=') return '\\ne ';
  const accent = ACCENTS[second.text];
  if (accent !== undefined) return `${accent === '\\bar' ? '\\overline' : accent}{${first.tex}}`;
  if (LINES_ABOVE.test(second.text) && second.text !== '-' && second.text !== '_')
    return `\\overline{${first.tex}}`;
  throw new Unreadable();
}

function writeBox({ options, list }: Command): string {
  const [first] = list;
  if (!first || list.length > 1) throw new Unreadable();
  const sides = [...options.keys()].sort().join();
  if (sides === '' || sides === 'bo,le,ri,to') return `\\boxed{${first.tex}}`;
  if (sides === 'to') return `\\overline{${first.tex}}`;
  if (sides === 'bo') return `\\underline{${first.tex}}`;
  throw new Unreadable();
}

function writeRoot({ list }: Command): string {
  const [first, second] = list;
  if (!first || list.length > 2) throw new Unreadable();
  if (!second) return `\\sqrt{${first.tex}}`;
  const degree = /^\{|[[\]]/.test(first.tex) ? `{${first.tex}}` : first.tex;
  return degree === '' ? `\\sqrt{${second.tex}}` : `\\sqrt[${degree}]{${second.tex}}`;
}

function write(command: Command): string {
  const { name, list } = command;
  switch (name) {
    case 'a':
      return writeRows(columnsOf(command), 'matrix');
    case 'b':
      return writeBrackets(command);
    case 'd':
      // A shift of the following text is invisible, unless it draws a line.
      if (command.options.has('li') || list.some(({ tex }) => tex !== '')) throw new Unreadable();
      return '';
    case 'f': {
      const [top, bottom] = list;
      if (!top || !bottom || list.length > 2) throw new Unreadable();
      return `\\frac{${top.tex}}{${bottom.tex}}`;
    }
    case 'i':
      return writeIntegral(command);
    case 'l':
      return list.map(({ tex }) => tex).join('; ');
    case 'o':
      return writeOverstrike(command);
    case 'r':
      return writeRoot(command);
    case 's':
      return writeScripts(command);
    default:
      return writeBox(command);
  }
}

/** Whether commas may be argument separators as well as decimal commas. */
const isAmbiguous = (code: string) => /\\[rl][^;]*\d,\d/i.test(code);

/**
 * The code of an EQ field without its name as TeX: `\f(1;2)` is a fraction. Null: it is not converted.
 * @param listSeparator of the document's settings; null: unknown
 */
export function convertEqField(code: string, listSeparator: string | null): string | null {
  const own = code.replaceAll(/\\\*\s*[a-z]+\s*$/gi, '').trim();
  const known = own.includes(';') ? ';' : listSeparator;
  if (known === null && isAmbiguous(own)) return null;
  try {
    const reader = new FieldReader(own, known ?? ',');
    const tex = reader.read(false).tex.replaceAll(/\s+/g, ' ').trim();
    return tex === '' || /(?<!\\)(?:\\\\)*\$/.test(tex) ? null : tex;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
