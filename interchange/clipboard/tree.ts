import {
  innerText,
  property,
  type HtmlElement,
  type HtmlNode,
  type HtmlRoot,
} from '#interchange/html/tree.ts';
import { withWordLists } from './word.ts';

type Child = HtmlElement['children'][number];

/** Browsers write the computed style of everything that is copied. Only these styles are intended. */
const MEANT =
  /^(?:vertical-align|font-style|font-weight|display|mso-list|text-align|text-decoration(?:-line)?)$/;
const PREFORMATTED = /(?:^|;)\s*white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)/i;
const NORMAL = /(?:^|;)\s*white-space(?:-collapse)?\s*:\s*(?:normal|nowrap|collapse)/i;

function meantStyle(style: string, isPlain: boolean): string {
  return style
    .split(';')
    .flatMap((declaration) => {
      const [name = '', value = ''] = declaration.split(/:(.*)/s).map((part) => part.trim());
      if (!MEANT.test(name.toLowerCase()) || (isPlain && name.startsWith('font'))) return [];
      if (!name.startsWith('text-decoration')) return [`${name}:${value}`];
      return /underline/i.test(value) ? [`text-decoration:${value}`] : [];
    })
    .join(';');
}

const UNMARKED = /(?:^|;)\s*(?:font-weight\s*:\s*(?:normal|[1-4]00)|font-style\s*:\s*normal)/i;

const rowsOf = (node: HtmlElement): HtmlElement[] =>
  node.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    if (child.tagName === 'tr') return [child];
    return /^t(?:head|body|foot)$/.test(child.tagName) ? rowsOf(child) : [];
  });

const cellsOf = (row: HtmlElement): HtmlElement[] =>
  row.children.filter(
    (child): child is HtmlElement =>
      child.type === 'element' && (child.tagName === 'td' || child.tagName === 'th'),
  );

/** Unwraps a table of one column, which is only a frame around its rows. */
function framed(table: HtmlElement): HtmlElement[] | null {
  const rows = rowsOf(table).map(cellsOf);
  if (rows.length === 0 || rows.some((cells) => cells.length > 1)) return null;
  return rows.flat().map((cell) => ({ ...cell, tagName: 'div', properties: {} }));
}

const LOOKS = /^(?:b|strong|i|em|u|s|del|strike|code|tt|kbd|h[1-6])$/;
const INLINE = /^(?:b|strong|i|em|u|s|del|strike|span)$/;

/** Emphasis around a blank would need character references. */
function withoutOuterSpaces(node: HtmlElement): Child[] {
  const children = [...node.children];
  const [first, last] = [children[0], children.at(-1)];
  let before = '';
  let after = '';
  if (first?.type === 'text') {
    before = /^\s*/.exec(first.value)?.[0] ?? '';
    children[0] = { ...first, value: first.value.slice(before.length) };
  }
  const end = children.at(-1);
  if (last?.type === 'text' && end?.type === 'text') {
    after = /\s*$/.exec(end.value)?.[0] ?? '';
    children[children.length - 1] = {
      ...end,
      value: end.value.slice(0, end.value.length - after.length),
    };
  }
  const text = (value: string): Child[] => (value === '' ? [] : [{ type: 'text', value }]);
  return [...text(before), { ...node, children }, ...text(after)];
}

const broken = (value: string): Child[] =>
  value
    .replaceAll('\r\n', '\n')
    .split('\n')
    .flatMap((line, index): Child[] => [
      ...(index === 0
        ? []
        : [{ type: 'element' as const, tagName: 'br', properties: {}, children: [] }]),
      { type: 'text', value: line },
    ]);

/** Replaces a bar in plain text, which belongs to no table. */
export const PLAIN_BAR = '\ue120';

/** The tree of a clipboard without the additions that browsers and office programs make to every copy. */
export function cleanedTree(
  root: HtmlRoot,
  { loss, isPlain }: { loss: (line: string) => void; isPlain: boolean },
): HtmlRoot {
  const clean = (node: Child, isPreformatted: boolean): Child[] => {
    if (node.type === 'text') {
      const value = isPlain ? node.value.replaceAll('|', PLAIN_BAR) : node.value;
      return isPreformatted ? broken(value) : [{ type: 'text', value }];
    }
    if (node.type !== 'element') return [];
    // The spoken text that our own pages have beside a formula.
    if ('dataSpoken' in node.properties || 'data-spoken' in node.properties) return [];
    if (node.tagName === 'span' && innerText(node) === '\u00a0')
      return [{ type: 'text', value: ' ' }];
    const style = property(node, 'style');
    const isPre =
      node.tagName !== 'pre' &&
      (PREFORMATTED.test(style) || (isPreformatted && !NORMAL.test(style)));
    const children = below(node.children, isPre);
    const ownStyle = meantStyle(style, isPlain);
    const { style: _, ...others } = node.properties;
    const properties = ownStyle === '' ? others : { ...others, style: ownStyle };
    const isUnmarked = /^(?:b|strong|i|em)$/.test(node.tagName) && UNMARKED.test(style);
    // Google Docs wraps every copy into a bold element that is not bold.
    const isLook = isPlain && LOOKS.test(node.tagName);
    if (isUnmarked || isLook || node.tagName === 'font') return children;
    if (node.tagName === 'a') {
      if (property(node, 'href') !== '' && innerText(node).trim() !== '')
        loss('Ссылки не вставлены: остался их текст');
      return children;
    }
    const made: HtmlElement = { ...node, properties, children };
    if (INLINE.test(node.tagName)) return withoutOuterSpaces(made);
    return node.tagName === 'table' ? (framed(made) ?? [made]) : [made];
  };
  const below = (nodes: readonly HtmlNode[], isPreformatted: boolean): Child[] =>
    withWordLists(
      nodes.flatMap((node) => (node.type === 'doctype' ? [] : clean(node, isPreformatted))),
    );
  return { type: 'root', children: below(root.children, false) };
}
