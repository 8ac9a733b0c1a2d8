import type { Numbering } from '#interchange/marked/line.ts';
import type { XmlElement } from '#interchange/xml.ts';
import { attributeOf, childOf, childrenOf } from './xml-nodes.ts';

const LETTERS = /letter|russian|aiueo|roman/i;

/** The formats of Word's lists: by list and level. */
export type Lists = (list: string, level: number) => Numbering['mark'] | null;

/** Reads word/numbering.xml; without it every list counts as numbers. */
export function listsOf(root: XmlElement | null): Lists {
  if (root === null) return () => 'number';
  const formats = new Map<string, Map<number, string>>();
  for (const abstract of childrenOf(root, 'abstractNum')) {
    const levels = new Map<number, string>();
    for (const level of childrenOf(abstract, 'lvl')) {
      const at = Number(attributeOf(level, 'ilvl'));
      levels.set(at, attributeOf(childOf(level, 'numFmt'), 'val'));
    }
    formats.set(attributeOf(abstract, 'abstractNumId'), levels);
  }
  const lists = new Map<string, Map<number, string>>();
  for (const list of childrenOf(root, 'num')) {
    const levels = new Map(formats.get(attributeOf(childOf(list, 'abstractNumId'), 'val')));
    for (const override of childrenOf(list, 'lvlOverride')) {
      const format = attributeOf(childOf(childOf(override, 'lvl'), 'numFmt'), 'val');
      if (format !== '') levels.set(Number(attributeOf(override, 'ilvl')), format);
    }
    lists.set(attributeOf(list, 'numId'), levels);
  }
  return (list, level) => {
    const format = lists.get(list)?.get(level) ?? 'decimal';
    if (format === 'none') return null;
    if (format === 'bullet') return 'bullet';
    return LETTERS.test(format) ? 'letter' : 'number';
  };
}
