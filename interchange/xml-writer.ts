/** An element to write; an undefined attribute is left out. */
export interface Written {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly children: readonly (Written | string)[];
  /** White space inside is significant: nothing is indented. */
  readonly isExact?: boolean;
}

/** Creates an element; null or undefined children are left out. */
export function tag(
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (Written | string | null | undefined)[]
): Written {
  return {
    name,
    attributes,
    children: children.filter((child) => child !== null && child !== undefined),
  };
}

// oxlint-disable-next-line no-control-regex -- XML has no place for them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const refer = (character: string) => REFERENCES[character] ?? character;

const escapeText = (text: string) => text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>\r]/g, refer);
const escapeAttribute = (text: string) =>
  text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>"\t\n\r]/g, refer);

function markup(node: Written | string, indent: string | null): string {
  if (typeof node === 'string') return escapeText(node);
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`))
    .join('');
  if (node.children.length === 0) return `<${node.name}${attributes}/>`;
  const isExact =
    indent === null ||
    node.isExact === true ||
    node.children.some((child) => typeof child === 'string');
  const inner = node.children.map((child) =>
    isExact ? markup(child, null) : `\n${indent}  ${markup(child, `${indent}  `)}`,
  );
  return `<${node.name}${attributes}>${inner.join('')}${isExact ? '' : `\n${indent}`}</${node.name}>`;
}

/** Elements as text, without a declaration and on one line. */
export const fragmentText = (nodes: readonly (Written | string)[]): string =>
  nodes.map((node) => markup(node, null)).join('');

/** A whole document in UTF-8. */
export const xmlBytes = (root: Written): Uint8Array =>
  new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>\n${markup(root, '')}\n`);
