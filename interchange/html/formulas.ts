import { MathMLToLaTeX } from 'mathml-to-latex';
import { SUBSCRIPTS, SUPERSCRIPTS } from '#domain/raised.ts';
import { fragmentText } from '#interchange/xml-writer.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';
import { innerText, property, writtenTree } from './tree.ts';

/** A piece of a text: plain text, or a formula in TeX. */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'formula'; readonly tex: string; readonly display: boolean };

const MARKS = [
  { open: '\\(', close: '\\)', display: false },
  { open: '\\[', close: '\\]', display: true },
  { open: '$$', close: '$$', display: true },
  { open: '[tex]', close: '[/tex]', display: false },
] as const;

/** A formula in single dollars by the app's rule: no space inside its ends, no digit after, one line. */
function dollarEnd(text: string, at: number, lineEnd: string): number {
  if (/\s/.test(text[at + 1] ?? ' ')) return -1;
  for (let end = at + 1; end < text.length; end += 1) {
    const sign = text[end];
    if (sign === '\n' || sign === lineEnd) return -1;
    if (sign === '\\') end += 1;
    else if (sign === '$')
      return end > at + 1 && !/\s/.test(text[end - 1] ?? '') && !/\d/.test(text[end + 1] ?? '')
        ? end
        : -1;
  }
  return -1;
}

const BEGIN = /\\begin\{((?:equation|align|gather|eqnarray|multline)\*?)\}/y;

/**
 * The length of a displayed environment of TeX that begins at a position; null: there is none.
 * @param ended environments known to have no further end, so that they are not searched again
 */
function environmentAt(text: string, at: number, ended: Set<string>): number | null {
  BEGIN.lastIndex = at;
  const name = BEGIN.exec(text)?.[1];
  if (name === undefined || ended.has(name)) return null;
  const close = `\\end{${name}}`;
  const end = text.indexOf(close, at);
  if (end < 0) ended.add(name);
  return end < 0 ? null : end + close.length - at;
}

/**
 * Finds `\(…\)`, `\[…\]`, `$$…$$` and `$…$` in plain text, in linear time.
 * @param lineEnd a character that ends a line, like `\n`
 */
export function splitFormulas(text: string, lineEnd = '\n'): readonly TextPiece[] {
  if (!/[\\$]|\[tex\]/.test(text)) return [{ kind: 'text', text }];
  const pieces: TextPiece[] = [];
  const ended = new Set<string>();
  let from = 0;
  const found = (start: number, end: number, next: number, tex: string, display: boolean) => {
    if (start > from) pieces.push({ kind: 'text', text: text.slice(from, start) });
    if (end > 0 && tex.trim() !== '') pieces.push({ kind: 'formula', tex: tex.trim(), display });
    from = next;
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign !== '\\' && sign !== '$' && sign !== '[') continue;
    const environment = sign === '\\' ? environmentAt(text, at, ended) : null;
    if (environment !== null) {
      found(at, at + environment, at + environment, text.slice(at, at + environment), true);
      at += environment - 1;
      continue;
    }
    const mark = MARKS.find(({ open }) => !ended.has(open) && text.startsWith(open, at));
    const begin = at + (mark?.open.length ?? 0);
    const close = mark ? text.indexOf(mark.close, begin) : -1;
    if (mark && close > begin) {
      const next = close + mark.close.length;
      found(at, close, next, text.slice(begin, close), mark.display);
      at = next - 1;
      continue;
    }
    if (mark) ended.add(mark.open);
    const end = sign === '$' ? dollarEnd(text, at, lineEnd) : -1;
    if (end > 0) {
      found(at, end, end + 1, text.slice(at + 1, end), false);
      at = end;
    } else if (sign === '\\' && text[at + 1] === '$') at += 1;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

function annotated(node: HtmlNode): string | null {
  if (node.type !== 'element') return null;
  if (node.tagName === 'annotation' && /tex/i.test(property(node, 'encoding')))
    return innerText(node);
  for (const child of node.children) {
    const tex = annotated(child);
    if (tex !== null) return tex;
  }
  return null;
}

const DELIMITED = /^(?:\$\$([\s\S]+)\$\$|\$([\s\S]+)\$|\\\(([\s\S]+)\\\)|\\\[([\s\S]+)\\\])$/;

/** TeX without the delimiters that some systems leave in attributes and annotations. */
function withoutDelimiters(tex: string): string {
  const trimmed = tex.trim();
  const [, ...inside] = DELIMITED.exec(trimmed) ?? [];
  return (inside.find((one) => one !== undefined) ?? trimmed).trim();
}

/** Writes an empty fence, as on one side of a system, as a point for TeX. */
function withFences(node: HtmlElement): HtmlElement {
  const fence = (name: string) =>
    node.tagName === 'mfenced' && node.properties[name] === '' ? { [name]: '.' } : {};
  return {
    ...node,
    properties: { ...node.properties, ...fence('open'), ...fence('close') },
    children: node.children.map((child) => (child.type === 'element' ? withFences(child) : child)),
  };
}

/** MathML as TeX: its own annotation if it has one, else a translation; null if neither is possible. */
export function texOfMathml(math: HtmlElement): string | null {
  const own = withoutDelimiters(annotated(math) ?? '');
  if (own) return own;
  try {
    const tex = MathMLToLaTeX.convert(fragmentText([writtenTree(withFences(math))])).trim();
    return tex || null;
  } catch {
    return null;
  }
}

/** A formula that another system drew as a picture: the TeX in its attributes. */
export function texOfPicture(image: HtmlElement, kinds: readonly string[]): string | null {
  const isFormula =
    kinds.includes('texrender') ||
    kinds.includes('equation_image') ||
    // Wikipedia's.
    kinds.some((kind) => kind.startsWith('mwe-math-fallback-image')) ||
    /\/filter\/(?:tex|algebra)\/|\/equation_images\//.test(property(image, 'src'));
  if (!isFormula) return null;
  const tex = property(image, 'dataEquationContent') || property(image, 'alt');
  return withoutDelimiters(tex.replace(/^\s*LaTeX:\s*/i, '').replace(/^\$+|\$+$/g, '')) || null;
}

/** A subscript or superscript: in Unicode characters where they exist (H₂O, x²), else as a formula. */
export function shifted(text: string, place: 'sub' | 'sup'): TextPiece {
  const signs = place === 'sup' ? SUPERSCRIPTS : SUBSCRIPTS;
  const letters = Array.from(text.trim().replaceAll('−', '-'));
  if (letters.every((letter) => signs.has(letter)))
    return { kind: 'text', text: letters.map((letter) => signs.get(letter)).join('') };
  const tex = text
    .trim()
    .replaceAll(/[\\{}$&#^_~%]/g, (sign) => ('{}$&#_%'.includes(sign) ? `\\${sign}` : ' '));
  return {
    kind: 'formula',
    tex: `${place === 'sup' ? '^' : '_'}{\\text{${tex}}}`,
    display: false,
  };
}

/** Whether TeX can be between dollars: it has no unescaped one. */
export function isTeXLine(tex: string, display: boolean): boolean {
  if (display) return !tex.includes('$$') && !tex.endsWith('$');
  return !/(?:^|[^\\])(?:\\\\)*\$/.test(tex) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(tex);
}
