import { Marked } from 'marked';
import { liftMath, MARK } from '#domain/format-math.ts';
import { fragmentText, tag, type Written } from '#interchange/xml-writer.ts';
import { classes, parseHtml, property, type HtmlElement, type HtmlNode } from './tree.ts';

export type XhtmlPiece = Written | string;

/** A format's choices between several forms in HTML. */
export interface Dialect {
  /** URL of a picture by its key; null: there is none, and its description is used instead. */
  readonly picture: (key: string) => string | null;
  /** URL of a recording; absent or null: its description is used instead. */
  readonly recording?: (key: string) => string | null;
  /** A formula in the format's syntax. */
  readonly formula: (tex: string, display: boolean) => readonly XhtmlPiece[];
  /** QTI has no attributes for a column’s alignment and a list’s start, nor a tag for struck-out text. */
  readonly isQti: boolean;
}

export interface XhtmlShape {
  readonly inline: boolean;
}

const escape = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const FILE = /^(audio-)?file:([\w./-]{1,200})$/;

/** Reads Markdown as the app does. A typed tag is text, but text beside it in the line is still Markdown. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    image: ({ href, text }) => {
      const [, recording, key] = FILE.exec(href) ?? [];
      if (!key) return escape(text);
      if (recording) return `<audio src="${escape(key)}" title="${escape(text)}"></audio>`;
      return `<img src="${escape(key)}" alt="${escape(text)}">`;
    },
    checkbox: () => '',
  },
});

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  ol: ['start'],
  th: ['align'],
  td: ['align'],
};
const TYPES: Readonly<Record<string, string>> = { mp3: 'mpeg', m4a: 'mp4', wav: 'wav' };
const TAGS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td a img audio'.split(
    ' ',
  ),
);

/** Characters that begin a formula in other systems, each escaped. */
const SEEMS_FORMULA = /\$|\\(?=[([$])/g;

function words(text: string): XhtmlPiece[] {
  const pieces: XhtmlPiece[] = [];
  let from = 0;
  for (const found of text.matchAll(SEEMS_FORMULA)) {
    pieces.push(text.slice(from, found.index), tag('span', { class: 'tex2jax_ignore' }, found[0]));
    from = found.index + 1;
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '');
}

function restyled(node: {
  name: string;
  attributes: Record<string, string>;
  children: XhtmlPiece[];
}): XhtmlPiece {
  const { name, attributes, children } = node;
  if (name === 'del') return tag('span', { class: 'del' }, ...children);
  const { align, start, ...rest } = attributes;
  const kind = align ? `qti-align-${align}` : start ? `start-${start}` : undefined;
  return tag(name, { ...rest, ...(kind ? { class: kind } : {}) }, ...children);
}

/**
 * Converts Markdown to well-formed XHTML, parsed as in the app. `dialect` decides about formulas and pictures; tags
 * typed by hand are text.
 */
export function markdownToXhtml(
  markdown: string,
  dialect: Dialect,
  { inline }: XhtmlShape,
): readonly XhtmlPiece[] {
  const { text, formulas } = liftMath(markdown);
  const options = { async: false as const };
  const html = inline ? marked.parseInline(text, options) : marked.parse(text, options);
  const root = parseHtml(html);
  if (!root) return words(markdown);

  const lifted = (value: string, isTyped: boolean): XhtmlPiece[] =>
    value.split(MARK).flatMap((part, index): readonly XhtmlPiece[] => {
      if (index % 2 === 0) return isTyped ? (part === '' ? [] : [part]) : words(part);
      const formula = formulas[Number(part)];
      return formula ? dialect.formula(formula.tex, formula.display) : [];
    });

  const one = (node: HtmlNode, isTyped: boolean): XhtmlPiece[] => {
    if (node.type === 'text') return lifted(node.value, isTyped);
    if (node.type !== 'element') return [];
    const name = node.tagName;
    const children = node.children.flatMap((child) =>
      one(child, isTyped || name === 'code' || name === 'pre'),
    );
    if (!TAGS.has(name)) return children;
    if (name === 'img') {
      const alt = described(node, 'alt');
      const src = dialect.picture(property(node, 'src'));
      return src === null ? words(alt) : [tag('img', { src, alt })];
    }
    if (name === 'audio') return player(node);
    const attributes: Record<string, string> = {};
    for (const attribute of ATTRIBUTES[name] ?? []) {
      const value = property(node, attribute);
      if (value !== '') attributes[attribute] = value;
    }
    if (name === 'a' && !/^(?:https?|mailto):/i.test(attributes['href'] ?? '')) return children;
    const language = classes(node).find((kind) => kind.startsWith('language-'));
    if (name === 'code' && language) attributes['class'] = language;
    if (dialect.isQti) return [restyled({ name, attributes, children })];
    return [tag(name, attributes, ...children)];
  };

  const described = (node: HtmlElement, attribute: string) =>
    property(node, attribute).replaceAll(MARK, (_, index) => formulas[Number(index)]?.tex ?? '');

  const player = (node: HtmlElement): XhtmlPiece[] => {
    const title = described(node, 'title');
    const src = dialect.recording?.(property(node, 'src')) ?? null;
    if (src === null) return words(title === '' ? '(запись)' : `(запись: ${title})`);
    const type = `audio/${TYPES[src.slice(-3)] ?? 'mpeg'}`;
    // Never empty: a browser does not accept `<audio/>` as its end.
    const fallback = title || '\u00a0';
    if (dialect.isQti) return [tag('object', { type, data: src }, fallback)];
    return [tag('audio', { controls: 'controls', src, title }, fallback)];
  };

  const isBreak = (node: HtmlNode) => node.type === 'text' && node.value.trim() === '' && !inline;
  return root.children.filter((node) => !isBreak(node)).flatMap((node) => one(node, false));
}

/** Formulas in MathJax delimiters. */
export const texInText = (tex: string, display: boolean): readonly XhtmlPiece[] => [
  display ? `\\[${tex}\\]` : `\\(${tex}\\)`,
];

const AS_SHOWN: Dialect = {
  picture: (key) => key,
  recording: (key) => key,
  formula: texInText,
  isQti: false,
};

/** Elements at which white space is never visible. */
const BLOCK_EDGE =
  /[ \u00a0]*(<\/?(?:br|p|h\d|li|ul|ol|pre|hr|blockquote|table|thead|tbody|tr|td|th)\b[^>]*>)[ \u00a0]*/g;

/** The appearance of a text: two texts with the same appearance are equal, however they are marked up. */
export const lookOf = (markdown: string, shape: XhtmlShape): string =>
  fragmentText(markdownToXhtml(markdown, AS_SHOWN, shape))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(BLOCK_EDGE, '$1')
    .trim();

const BLOCKS = /^(?:br|p|h\d|li|pre|hr|tr|td|th)$/;

/** The plain text, on one line; formulas in the given form. */
export function plainXhtml(
  markdown: string,
  formula: Dialect['formula'] = (tex) => [tex],
  shape: XhtmlShape = { inline: false },
): string {
  const pieces = markdownToXhtml(markdown, { picture: () => null, formula, isQti: false }, shape);
  const text = (piece: XhtmlPiece): string => {
    if (typeof piece === 'string') return piece;
    const inside = piece.children.map(text).join('');
    return BLOCKS.test(piece.name) ? `${inside} ` : inside;
  };
  return pieces.map(text).join('').replaceAll(/\s+/g, ' ').trim();
}
