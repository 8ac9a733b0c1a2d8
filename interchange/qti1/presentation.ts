import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';

/** A field for an answer: `response_lid`, `response_str` and the like. */
export interface Response {
  readonly node: XmlElement;
  readonly ident: string;
  readonly options: readonly { readonly ident: string; readonly node: XmlElement }[];
  readonly isSingle: boolean;
  readonly isOrdered: boolean;
  readonly isNumeric: boolean;
  /** Null if the file does not say. */
  readonly isShuffled: boolean | null;
  /** Lines of the field, for typed answers. */
  readonly rows: number;
  /** The text before it, if the field has one of its own. */
  readonly material: readonly XmlElement[];
}

export const isResponse = ({ name }: XmlElement): boolean => /^response_(?!label$|na$)/.test(name);

const NUMERIC = /^(?:decimal|integer|scientific|real)$/i;

function readResponse(node: XmlElement): Response {
  const inside = [...everyElement(node)];
  const render = inside.find(({ name }) => name.startsWith('render_'));
  const cardinality = (node.attributes.get('rcardinality') ?? 'Single').toLowerCase();
  const shuffle = render?.attributes.get('shuffle')?.toLowerCase();
  return {
    node,
    ident: (node.attributes.get('ident') ?? node.attributes.get('respident') ?? '').trim(),
    options: inside
      .filter(({ name }) => name === 'response_label')
      .map((label) => ({ ident: (label.attributes.get('ident') ?? '').trim(), node: label })),
    isSingle: cardinality === 'single',
    isOrdered: cardinality === 'ordered',
    isNumeric:
      node.name === 'response_num' || NUMERIC.test(render?.attributes.get('fibtype') ?? ''),
    isShuffled: shuffle === undefined ? null : shuffle === 'yes',
    rows: Number(render?.attributes.get('rows') ?? 1) || 1,
    material: elements(node).filter(({ name }) => name === 'material' || name === 'flow_mat'),
  };
}

/** The fields of an item, in order. */
export function readResponses(item: XmlElement): readonly Response[] {
  const presentation = element(item, 'presentation');
  if (!presentation) return [];
  const all = [...everyElement(presentation)].filter(isResponse).map(readResponse);
  // Notes of other systems about the real field beside them.
  const own = all.filter(({ node }) => node.name !== 'response_extension');
  return own.length > 0 ? own : all;
}

/** The block of Blackboard's package with a class. */
export const blockOf = (item: XmlElement, name: string): XmlElement | undefined => {
  const presentation = element(item, 'presentation');
  return (
    presentation &&
    [...everyElement(presentation)].find((node) => node.attributes.get('class') === name)
  );
};

/** The block that contains a field and its text, if the text is beside the field (Blackboard). */
export const parentOf = (root: XmlElement, node: XmlElement): XmlElement | undefined =>
  [...everyElement(root)].find(({ children }) => children.includes(node));

/** The first words of an item, so that a teacher recognizes it. */
export function itemExcerpt(item: XmlElement): string {
  const presentation = element(item, 'presentation');
  const title = item.attributes.get('title')?.trim() ?? '';
  const stem = presentation
    ? [...everyElement(presentation)]
        .filter(({ name }) => name === 'mattext' || name === 'mat_formattedtext')
        .slice(0, 1)
        .map((node) =>
          textOf(node)
            .slice(0, 2000)
            .replaceAll(/<[^>]*>/g, ' ')
            .trim(),
        )[0]
    : undefined;
  return [/^(?:question|item|вопрос)?\s*\d*$/i.test(title) ? '' : title, stem ?? '']
    .filter(Boolean)
    .join(': ');
}
