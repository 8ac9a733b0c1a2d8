import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { MARK, liftMath, type Formula } from '#domain/format-math.ts';

/** Draws a formula into an element; absent while KaTeX is not loaded. */
export type DrawFormula = (formula: Formula, into: HTMLElement) => void;

const FILE = /^file:([\w./-]{1,200})$/;

const escape = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // Tags typed by hand are shown as text.
    html: ({ text }) => escape(text),
    image: ({ href, text }) => {
      const key = FILE.exec(href)?.[1];
      return key ? `<img data-file="${escape(key)}" alt="${escape(text)}">` : escape(text);
    },
    // The page has its own h1 and h2.
    heading({ tokens }) {
      return `<h3>${this.parser.parseInline(tokens)}</h3>`;
    },
  },
});

const TAGS =
  'p br hr h3 strong em del sub sup code pre blockquote ul ol li table thead tbody tr th td a img';

const ALLOWED = {
  ALLOWED_TAGS: TAGS.split(' '),
  ALLOWED_ATTR: ['href', 'title', 'alt', 'align', 'start', 'data-file'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ADD_URI_SAFE_ATTR: ['align', 'start', 'data-file'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true as const,
};

function drawFormulas(root: DocumentFragment, formulas: readonly Formula[], draw?: DrawFormula) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const places: Text[] = [];
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Text) places.push(walker.currentNode);
  }
  for (const place of places) {
    const parts = place.data.split(MARK);
    if (parts.length === 1) continue;
    place.replaceWith(
      ...parts.map((part, index) => {
        const formula = index % 2 === 1 ? formulas[Number(part)] : undefined;
        if (!formula) return index % 2 === 1 ? '' : part;
        const box = document.createElement('span');
        box.dataset['math'] = formula.display ? 'block' : 'inline';
        if (draw) draw(formula, box);
        else box.textContent = formula.tex;
        // A long one scrolls sideways in its box, by the arrow keys too.
        if (formula.display) box.tabIndex = 0;
        return box;
      }),
    );
  }
  for (const image of root.querySelectorAll('img')) {
    image.alt = image.alt.replace(MARK, (_, index) => formulas[Number(index)]?.tex ?? '');
  }
}

function inBox(element: HTMLElement, kind: string) {
  const box = document.createElement('div');
  box.dataset['box'] = kind;
  box.tabIndex = 0;
  element.replaceWith(box);
  box.append(element);
}

/**
 * A Markdown text with formulas as safe nodes: no tag, attribute or address beyond the lists above.
 * Pictures bear their key in `data-file` and have no source yet.
 * @throws Error when the browser cannot sanitise; show the text as it is then.
 */
export function toFragment(
  source: string,
  { inline = false, draw }: { inline?: boolean; draw?: DrawFormula | undefined } = {},
): DocumentFragment {
  if (!DOMPurify.isSupported) throw new Error('This browser cannot sanitise markup');
  const { text, formulas } = liftMath(source);
  const options = { async: false as const };
  const markup = inline ? marked.parseInline(text, options) : marked.parse(text, options);
  const root = DOMPurify.sanitize(markup, ALLOWED);
  drawFormulas(root, formulas, draw);
  for (const table of root.querySelectorAll('table')) inBox(table, 'table');
  for (const link of root.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  return root;
}
