import {
  ACCENTS,
  ARROWS,
  BINOMIALS,
  COLOURS,
  DELIMITERS,
  ESCAPED,
  FONTS,
  FRACTIONS,
  LAYOUT,
  SPACES,
  STACKS,
  TEXTS,
} from './commands.ts';

import type { TexBrackets, TexScripts, TexNode } from './tree.ts';

/** Maximum depth of groups; deeper ones are read as typed. */
const MAX_DEPTH = 60;

const TOKEN = /\\(?:[a-zA-Z]+\*?|[\s\S]|$)|%[^\n]*\n?|\s+|[\s\S]/gu;

const OPENING = '([{⟨⌊⌈';
const CLOSING = ')]}⟩⌋⌉';
const BARS = '|‖';

const NO_STOPS: ReadonlySet<string> = new Set();
const GROUP_END = new Set(['}']);
const OPTION_END = new Set([']']);
const RIGHT = new Set(['\\right']);
const CELL_END = new Set(['&', '\\\\', '\\cr', '\\end', '\\newline']);

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
}

const isBlank = (token: string | undefined) =>
  token !== undefined && (/^\s+$/.test(token) || token.startsWith('%'));
const isDigit = (token: string | undefined) => token !== undefined && /^\d$/.test(token);
const isCyrillic = (token: string | undefined) =>
  token !== undefined && /^\p{Script=Cyrillic}$/u.test(token);

function skipBlanks(reader: Reader): void {
  while (isBlank(reader.tokens[reader.at])) reader.at += 1;
}

function takeIf(reader: Reader, token: string): boolean {
  skipBlanks(reader);
  if (reader.tokens[reader.at] !== token) return false;
  reader.at += 1;
  return true;
}

const rowOf = (items: readonly TexNode[]): TexNode => {
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'row', items };
};

/** An argument as typed, without its outer braces. */
function takeRaw(reader: Reader): string {
  skipBlanks(reader);
  if (!takeIf(reader, '{')) return reader.tokens[reader.at++] ?? '';
  const start = reader.at;
  for (let open = 1; reader.at < reader.tokens.length; reader.at += 1) {
    const token = reader.tokens[reader.at];
    open += token === '{' ? 1 : token === '}' ? -1 : 0;
    if (open === 0) break;
  }
  const raw = reader.tokens.slice(start, reader.at).join('');
  reader.at += 1;
  return raw;
}

/** Text in readable form: without commands and braces, formulas in it as their letters. */
export const rawWords = (raw: string): string =>
  raw
    .replace(/\\[a-z]+\*?/gi, ' ')
    .replace(/\\([\s\S])/g, '$1')
    .replace(/[{}$^\\]/g, '')
    .replaceAll('~', ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Calls `read` one level deeper. Below the maximum depth the source is read as text. */
function deeper(reader: Reader, read: () => TexNode): TexNode {
  if (reader.depth >= MAX_DEPTH) {
    const text = rawWords(reader.tokens.slice(reader.at).join(''));
    reader.at = reader.tokens.length;
    return { kind: 'words', text };
  }
  reader.depth += 1;
  const node = read();
  reader.depth -= 1;
  return node;
}

function takeGroup(reader: Reader): TexNode {
  reader.at += 1;
  const node = deeper(reader, () => rowOf(takeRow(reader, GROUP_END)));
  takeIf(reader, '}');
  return node;
}

/** One argument: a group, or one sign. */
function takeArgument(reader: Reader): TexNode {
  skipBlanks(reader);
  const token = reader.tokens[reader.at];
  if (token === undefined) return rowOf([]);
  if (token === '{') return takeGroup(reader);
  if (isDigit(token)) {
    reader.at += 1;
    return { kind: 'number', text: token };
  }
  if (isCyrillic(token)) {
    reader.at += 1;
    return { kind: 'words', text: token };
  }
  return deeper(reader, () => takeOne(reader) ?? rowOf([]));
}

function takeOption(reader: Reader): TexNode | null {
  if (!takeIf(reader, '[')) return null;
  const node = deeper(reader, () => rowOf(takeRow(reader, OPTION_END)));
  takeIf(reader, ']');
  return node;
}

function takeDelimiter(reader: Reader): string {
  skipBlanks(reader);
  const token = reader.tokens[reader.at++] ?? '';
  if (token === '.') return '';
  if (!token.startsWith('\\')) return token;
  const name = token.slice(1);
  return DELIMITERS[name] ?? ESCAPED[name] ?? name;
}

function takeFence(reader: Reader): TexNode {
  const open = takeDelimiter(reader);
  let items: readonly TexNode[] = [];
  const node = deeper(reader, () => {
    items = takeRow(reader, RIGHT);
    return rowOf([]);
  });
  const rest = node.kind === 'words' ? [node] : items;
  const close = takeIf(reader, '\\right') ? takeDelimiter(reader) : '';
  return { kind: 'brackets', open, close, items: rest };
}

function takeTable(reader: Reader): TexNode {
  const environment = takeRaw(reader).replace('*', '');
  if (/array|alignat|alignedat|tabular/.test(environment)) {
    takeOption(reader);
    takeRaw(reader);
  }
  const rows: TexNode[][] = [[]];
  const cells = () => {
    while (reader.at < reader.tokens.length) {
      rows.at(-1)?.push(rowOf(takeRow(reader, CELL_END)));
      const end = reader.tokens[reader.at++];
      if (end === '\\end' || end === undefined) break;
      if (end !== '&') {
        takeOption(reader);
        rows.push([]);
      }
    }
    return rowOf([]);
  };
  const node = deeper(reader, cells);
  if (node.kind === 'words') return node;
  takeRaw(reader);
  const isEmpty = (row: readonly TexNode[]) =>
    row.every((cell) => cell.kind === 'row' && cell.items.length === 0);
  while (rows.length > 1 && isEmpty(rows.at(-1) ?? []) && (rows.at(-1)?.length ?? 0) < 2)
    rows.pop();
  return { kind: 'table', environment, rows };
}

/** A font that joins its letters to a word. */
function takeUpright(reader: Reader, name: string): TexNode {
  const start = reader.at;
  const raw = takeRaw(reader);
  if (/^[\p{L}\s/.~-]*$/u.test(raw) && rawWords(raw).length > 1)
    return { kind: 'words', text: rawWords(raw) };
  reader.at = start;
  return { kind: 'font', name, body: takeArgument(reader) };
}

function takeStack(reader: Reader, name: string): TexNode {
  const mark = takeArgument(reader);
  const base = takeArgument(reader);
  return name === 'underset'
    ? { kind: 'stack', base, above: null, below: mark }
    : { kind: 'stack', base, above: mark, below: null };
}

function takeRoot(reader: Reader): TexNode {
  const degree = takeOption(reader);
  return { kind: 'root', degree, body: takeArgument(reader) };
}

function takeLayout(reader: Reader, count: number): null {
  for (let index = 0; index < count; index += 1) takeRaw(reader);
  return null;
}

function takeCommand(reader: Reader, token: string): TexNode | null {
  const name = token.slice(1);
  if (!/^[a-z]/i.test(name)) {
    if (name === '\\') return { kind: 'sign', name: 'newline' };
    if (SPACES.has(name) || /^\s$/.test(name)) return null;
    return { kind: 'char', text: ESCAPED[name] ?? name };
  }
  if (TEXTS.has(name)) return { kind: 'words', text: rawWords(takeRaw(reader)) };
  if (name === 'operatorname' || name === 'operatorname*')
    return { kind: 'sign', name: rawWords(takeRaw(reader)) };
  if (FRACTIONS.has(name))
    return { kind: 'fraction', top: takeArgument(reader), bottom: takeArgument(reader) };
  if (BINOMIALS.has(name))
    return { kind: 'binomial', top: takeArgument(reader), bottom: takeArgument(reader) };
  if (name === 'sqrt') return takeRoot(reader);
  if (name === 'left') return takeFence(reader);
  if (name === 'begin') return takeTable(reader);
  if (name === 'mathrm') return takeUpright(reader, name);
  if (ACCENTS.has(name)) return { kind: 'accent', name, body: takeArgument(reader) };
  if (FONTS.has(name)) return { kind: 'font', name, body: takeArgument(reader) };
  if (STACKS.has(name)) return takeStack(reader, name);
  if (ARROWS.has(name)) {
    const below = takeOption(reader);
    return { kind: 'stack', base: { kind: 'sign', name }, above: takeArgument(reader), below };
  }
  if (name === 'not') return { kind: 'not', body: takeArgument(reader) };
  if (name === 'tag') return { kind: 'words', text: `номер ${rawWords(takeRaw(reader))}` };
  const hidden = COLOURS.get(name);
  if (hidden !== undefined) {
    takeLayout(reader, hidden);
    return takeArgument(reader);
  }
  const skipped = LAYOUT.get(name);
  if (skipped !== undefined) return takeLayout(reader, skipped);
  const delimiter = DELIMITERS[name];
  return delimiter === undefined
    ? { kind: 'sign', name: name.replace('*', '') }
    : { kind: 'char', text: delimiter };
}

/** The rest of a number after its first digit: «3{,}5», «3,5», «10\,000». A list such as «1,2,3» is no decimal. */
function takeNumber(reader: Reader): TexNode {
  const { tokens } = reader;
  let text = '';
  const digits = () => {
    while (isDigit(tokens[reader.at])) text += tokens[reader.at++];
  };
  digits();
  const at = (ahead: number) => tokens[reader.at + ahead];
  while (at(0) === '\\,' && isDigit(at(1)) && isDigit(at(2)) && isDigit(at(3))) {
    reader.at += 1;
    digits();
  }
  const isBraced = at(0) === '{' && (at(1) === ',' || at(1) === '.') && at(2) === '}';
  if (isBraced && isDigit(at(3))) {
    text += ',';
    reader.at += 3;
    digits();
  } else if ((at(0) === ',' || at(0) === '.') && isDigit(at(1))) {
    let end = 1;
    while (isDigit(at(end))) end += 1;
    const isList = at(end) === ',' && isDigit(at(end + 1));
    if (!isList) {
      text += ',';
      reader.at += 1;
      digits();
    } else {
      const list: string[] = [text];
      while (at(0) === ',' && isDigit(at(1))) {
        reader.at += 1;
        text = '';
        digits();
        list.push(text);
      }
      return { kind: 'words', text: list.join(', ') };
    }
  }
  return { kind: 'number', text };
}

function takeOne(reader: Reader): TexNode | null {
  const token = reader.tokens[reader.at];
  if (token === undefined) return null;
  if (token === '{') return takeGroup(reader);
  if (isDigit(token)) return takeNumber(reader);
  reader.at += 1;
  if (isBlank(token) || token === '~' || token === '}' || token === '&') return null;
  if (token.startsWith('\\')) return takeCommand(reader, token);
  if (!isCyrillic(token)) return { kind: 'char', text: token };
  let text = token;
  while (isCyrillic(reader.tokens[reader.at])) text += reader.tokens[reader.at++];
  return { kind: 'words', text };
}

/** A script or a prime belongs to the item before it. */
function takeScript(reader: Reader, items: TexNode[]): void {
  const mark = reader.tokens[reader.at++];
  const before = items.pop() ?? rowOf([]);
  const { base, sub, sup, primes }: TexScripts =
    before.kind === 'scripts'
      ? before
      : { kind: 'scripts', base: before, sub: null, sup: null, primes: 0 };
  if (mark === "'" || mark === '’' || mark === '′')
    items.push({ kind: 'scripts', base, sub, sup, primes: primes + 1 });
  else if (mark === '_') {
    const added = takeArgument(reader);
    items.push(
      sub === null
        ? { kind: 'scripts', base, sub: added, sup, primes }
        : { kind: 'scripts', base: before, sub: added, sup: null, primes: 0 },
    );
  } else {
    const added = takeArgument(reader);
    items.push(
      sup === null
        ? { kind: 'scripts', base, sub, sup: added, primes }
        : { kind: 'scripts', base: before, sub: null, sup: added, primes: 0 },
    );
  }
}

const SCRIPT_MARKS = new Set(['^', '_', "'", '’', '′']);

function takeRow(reader: Reader, stops: ReadonlySet<string>): readonly TexNode[] {
  const items: TexNode[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || stops.has(token)) break;
    if (SCRIPT_MARKS.has(token)) {
      takeScript(reader, items);
    } else if (token === '\\over' || token === '\\choose' || token === '\\atop') {
      reader.at += 1;
      const kind = token === '\\over' ? 'fraction' : 'binomial';
      const bottom = deeper(reader, () => rowOf(takeRow(reader, stops)));
      return [{ kind, top: rowOf(pairBrackets(items)), bottom }];
    } else {
      const node = takeOne(reader);
      if (node) items.push(node);
    }
  }
  return pairBrackets(items);
}

const signOf = (node: TexNode): string =>
  node.kind === 'char' ? node.text : node.kind === 'scripts' ? signOf(node.base) : '';

/** Joins the items between two brackets; an index or a power of the second bracket belongs to both. */
function pairBrackets(row: readonly TexNode[]): readonly TexNode[] {
  let items: TexNode[] = [];
  const outer: { open: string; before: TexNode[] }[] = [];
  let bars = row.filter((node) => BARS.includes(signOf(node) || ' ')).length;
  const dissolve = () => {
    const top = outer.pop();
    if (top) items = [...top.before, { kind: 'char', text: top.open }, ...items];
  };
  const close = (node: TexNode, sign: string) => {
    const top = outer.pop();
    if (!top) return;
    const pair: TexBrackets = { kind: 'brackets', open: top.open, close: sign, items };
    items = [...top.before, node.kind === 'scripts' ? { ...node, base: pair } : pair];
  };
  for (const node of row) {
    const sign = signOf(node);
    const isBar = sign !== '' && BARS.includes(sign);
    if (isBar) bars -= 1;
    const isInBar = isBar && outer.at(-1)?.open === sign;
    if (isInBar) close(node, sign);
    else if ((isBar && bars > 0) || (node.kind === 'char' && OPENING.includes(sign))) {
      outer.push({ open: sign, before: items });
      items = [];
    } else if (sign !== '' && CLOSING.includes(sign)) {
      while (outer.length > 0 && BARS.includes(outer.at(-1)?.open ?? '')) dissolve();
      if (outer.length > 0) close(node, sign);
      else items.push(node);
    } else items.push(node);
  }
  while (outer.length > 0) dissolve();
  return items;
}

/** Reads TeX into a tree. Never throws: an unknown command is passed on by its name. */
export function parseTex(source: string): readonly TexNode[] {
  const tokens = source.match(TOKEN) ?? [];
  return takeRow({ tokens, at: 0, depth: 0 }, NO_STOPS);
}
