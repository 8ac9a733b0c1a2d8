import type { XmlElement } from '#interchange/xml.ts';

export const elementsOf = (parent: XmlElement | undefined): readonly XmlElement[] =>
  parent?.children.filter((child) => typeof child !== 'string') ?? [];

export const childOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  elementsOf(parent).find((child) => child.name === name);

export const childrenOf = (parent: XmlElement | undefined, name: string): readonly XmlElement[] =>
  elementsOf(parent).filter((child) => child.name === name);

/** An attribute by its name without a prefix, since producers choose different ones. */
export function attributeOf(element: XmlElement | undefined, name: string): string {
  if (!element) return '';
  for (const [key, value] of element.attributes) {
    if (key === name || key.endsWith(`:${name}`)) return value;
  }
  return '';
}

/** The first element of a name anywhere inside. */
export function findInside(parent: XmlElement, name: string): XmlElement | undefined {
  for (const child of elementsOf(parent)) {
    const found = child.name === name ? child : findInside(child, name);
    if (found) return found;
  }
  return undefined;
}

export const textInside = (parent: XmlElement): string =>
  parent.children.map((child) => (typeof child === 'string' ? child : textInside(child))).join('');
