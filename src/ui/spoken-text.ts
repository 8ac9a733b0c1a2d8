/** An element's text as a screen reader says it: with the names of pictures, without hidden content. */
export function spokenTextOf(root: Node | null | undefined): string {
  const parts: string[] = [];
  const read = (node: Node) => {
    if (node instanceof Element && node.getAttribute('aria-hidden') === 'true') return;
    if (node instanceof HTMLImageElement) parts.push(node.alt);
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.nodeValue ?? '');
    // The source of a formula within its MathML.
    if (node.nodeName !== 'annotation') for (const child of node.childNodes) read(child);
  };
  if (root) read(root);
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}
