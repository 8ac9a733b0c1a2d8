import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { MARK, liftMath, type Formula } from '#domain/format-math.ts';
import { speakTex } from '#domain/format-spoken-tex.ts';
import { showPictures, type ResolveImage } from './pictures.ts';

/** Draws a formula into an element; absent while KaTeX is not loaded. */
export type RenderFormula = (formula: Formula, into: HTMLElement) => void;

const FILE = /^(audio-)?file:([\w./-]{1,200})$/;

const escape = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Parses in linear time, so that no text can block another user’s page. HTML tags are shown as text. */
const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true });
// The sanitiser judges addresses.
markdown.validateLink = () => true;
markdown.normalizeLink = (address) => {
  try {
    return encodeURI(address).replaceAll('%25', '%');
  } catch {
    return address;
  }
};
markdown.normalizeLinkText = (text) => text;

const ADDRESS = /[^\s<]+/y;
const AFTER_ADDRESS = new Set('?!.,:;*_~)"\'»');
/** A word with a dot is not a link; an address without its protocol begins with `www.`. */
markdown.linkify.set({ fuzzyLink: false });
markdown.linkify.add('www.', {
  validate: (text, from) => {
    ADDRESS.lastIndex = from;
    const found = ADDRESS.exec(text)?.[0] ?? '';
    let length = found.length;
    while (length > 0 && AFTER_ADDRESS.has(found.charAt(length - 1))) length -= 1;
    return length;
  },
  normalize: (match) => {
    match.url = `http://${match.url}`;
  },
});

const { rules } = markdown.renderer;
rules.image = (tokens, index, options, env, renderer) => {
  const image = tokens[index];
  const alt = renderer.renderInlineAsText(image?.children ?? [], options, env);
  const [, recording, key] = FILE.exec(String(image?.attrGet('src') ?? '')) ?? [];
  if (!key) return escape(alt);
  return `<img data-${recording ? 'recording' : 'file'}="${escape(key)}" alt="${escape(alt)}">`;
};
// The page has its own h1 and h2.
rules.heading_open = () => '<h3>';
rules.heading_close = () => '</h3>';
rules.softbreak = () => '<br>';
rules.hardbreak = () => '<br>';
rules.s_open = () => '<del>';
rules.s_close = () => '</del>';
const openCell: typeof rules.td_open = (tokens, index) => {
  const cell = tokens[index];
  const side = /:(\w+)/.exec(String(cell?.attrGet('style') ?? ''))?.[1];
  return side ? `<${cell?.tag} align="${side}">` : `<${cell?.tag}>`;
};
rules.td_open = openCell;
rules.th_open = openCell;

// Task-list boxes are not part of a question.
markdown.core.ruler.after('inline', 'boxes', ({ tokens }) => {
  for (const [index, { type, children }] of tokens.entries()) {
    const first = children?.[0];
    if (type === 'inline' && first && tokens[index - 2]?.type === 'list_item_open')
      first.content = first.content.replace(/^\[[ x]\](?: |$)/i, '');
  }
});

const TAGS =
  'p br hr h3 strong em del sub sup code pre blockquote ul ol li table thead tbody tr th td a img';

const ALLOWED = {
  ALLOWED_TAGS: TAGS.split(' '),
  ALLOWED_ATTR: ['href', 'title', 'alt', 'align', 'start', 'data-file', 'data-recording'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ADD_URI_SAFE_ATTR: ['align', 'start', 'data-file', 'data-recording'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true as const,
};

/** A formula takes a millisecond, and more the longer it is. Formulas beyond this number are shown as typed. */
const MAX_DRAWN = 400;
const DRAWN_CHARACTERS = 8_000;
const FORMULA_CHARACTERS = 2_000;

function worthDrawing(formulas: readonly Formula[]): ReadonlySet<Formula> {
  const drawn = new Set<Formula>();
  let characters = 0;
  for (const formula of formulas) {
    if (formula.tex.length > FORMULA_CHARACTERS) continue;
    characters += formula.tex.length;
    if (drawn.size === MAX_DRAWN || characters > DRAWN_CHARACTERS) break;
    drawn.add(formula);
  }
  return drawn;
}

/** The text of a formula for screen readers, placed over the drawn one, so that a finger finds it. */
function spokenFormula(tex: string): HTMLElement {
  const words = document.createElement('span');
  words.dataset['spoken'] = '';
  words.lang = 'ru';
  words.textContent = speakTex(tex);
  return words;
}

function drawFormulas(root: DocumentFragment, formulas: readonly Formula[], draw?: RenderFormula) {
  const drawn = worthDrawing(formulas);
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
        const shown = document.createElement('span');
        shown.ariaHidden = 'true';
        if (draw && drawn.has(formula)) draw(formula, shown);
        else shown.textContent = formula.tex;
        box.append(spokenFormula(formula.tex), shown);
        // A long formula scrolls sideways in its box, also by the arrow keys.
        if (formula.display) box.tabIndex = 0;
        return box;
      }),
    );
  }
  for (const image of root.querySelectorAll('img')) {
    image.alt = image.alt.replace(MARK, (_, index) => speakTex(formulas[Number(index)]?.tex ?? ''));
  }
}

/** A player under its description. */
function toPlayer(image: HTMLImageElement): void {
  const player = document.createElement('audio');
  player.controls = true;
  player.dataset['file'] = image.dataset['recording'] ?? '';
  player.ariaLabel = image.alt || 'Запись';
  const box = document.createElement('span');
  box.dataset['player'] = '';
  box.append(image.alt, player);
  image.replaceWith(box);
}

function inBox(element: HTMLElement, kind: string) {
  const box = document.createElement('div');
  box.dataset['box'] = kind;
  box.tabIndex = 0;
  element.replaceWith(box);
  box.append(element);
}

/** A Markdown text as markup, not yet sanitised. */
export const toMarkup = (text: string, inline: boolean): string =>
  inline ? markdown.renderInline(text) : markdown.render(text);

export interface Drawing {
  readonly inline: boolean;
  readonly draw?: RenderFormula | undefined;
  readonly resolve: ResolveImage;
  /** For a text within a button: nothing in it can be opened, played or followed. */
  readonly still: boolean;
  /** Called with the element before pictures and recordings get their source. */
  readonly onDrawn?: ((root: HTMLElement) => void) | undefined;
}

/**
 * Draws a Markdown text into an element; shows it as typed if the browser cannot sanitise.
 * @returns a function that ignores pictures still loading
 */
export function drawText(root: HTMLElement, text: string, drawing: Drawing): () => void {
  const { inline, draw, resolve, still, onDrawn } = drawing;
  try {
    root.replaceChildren(toFragment(text, { inline, draw }));
  } catch {
    root.textContent = text;
  }
  onDrawn?.(root);
  if (still) removeControls(root);
  return showPictures(root, resolve, still);
}

function removeControls(root: HTMLElement): void {
  for (const link of root.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  for (const box of root.querySelectorAll('[tabindex]')) box.removeAttribute('tabindex');
  for (const player of root.querySelectorAll('audio')) {
    const isNamed = player.parentElement?.textContent.trim();
    if (isNamed) player.remove();
    else player.replaceWith('Запись');
  }
}

/**
 * A Markdown text with formulas as safe nodes: no tag, attribute or address beyond the lists above. Pictures and
 * recordings have their key in `data-file` and no source yet.
 * @throws Error when the browser cannot sanitise; show the text as typed then.
 */
export function toFragment(
  source: string,
  { inline = false, draw }: { inline?: boolean; draw?: RenderFormula | undefined } = {},
): DocumentFragment {
  if (!DOMPurify.isSupported) throw new Error('This browser cannot sanitise markup');
  const { text, formulas } = liftMath(source);
  const root = DOMPurify.sanitize(toMarkup(text, inline), ALLOWED);
  drawFormulas(root, formulas, draw);
  for (const image of root.querySelectorAll<HTMLImageElement>('img[data-recording]'))
    toPlayer(image);
  for (const table of root.querySelectorAll('table')) inBox(table, 'table');
  for (const link of root.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  return root;
}
