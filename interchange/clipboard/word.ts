import { convertWordFormula } from '#interchange/docx/omml.ts';
import { innerText, property, type HtmlElement } from '#interchange/html/tree.ts';
import { parseXml, type XmlElement, type XmlNode } from '#interchange/xml.ts';

const FORMULA = { open: '<!--[if gte msEquation 12]>', close: '<![endif]-->' } as const;
const FALLBACK = { open: '<![if !msEquation]>', close: '<![endif]>' } as const;

/** Replaces the text between two marks, in linear time. */
function replaceBetween(
  html: string,
  { open, close }: { open: string; close: string },
  replace: (inside: string) => string,
): string {
  let made = '';
  let from = 0;
  for (let start = html.indexOf(open); start >= 0; start = html.indexOf(open, from)) {
    const end = html.indexOf(close, start + open.length);
    if (end < 0) break;
    made += html.slice(from, start) + replace(html.slice(start + open.length, end));
    from = end + close.length;
  }
  return made + html.slice(from);
}

/** On the clipboard, letters are directly in their run. Wraps them as in a document. */
function asInDocument(node: XmlElement): XmlElement {
  const children = node.children.map((child): XmlNode =>
    typeof child === 'string' ? child : asInDocument(child),
  );
  if (node.name !== 'r') return { ...node, children };
  return {
    ...node,
    children: children.map((child) =>
      typeof child === 'string'
        ? { ...node, name: 't', attributes: new Map(), children: [child] }
        : child,
    ),
  };
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function formulaOf(html: string, loss: (line: string) => void): string {
  // Elements between those of a formula only describe its look.
  const xml = html.replaceAll(/<(?!\/?m:)[^>]*>/g, '').replaceAll(/&nbsp;/g, '\u00a0');
  try {
    const root = asInDocument(parseXml(`<root xmlns:m="m">${xml}</root>`));
    const tex = convertWordFormula(root, loss);
    if (tex !== null) return `<tex>${escape(tex)}</tex>`;
  } catch {
    // Not XML: only its letters remain.
  }
  const text = xml.replaceAll(/<[^>]*>/g, '').trim();
  loss(`Формула не вставлена: остались её знаки «${text.slice(0, 60)}»`);
  return text;
}

/** Replaces the pictures of formulas on Word's clipboard with TeX, which it has in comments. */
export function withWordFormulas(html: string, loss: (line: string) => void): string {
  if (!html.includes(FORMULA.open)) return html;
  const converted = replaceBetween(html, FORMULA, (omml) => formulaOf(omml, loss));
  return replaceBetween(converted, FALLBACK, () => '');
}

type Child = HtmlElement['children'][number];

const levelOf = (node: Child): number | null => {
  if (node.type !== 'element') return null;
  const found = /mso-list:\s*\S+\s+level(\d)/i.exec(property(node, 'style'))?.[1];
  return found === undefined ? null : Number(found);
};

const isMarker = (node: Child) =>
  node.type === 'element' && /mso-list:\s*ignore/i.test(property(node, 'style'));

/** Splits an item into its number or sign, which Word writes as text, and the rest. */
function splitMarker(node: HtmlElement): { sign: string; children: Child[] } {
  let sign = '';
  const without = (children: readonly Child[]): Child[] =>
    children.flatMap((child): Child[] => {
      if (isMarker(child)) {
        sign = innerText(child).replaceAll('\u00a0', ' ').trim();
        return [];
      }
      return child.type === 'element' ? [{ ...child, children: without(child.children) }] : [child];
    });
  const children = without(node.children);
  return { sign, children };
}

const element = (
  tagName: string,
  children: Child[],
  properties: HtmlElement['properties'] = {},
): HtmlElement => ({ type: 'element', tagName, properties, children });

/** Converts paragraphs that Word numbers to lists. */
export function withWordLists(nodes: readonly Child[]): Child[] {
  const made: Child[] = [];
  const open: { level: number; list: HtmlElement }[] = [];
  for (const node of nodes) {
    const level = levelOf(node);
    const isBlank = node.type !== 'element' && innerText(node).trim() === '';
    if (level === null || node.type !== 'element') {
      if (!isBlank) open.length = 0;
      if (!isBlank || open.length === 0) made.push(node);
      continue;
    }
    const { sign, children } = splitMarker(node);
    const number = /^(\d{1,9})[.)]$/.exec(sign)?.[1];
    // Letters are not list numbers in Markdown, so they stay in the text.
    const letter = /^[\p{L}]{1,4}[.)]$/u.test(sign) ? `${sign} ` : '';
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    let current = open.at(-1);
    if (!current || current.level < level) {
      const list =
        number === undefined ? element('ul', []) : element('ol', [], { start: Number(number) });
      const parent = current?.list.children.at(-1);
      if (parent?.type === 'element') parent.children.push(list);
      else made.push(list);
      current = { level, list };
      open.push(current);
    }
    const text: Child[] = letter === '' ? [] : [{ type: 'text', value: letter }];
    current.list.children.push(element('li', [...text, ...children]));
  }
  return made;
}
