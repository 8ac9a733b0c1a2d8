import type { LinePiece } from '#interchange/marked/line.ts';
import { convertEqField, LEVEL_END, LOWERED, RAISED } from './eq-field.ts';

interface OpenField {
  code: string;
  isCode: boolean;
  /** A picture or a formula inside of the code. */
  hasObject: boolean;
  hasResult: boolean;
}

/** Fields that mark a place or compute something, and are invisible. */
const SILENT = new Set('XE TC TA RD SET ASK NEXT NEXTIF SKIPIF PRIVATE PRINT ADVANCE'.split(' '));
const REPORTED_CHARACTERS = 60;

const words = (text: string): LinePiece => ({ kind: 'words', text, styles: new Set() });

/** The character of a SYMBOL field; null: it belongs to a font of pictures or special letters. */
function symbolOf(code: string): string | null {
  const [, number = ''] = /^\s*SYMBOL\s+(0x[\da-f]+|\d+)/i.exec(code) ?? [];
  const font = /\\f\s+"?([^"\\]+)/i.exec(code)?.[1] ?? '';
  const point = Number(number);
  const isSpecial = /symbol|dings|mt extra/i.test(font);
  if (number === '' || isSpecial || point < 32 || point > 0xffff) return null;
  return String.fromCodePoint(point);
}

/**
 * The fields of a document. An EQ becomes a formula; of other fields the shown text is imported, or they are reported.
 */
export class WordFields {
  private readonly open: OpenField[] = [];
  private readonly listSeparator: string | null;
  private readonly loss: (line: string) => void;

  constructor(listSeparator: string | null, loss: (line: string) => void) {
    this.listSeparator = listSeparator;
    this.loss = loss;
  }

  begin(code = ''): void {
    this.open.push({ code, isCode: true, hasObject: false, hasResult: false });
  }

  separate(): void {
    const field = this.open.at(-1);
    if (field) field.isCode = false;
  }

  addCode(text: string, level: string): void {
    const marked =
      level === 'superscript' || level === 'subscript'
        ? `${level === 'superscript' ? RAISED : LOWERED}${text}${LEVEL_END}`
        : text;
    const field = this.open.at(-1);
    if (field?.isCode) field.code += marked;
    else this.loss(`Поле Word не перенесено: «${text.trim().slice(0, REPORTED_CHARACTERS)}»`);
  }

  /** The visible ones of these pieces: nothing within a code or the result of an EQ. */
  route(pieces: readonly LinePiece[]): LinePiece[] {
    for (const field of [...this.open].reverse()) {
      if (!field.isCode) {
        field.hasResult ||= pieces.some(({ text }) => text.trim() !== '');
        if (nameOf(field) === 'EQ') return [];
        continue;
      }
      for (const { kind, text } of pieces) {
        if (kind === 'words') field.code += text;
        else field.hasObject = true;
      }
      return [];
    }
    return [...pieces];
  }

  /** Ends the innermost field; returns its visible replacement. */
  end(): LinePiece[] {
    const field = this.open.pop();
    return field ? this.route(this.shown(field)) : [];
  }

  /** Called at the end of a paragraph: a field code that continues there was typed by nobody. */
  endCodes(): LinePiece[] {
    const ended: LinePiece[] = [];
    while (this.open.at(-1)?.isCode) ended.push(...this.end());
    return ended;
  }

  private shown(field: OpenField): LinePiece[] {
    const name = nameOf(field);
    const code = field.code.replaceAll(new RegExp(`[${RAISED}${LOWERED}${LEVEL_END}]`, 'g'), '');
    const named = code.trim().slice(0, REPORTED_CHARACTERS);
    if (name === 'EQ') {
      const own = field.code.trim().slice('EQ'.length);
      const tex = field.hasObject ? null : convertEqField(own, this.listSeparator);
      if (tex !== null) return [{ kind: 'markdown', text: `$${tex}$` }];
      this.loss(`Формула (поле EQ) не перенесена: «${named}»`);
      return [words(code.trim().slice('EQ'.length).trim())];
    }
    if (name === 'SYMBOL' && !field.hasResult) {
      const symbol = symbolOf(code);
      if (symbol !== null) return [words(symbol)];
    }
    if (!field.hasResult && !SILENT.has(name)) this.loss(`Поле Word не перенесено: «${named}»`);
    return [];
  }
}

const nameOf = ({ code }: OpenField): string =>
  /^\s*([a-z=]+)/i.exec(code)?.[1]?.toUpperCase() ?? '';
