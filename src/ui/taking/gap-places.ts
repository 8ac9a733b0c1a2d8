import { splitAtGapMarks } from '#domain/format-gaps.ts';

/** Formulas are drawn from their source, where a place has no room for a field. */
const isOutside = (node: Node): number =>
  node.parentElement?.closest('math, .katex, code, button, a')
    ? NodeFilter.FILTER_REJECT
    : NodeFilter.FILTER_ACCEPT;

/** Replaces each mark of a drawn text by an empty element for its field. Of two with one number the first counts. */
export function placeGaps(root: HTMLElement): ReadonlyMap<string, HTMLElement> {
  root.normalize();
  const places = new Map<string, HTMLElement>();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, isOutside);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const node of texts) {
    const pieces = splitAtGapMarks(node.data);
    if (pieces.every((piece) => typeof piece === 'string')) continue;
    const nodes = pieces.map((piece) => {
      if (typeof piece === 'string') return document.createTextNode(piece);
      if (places.has(piece.gapId)) return document.createTextNode(`[[${piece.gapId}]]`);
      const place = document.createElement('span');
      places.set(piece.gapId, place);
      return place;
    });
    node.replaceWith(...nodes);
  }
  return places;
}
