import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { tag, type Written } from '#interchange/xml-writer.ts';
import type { XmlNode } from '#interchange/xml.ts';

const parser = unified().use(rehypeParse, { fragment: true });

/** HTML as a tree, from HTML text or from XHTML inside XML. */
export type HtmlRoot = ReturnType<typeof parser.parse>;
export type HtmlNode = HtmlRoot['children'][number];
export type HtmlElement = Extract<HtmlNode, { type: 'element' }>;

/** Deeper trees are malicious. */
const MAX_DEPTH = 100;

/** Whether no branch exceeds the depth; without recursion, which would overflow. */
function isShallow(root: HtmlRoot): boolean {
  const rest: { node: HtmlRoot | HtmlNode; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (next.depth > MAX_DEPTH) return false;
    if (!('children' in next.node)) continue;
    for (const node of next.node.children) rest.push({ node, depth: next.depth + 1 });
  }
  return true;
}

/** Parses HTML as browsers do; null when it is nested too deeply. */
export function parseHtml(html: string): HtmlRoot | null {
  try {
    const root = parser.parse(html);
    return isShallow(root) ? root : null;
  } catch {
    // The parser's own recursion overflowed: the nesting is even deeper.
    return null;
  }
}

function fromXml(node: XmlNode): HtmlNode {
  if (typeof node === 'string') return { type: 'text', value: node };
  const properties: HtmlElement['properties'] = {};
  for (const [name, value] of node.attributes) {
    if (name === 'class') properties['className'] = value.split(/\s+/).filter(Boolean);
    else if (name !== '__proto__') properties[name] = value;
  }
  return { type: 'element', tagName: node.name, properties, children: node.children.map(asChild) };
}

type Child = HtmlElement['children'][number];

function asChild(node: XmlNode): Child {
  const made = fromXml(node);
  return made.type === 'doctype' ? { type: 'text', value: '' } : made;
}

/** XHTML as the same tree. The XML reader has limited its depth. */
export const xmlTree = (nodes: readonly XmlNode[]): HtmlRoot => ({
  type: 'root',
  children: nodes.map(fromXml),
});

/** A tree as XML again, for the MathML reader. */
export function writtenTree(node: HtmlNode): Written | string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  const attributes = Object.entries(node.properties).map(([name, value]) => [
    name,
    typeof value === 'string' || typeof value === 'number' ? String(value) : undefined,
  ]);
  return tag(node.tagName, Object.fromEntries(attributes), ...node.children.map(writtenTree));
}

/** All text inside, unchanged. */
export function innerText(node: HtmlRoot | HtmlNode): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(innerText).join('') : '';
}

export function property(node: HtmlElement, name: string): string {
  const value = node.properties[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function classes(node: HtmlElement): readonly string[] {
  const value = node.properties['className'];
  return Array.isArray(value) ? value.map(String) : [];
}
