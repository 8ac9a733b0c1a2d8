import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { preparedTree, FORMULA, type ConversionContext } from './prepare.ts';
import { innerText, parseHtml, xmlTree, type HtmlRoot } from './tree.ts';
import { typedTag, withTypedTags } from './typed-tags.ts';
import type { XmlNode } from '#interchange/xml.ts';

export type { ConversionContext } from './prepare.ts';

/** A text shown as one line (an option, a side of a pair), or as blocks. */
export interface Shape {
  readonly inline: boolean;
}

/** Longer HTML cannot be the text of a question, and would be slow to parse. */
export const MAX_HTML_CHARACTERS = 100_000;

const writer = unified()
  .use(rehypeRemark, { document: true, quotes: ['«»', '„“'] })
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '*',
    strong: '*',
    fence: '`',
    fences: true,
    rule: '-',
    listItemIndent: 'one',
    resourceLink: true,
    // A dollar would begin a formula, a backslash escape the character after it.
    unsafe: [{ character: '$' }, { character: '\\' }],
    handlers: {
      // The app breaks a line where the text does.
      break: (_node, _parent, state) =>
        state.stack.some((name) => name === 'tableCell' || name === 'headingAtx') ? ' ' : '\n',
    },
  });

const BLOCK_MESSAGE: Readonly<Record<string, string>> = {
  table: 'Таблица',
  list: 'Список',
  code: 'Код',
  blockquote: 'Цитата',
};

function markdownOf(tree: HtmlRoot, carried: ConversionContext, { inline }: Shape): string {
  const { root, formulas } = preparedTree(tree, carried);
  const text = inline ? oneLine(root, carried) : writer.stringify(writer.runSync(root));
  return text
    .replaceAll(FORMULA, (mark, index, offset, whole) => {
      const tex = formulas[Number(index)] ?? '';
      // A digit after the closing dollar would make it a price.
      return !tex.startsWith('$$') && /\d/.test(whole[offset + mark.length] ?? '')
        ? `${tex}\u200b`
        : tex;
    })
    .trim();
}

function oneLine(root: HtmlRoot, carried: ConversionContext): string {
  const tree = writer.runSync(root);
  const lines = tree.children.map((node) => {
    const word = BLOCK_MESSAGE[node.type];
    if (word) carried.loss(`${word} там, где помещается одна строка, показывается как текст`);
    return writer.stringify({ ...tree, children: [node] }).trim();
  });
  return lines.join('\n');
}

function safely(
  tree: HtmlRoot | null,
  plain: () => string,
  carried: ConversionContext,
  shape: Shape,
): string {
  try {
    if (tree) return markdownOf(tree, carried, shape);
  } catch {
    // Only a malicious tree gets here; its text is still useful.
  }
  carried.loss('Вложенная без меры разметка: остался только текст');
  return plainToMarkdown(plain(), shape);
}

const WIRIS = { open: '«math', close: '«/math»' } as const;

/** MathML in the syntax of Moodle's WIRIS editor, with other characters for its brackets; in linear time. */
function withMathml(html: string): string {
  let made = '';
  let from = 0;
  for (let start = html.indexOf(WIRIS.open); start >= 0; start = html.indexOf(WIRIS.open, from)) {
    const end = html.indexOf(WIRIS.close, start);
    if (end < 0) break;
    const next = end + WIRIS.close.length;
    const math = html
      .slice(start, next)
      .replaceAll('«', '<')
      .replaceAll('»', '>')
      .replaceAll('¨', '"')
      .replaceAll('§', '&');
    made += html.slice(from, start) + math;
    from = next;
  }
  return made + html.slice(from);
}

const LANGUAGE = /\{\s{0,9}mlang(?:\s{1,9}([\w,\s-]{1,99}))?\s{0,9}\}/g;

/**
 * The Russian parts of a text marked `{mlang ru}…{mlang}`, or else those of the first language, with the unmarked
 * parts.
 */
function inOneLanguage(text: string, { loss }: ConversionContext): string {
  if (!text.includes('mlang')) return text;
  // Every second piece lists the languages of the next one; an end mark lists none.
  const pieces = text.split(LANGUAGE);
  const named = pieces.flatMap((piece: string | undefined, index) =>
    index % 2 === 1 && piece !== undefined
      ? [
          piece
            .toLowerCase()
            .split(/[\s,]+/)
            .filter(Boolean),
        ]
      : [],
  );
  if (named.length === 0) return text;
  const all = named.flat();
  const shown = ['ru', 'other'].find((language) => all.includes(language)) ?? all[0] ?? '';
  const isOther = (languages: string | undefined) =>
    languages !== undefined &&
    !languages
      .toLowerCase()
      .split(/[\s,]+/)
      .includes(shown);
  if (named.some((languages) => !languages.includes(shown)))
    loss('Не перенесено: текст на других языках');
  return pieces
    .filter((_, index) => index % 2 === 0 && (index === 0 || !isOther(pieces[index - 1])))
    .join('');
}

/** Converts HTML to our Markdown: formulas between dollars, pictures by key; losses are reported in `carried`. */
export function htmlToMarkdown(given: string, carried: ConversionContext, shape: Shape): string {
  const text = inOneLanguage(given, carried);
  const typed = shape.inline ? typedTag(text, carried.loss) : null;
  if (typed !== null) return plainToMarkdown(typed, shape);
  const html = withTypedTags(text, carried.loss);
  if (!/[<&]/.test(html)) return plainToMarkdown(html.replaceAll(/\s+/g, ' '), shape);
  return safely(
    parseHtml(withMathml(html)),
    () => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    carried,
    shape,
  );
}

/** Converts a tree of HTML to our Markdown. */
export const treeToMarkdown = (tree: HtmlRoot, carried: ConversionContext, shape: Shape): string =>
  safely(tree, () => innerText(tree), carried, shape);

/** Converts XHTML inside XML to our Markdown. */
export function xmlToMarkdown(
  nodes: readonly XmlNode[],
  carried: ConversionContext,
  shape: Shape,
): string {
  const tree = xmlTree(nodes);
  return safely(tree, () => innerText(tree), carried, shape);
}

const NOTHING: ConversionContext = { picture: () => null, loss: () => undefined };

/** Converts plain text to our Markdown: lines and formulas stay, the rest is escaped. */
export function plainToMarkdown(text: string, shape: Shape): string {
  if (
    /^[\p{L}\p{N} ,;:()?%«»"—–-]*$/u.test(text) &&
    !/^\s*(?:-|\d+\))/.test(text) &&
    !/https?:|www/i.test(text)
  )
    return text.trim();
  const children: HtmlRoot['children'] = text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => [
      ...(index === 0
        ? []
        : [{ type: 'element' as const, tagName: 'br', properties: {}, children: [] }]),
      { type: 'text' as const, value: line },
    ]);
  return markdownOf({ type: 'root', children }, NOTHING, shape);
}
