import {
  MAX_HTML_CHARACTERS,
  htmlToMarkdown,
  type ConversionContext,
  type Shape,
} from '#interchange/html/to-markdown.ts';
import { fragmentText, tag, type Written } from '#interchange/xml-writer.ts';
import { elements, textOf, type XmlElement, type XmlNode } from '#interchange/xml.ts';
import { isResponse } from './presentation.ts';

/** A text that is too long for a question. */
export class MaterialTooLong extends Error {
  override readonly name = 'TooLong';
}

export interface TextContext extends ConversionContext {
  /** Stores a picture embedded in the file as base64; returns an address for `picture`. */
  readonly embed: (base64: string) => string;
  /** Marks of gaps, by the fields that they replace. */
  readonly marks?: ReadonlyMap<XmlElement, string> | undefined;
}

interface Piece {
  readonly html: string;
  /** A field for an answer inside the text. */
  readonly isGap: boolean;
}

/** The place of the only answer, shown in the middle of a text. */
const BLANK = '_____';

const escaped = (text: string) => fragmentText([text]);

const TAGS =
  /<\/?(?:p|div|span|br|b|i|u|em|strong|img|su[bp]|[uo]l|li|table|math|h\d|pre|code)\b[^>]*>/i;

/** Text with significant lines and spaces. */
const preHtml = (text: string) =>
  escaped(
    text
      .trimEnd()
      .replace(/^(?:[ \t]*\r?\n)+/, '')
      .replaceAll(/ (?= )/g, '\u00a0'),
  ).replaceAll(/\r?\n/g, '<br>');

/** Plain text: a line broken by the indentation of the XML continues, another one ends. */
const plainHtml = (text: string) =>
  escaped(text.trim().replaceAll(/\r?\n[ \t]{2,}/g, ' ')).replaceAll(/\r?\n/g, '<br>');

const written = (node: XmlNode): Written | string =>
  typeof node === 'string'
    ? node
    : tag(node.name, Object.fromEntries(node.attributes), ...node.children.map(written));

function textHtml(node: XmlElement): string {
  if (elements(node).length > 0) return fragmentText(node.children.map(written));
  const text = textOf(node);
  if (node.name === 'mat_formattedtext') {
    const isPlain = /^plain/i.test(node.attributes.get('type') ?? '');
    return !isPlain && (TAGS.test(text) || /^html$/i.test(node.attributes.get('type') ?? ''))
      ? text
      : plainHtml(text);
  }
  const type = node.attributes.get('texttype')?.toLowerCase();
  // Many exporters write HTML but leave the type out, although its default is plain text.
  const isHtml = type === undefined ? TAGS.test(text) : /html|rtf/.test(type);
  if (isHtml) return text;
  return node.attributes.get('xml:space') === 'preserve' ? preHtml(text) : plainHtml(text);
}

function imageHtml(node: XmlElement, { embed }: TextContext): string {
  const data = textOf(node).trim();
  const uri = node.attributes.get('uri')?.trim() ?? '';
  const isEmbedded = data !== '' && (uri === '' || node.attributes.get('embedded') === 'base64');
  const src = isEmbedded ? embed(data) : uri;
  if (src === '') return '';
  const alt = node.attributes.get('label')?.trim() ?? '';
  return fragmentText([tag('img', { src, alt: isEmbedded ? '' : alt })]);
}

/** Elements in a text that have no counterpart here. */
const ASIDE: Readonly<Record<string, string>> = {
  mataudio: 'Не перенесено: звук',
  matvideo: 'Не перенесено: видео',
  matapplet: 'Не перенесено: вставленный объект',
  matref: 'Не перенесён текст, на который вопрос только ссылается',
  material_ref: 'Не перенесён текст, на который вопрос только ссылается',
};

function pieceHtml(node: XmlElement, context: TextContext): string {
  switch (node.name) {
    case 'mattext':
    case 'mat_formattedtext': {
      const uri = node.attributes.get('uri')?.trim() ?? '';
      if (uri !== '') context.loss(`Ссылка «${uri.slice(0, 60)}» не переносится`);
      return textHtml(node);
    }
    case 'matemtext':
      return `<em>${textHtml(node)}</em>`;
    case 'matimage':
      return imageHtml(node, context);
    case 'matbreak':
      return '<br>';
    case 'matapplication': {
      const file = node.attributes.get('label') ?? node.attributes.get('uri') ?? '';
      if (/\.(?:png|jpe?g|gif|webp|bmp)$/i.test(node.attributes.get('uri') ?? ''))
        return imageHtml(node, context);
      context.loss(`Приложенный файл «${file.slice(0, 80)}» не перенесён`);
      return '';
    }
    default:
      return '';
  }
}

/** The pieces of a text in order: each `material` is one; fields for typed answers are gaps. */
function piecesOf(
  node: XmlElement,
  context: TextContext,
  skipped: ReadonlySet<XmlElement>,
): Piece[] {
  if (skipped.has(node)) return [];
  const aside = Object.hasOwn(ASIDE, node.name) ? ASIDE[node.name] : undefined;
  if (aside !== undefined) {
    context.loss(aside);
    return [];
  }
  if (node.name === 'material') {
    const html = elements(node)
      .flatMap((child) => (child.name === 'mat_extension' ? elements(child) : [child]))
      .filter(({ name }) => {
        const lost = Object.hasOwn(ASIDE, name) ? ASIDE[name] : undefined;
        if (lost !== undefined) context.loss(lost);
        return lost === undefined && name !== 'altmaterial';
      })
      .map((child) => pieceHtml(child, context))
      .filter(Boolean)
      .join(' ');
    return html === '' ? [] : [{ html, isGap: false }];
  }
  if (isResponse(node)) {
    const own = elements(node)
      .filter(({ name }) => name === 'material' || name === 'flow_mat')
      .flatMap((child) => piecesOf(child, context, skipped));
    const isTyped = node.name === 'response_str' || node.name === 'response_num';
    const mark = context.marks?.get(node);
    return mark !== undefined || isTyped ? [...own, { html: mark ?? BLANK, isGap: true }] : own;
  }
  if (node.name === 'response_label' && node.children.length === 0) return [];
  if (node.name === 'hint' || node.name === 'qticomment') return [];
  return elements(node).flatMap((child) => piecesOf(child, context, skipped));
}

/**
 * The text inside some elements as our Markdown; a field with text after it becomes a gap.
 * @throws {MaterialTooLong} longer than any text of a question
 */
export function materialText(
  nodes: readonly XmlElement[],
  context: TextContext,
  shape: Shape,
  skipped: ReadonlySet<XmlElement> = new Set(),
): string {
  const pieces = nodes.flatMap((node) => piecesOf(node, context, skipped));
  const lastText = pieces.map(({ html }) => html !== BLANK).lastIndexOf(true);
  const shown = pieces.slice(0, lastText + 1);
  const isInline = shown.some(({ isGap }) => isGap);
  const html =
    shown.length === 1 || isInline
      ? shown.map((piece) => piece.html).join(' ')
      : shown.map((piece) => `<div>${piece.html}</div>`).join('');
  const lifted = html.replaceAll(
    /data:image\/[\w.+-]{1,20};base64,([\w+/=\s]+)/g,
    (_, data: string) => context.embed(data),
  );
  if (lifted.length > MAX_HTML_CHARACTERS) throw new MaterialTooLong();
  return htmlToMarkdown(lifted, context, shape);
}
