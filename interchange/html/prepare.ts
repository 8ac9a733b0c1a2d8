import { isTeXLine, shifted, splitFormulas, texOfMathml, texOfPicture } from './formulas.ts';
import {
  classes,
  innerText,
  property,
  type HtmlElement,
  type HtmlNode,
  type HtmlRoot,
} from './tree.ts';

/** The context of a text, and the receiver of its losses. */
export interface ConversionContext {
  /** Returns the key of a picture by its URL; null when there is none (the loss is reported then). */
  readonly picture: (src: string) => string | null;
  readonly loss: (line: string) => void;
}

export interface PreparedTree {
  readonly root: HtmlRoot;
  /** Formulas as Markdown. The tree contains a placeholder for each. */
  readonly formulas: readonly string[];
}

const OPEN = '\ue000';
const CLOSE = '\ue001';
/** A line break inside a text. A formula may continue after it. */
const BREAK = '\ue002';
const OWN_SIGNS = /[\ue000-\ue002]/g;
/** The placeholder of the n-th formula in a text. */
export const FORMULA = new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g');

const DROPPED: Readonly<Record<string, string | null>> = {
  script: 'скрипт',
  noscript: 'скрипт',
  style: null,
  template: null,
  title: null,
  head: null,
  meta: null,
  link: null,
  base: null,
  iframe: 'вставленная страница',
  frame: 'вставленная страница',
  embed: 'вставленный объект',
  applet: 'вставленный объект',
  video: 'видео',
  canvas: 'рисунок',
  svg: 'рисунок (SVG)',
  input: 'поле формы',
  button: 'поле формы',
  select: 'поле формы',
  textarea: 'поле формы',
};

const LOOKS =
  /(?:^|;)\s*(?:color|background(?:-color)?|font-size|font-family|text-decoration)\s*:/i;
const LOOKS_TAGS = new Set(['u', 'ins', 'font', 'mark', 'big', 'center']);
const LEFT_AS_TYPED = new Set(['code', 'pre', 'kbd', 'samp', 'tt']);
const IGNORED_BY_MATHJAX = new Set(['tex2jax_ignore', 'mathjax_ignore']);
const MAX_SPAN = 20;

const LAYOUT = new Set(
  'table caption colgroup col thead tbody tfoot tr td th p br div span'.split(' '),
);
const SOUND = /\.(?:mp3|m4a|wav)(?:\?|$)/i;

/** An empty table, as editors insert it. */
const isEmptyTable = (node: HtmlElement) =>
  innerText(node).trim() === '' &&
  elementsIn(node, ({ tagName }) => !LAYOUT.has(tagName)).next().done;

type Child = HtmlElement['children'][number];

/** Elements that a library drew beside the source of a formula. */
const DRAWN = new Set(['MathJax', 'MathJax_Display', 'MathJax_SVG', 'MathJax_CHTML']);

const SPACING =
  /(?:^|;)\s*(?:white-space\s*:\s*pre|(?:margin-left|padding-left|text-indent)\s*:\s*[1-9])/i;

/** Emphasis by a style rather than by an element. */
const EMPHASIS = [
  ['em', /(?:^|;)\s*font-style\s*:\s*italic/i],
  ['strong', /(?:^|;)\s*font-weight\s*:\s*(?:bold|[6-9]00)/i],
] as const;

const isSource = (node: HtmlElement) =>
  node.tagName === 'script' && property(node, 'type').startsWith('math/tex');

/** The elements inside of a tree that pass a test, from the first on. */
function* elementsIn(
  { children }: { readonly children: readonly HtmlNode[] },
  isWanted: (node: HtmlElement) => boolean,
): Generator<HtmlElement> {
  for (const child of children) {
    if (child.type !== 'element') continue;
    if (isWanted(child)) yield child;
    else yield* elementsIn(child, isWanted);
  }
}

const mathIn = (node: HtmlElement) => elementsIn(node, ({ tagName }) => tagName === 'math');

const languageOf = (node: HtmlElement): string | null =>
  classes(node).includes('multilang') ? property(node, 'lang').slice(0, 2).toLowerCase() : null;

/** Of a text in several languages the Russian one, or else the first. */
function shownLanguage(tree: HtmlRoot): string | null {
  const languages = [...elementsIn(tree, (node) => languageOf(node) !== null)].map(languageOf);
  return languages.includes('ru') ? 'ru' : (languages[0] ?? null);
}

const BLOCKS = new Set(['ul', 'ol', 'pre', 'table', 'blockquote']);

const hasBlocks = (node: HtmlElement): boolean =>
  node.children.some(
    (child) => child.type === 'element' && (BLOCKS.has(child.tagName) || hasBlocks(child)),
  );

const text = (value: string): Child => ({ type: 'text', value });

const lineBreak = (): Child => ({ type: 'element', tagName: 'br', properties: {}, children: [] });

const withBreaks = (value: string): Child[] =>
  value.split(BREAK).flatMap((line, index) => [...(index === 0 ? [] : [lineBreak()]), text(line)]);

const tagOf = (node: HtmlElement): string => node.tagName.toLowerCase();

function withoutStyle(node: HtmlElement): HtmlElement['properties'] {
  const { style: _, ...properties } = node.properties;
  return properties;
}

/** Converts the elements of one tree. Each step returns null for an element that it leaves to the next one. */
class TreePreparer {
  readonly formulas: string[] = [];
  readonly #context: ConversionContext;
  readonly #hasSources: boolean;
  readonly #language: string | null;

  constructor(tree: HtmlRoot, context: ConversionContext) {
    this.#context = context;
    this.#hasSources = [...elementsIn(tree, isSource)].length > 0;
    this.#language = shownLanguage(tree);
  }

  prepare(nodes: readonly HtmlNode[]): Child[] {
    return this.#below(nodes, false);
  }

  #formula(tex: string, display: boolean): Child {
    const line = display ? tex : tex.replaceAll(/\s*\n\s*/g, ' ');
    if (!isTeXLine(line, display)) {
      this.#context.loss('Формула со знаком доллара внутри осталась текстом');
      return text(line.replaceAll(OWN_SIGNS, ''));
    }
    this.formulas.push(display ? `$$${line}$$` : `$${line}$`);
    return text(`${OPEN}${this.formulas.length - 1}${CLOSE}`);
  }

  #words(value: string): Child[] {
    return splitFormulas(value, BREAK).flatMap((piece) =>
      piece.kind === 'text'
        ? withBreaks(piece.text)
        : [this.#formula(piece.tex.replaceAll(BREAK, '\n').trim(), piece.display)],
    );
  }

  #picture(node: HtmlElement, src: string, alt: string): Child[] {
    const tex = texOfPicture(node, classes(node));
    if (tex !== null) return [this.#formula(tex, false)];
    const key = this.#context.picture(src);
    if (key !== null)
      return [{ ...node, tagName: 'img', properties: { src: `file:${key}`, alt }, children: [] }];
    return alt.trim() === '' ? [] : [text(alt)];
  }

  /** Null: the file does not have it. */
  #recording(src: string, title: string): Child[] | null {
    const key = src === '' ? null : this.#context.picture(src);
    if (key === null) return null;
    const properties = { src: `audio-file:${key}`, alt: title.trim() };
    return [{ type: 'element', tagName: 'img', properties, children: [] }];
  }

  /** If a sound was not imported, its title stays. */
  #sound(src: string, title: string): Child[] {
    const played = this.#recording(src, title);
    if (played) return played;
    this.#context.loss('Не перенесено: звук');
    return title === '' ? [] : [text(title)];
  }

  #link(node: HtmlElement, children: Child[]): Child[] {
    const href = property(node, 'href').trim();
    if (/^(?:https?:\/\/|mailto:)/i.test(href) && href.length <= 2000)
      return [{ ...node, properties: { href: href.replaceAll('$', '%24') }, children }];
    // Moodle replaces the link with a player.
    const played = SOUND.test(href) ? this.#recording(href, innerText(node)) : null;
    if (played) return played;
    if (href !== '' && !href.startsWith('#'))
      this.#context.loss(`Ссылка «${href.slice(0, 60)}» не переносится: остался её текст`);
    return children;
  }

  #cell(node: HtmlElement): HtmlElement {
    const properties = { ...node.properties };
    for (const name of ['colSpan', 'rowSpan', 'colspan', 'rowspan']) {
      const span = Number(properties[name] ?? 1);
      if (span > 1) this.#context.loss('Объединённые ячейки таблицы разделены');
      if (!(span >= 1 && span <= MAX_SPAN)) delete properties[name];
    }
    const align = /(?:^|\s)qti-align-(left|right|center)/.exec(classes(node).join(' '))?.[1];
    const style = /text-align\s*:\s*(left|right|center)/i.exec(property(node, 'style'))?.[1];
    const chosen = align ?? style?.toLowerCase();
    if (chosen) properties['align'] = chosen;
    return { ...node, properties };
  }

  #element(node: HtmlElement, isTyped: boolean): Child[] {
    return (
      this.#formulaElement(node) ??
      this.#annotation(node, isTyped) ??
      this.#media(node) ??
      this.#drawnFormula(node, isTyped) ??
      this.#unshown(node) ??
      this.#styled(node, isTyped) ??
      this.#dropped(node) ??
      this.#shiftedText(node, isTyped) ??
      this.#converted(node, isTyped)
    );
  }

  #formulaElement(node: HtmlElement): Child[] | null {
    const name = tagOf(node);
    if (name === 'math') {
      const tex = texOfMathml(node);
      if (tex !== null) return [this.#formula(tex, property(node, 'display') === 'block')];
      this.#context.loss('Формула (MathML) осталась текстом');
      return [text(innerText(node))];
    }
    const type = property(node, 'type');
    if (name === 'script' && type.startsWith('math/tex'))
      return [this.#formula(innerText(node), /mode=display/.test(type))];
    return name === 'tex' ? [this.#formula(innerText(node).trim(), false)] : null;
  }

  /** Text that is shown over or above a word. */
  #annotation(node: HtmlElement, isTyped: boolean): Child[] | null {
    const inBrackets = () => [text(' ('), ...this.#below(node.children, isTyped), text(')')];
    // TAO's hints over a word, as elements or as text.
    if ((property(node, 'data-role') || property(node, 'dataRole')) === 'tooltip-content') {
      this.#context.loss('Всплывающие подсказки стали текстом в скобках');
      return inBrackets();
    }
    const name = tagOf(node);
    if (name === 'rp') return [];
    return name === 'rt' ? inBrackets() : null;
  }

  #media(node: HtmlElement): Child[] | null {
    const name = tagOf(node);
    if (name === 'img') return this.#picture(node, property(node, 'src'), property(node, 'alt'));
    if (name === 'audio') {
      const sources = [...elementsIn(node, ({ tagName }) => tagName === 'source')];
      const addresses = [node, ...sources].map((one) => property(one, 'src'));
      const src = addresses.find((one) => SOUND.test(one)) ?? addresses.find(Boolean) ?? '';
      return this.#sound(src, property(node, 'title').trim());
    }
    if (name !== 'object') return null;
    const data = property(node, 'data');
    const type = property(node, 'type');
    if (type.startsWith('audio/') || SOUND.test(data))
      return this.#sound(data, innerText(node).trim());
    if (type.startsWith('image/') || /\.(?:png|jpe?g|gif|webp|svg)$/i.test(data))
      return this.#picture(node, data, innerText(node).trim());
    this.#context.loss('Не перенесено: вставленный объект');
    return [];
  }

  /** What a library drew: its source is beside it, or inside it for a screen reader. */
  #drawnFormula(node: HtmlElement, isTyped: boolean): Child[] | null {
    const kinds = classes(node);
    if (kinds.includes('katex-html') || kinds.includes('MathJax_Preview')) return [];
    if (!kinds.some((kind) => DRAWN.has(kind))) return null;
    const [math] = this.#hasSources ? [] : mathIn(node);
    if (math) return this.#element(math, isTyped);
    return this.#hasSources ? [] : null;
  }

  #unshown(node: HtmlElement): Child[] | null {
    const isHidden =
      'hidden' in node.properties || /(?:^|;)\s*display\s*:\s*none/i.test(property(node, 'style'));
    if (isHidden) {
      if (innerText(node).trim() !== '') this.#context.loss('Не перенесено: скрытый текст');
      return [];
    }
    const own = languageOf(node);
    if (own === null || own === this.#language) return null;
    this.#context.loss('Не перенесено: текст на других языках');
    return [];
  }

  /** Shift and emphasis by a style become elements. */
  #styled(node: HtmlElement, isTyped: boolean): Child[] | null {
    const look = property(node, 'style');
    if (SPACING.test(look))
      this.#context.loss('Отступы и переносы строк, заданные оформлением, не переносятся');
    const shift = /(?:^|;)\s*vertical-align\s*:\s*(sub|super)\b/i.exec(look)?.[1]?.toLowerCase();
    if (shift) {
      const tagName = shift === 'sub' ? 'sub' : 'sup';
      return this.#element({ ...node, tagName, properties: withoutStyle(node) }, isTyped);
    }
    const emphasis = EMPHASIS.flatMap(([tag, style]) => (style.test(look) ? [tag] : []));
    if (tagOf(node) !== 'span' || emphasis.length === 0) return null;
    const marked = emphasis.reduce<HtmlElement['children']>(
      (children, tagName) => [{ ...node, tagName, properties: withoutStyle(node), children }],
      node.children,
    );
    return this.#below(marked, isTyped);
  }

  #dropped(node: HtmlElement): Child[] | null {
    const name = tagOf(node);
    if (name === 'ol' && (/^[aAiI]$/.test(property(node, 'type')) || 'reversed' in node.properties))
      this.#context.loss('Нумерация списка буквами или в обратном порядке стала обычной');
    if (name === 'li' && property(node, 'value') !== '')
      this.#context.loss('Номера пунктов списка, заданные вручную, не переносятся');
    if ((name === 'td' || name === 'th') && hasBlocks(node))
      this.#context.loss('Списки, код и таблицы внутри ячеек таблицы не переносятся как есть');
    const dropped = DROPPED[name];
    if (dropped === undefined) return null;
    if (dropped !== null) this.#context.loss(`Не перенесено: ${dropped}`);
    return [];
  }

  #shiftedText(node: HtmlElement, isTyped: boolean): Child[] | null {
    const name = tagOf(node);
    if (LOOKS_TAGS.has(name) || LOOKS.test(property(node, 'style')))
      this.#context.loss('Цвет, размер, шрифт и подчёркивание текста не переносятся');
    // SSML also has a «sub», with an alias that is only spoken.
    if (name === 'sub' && 'alias' in node.properties) return this.#below(node.children, isTyped);
    if ((name !== 'sub' && name !== 'sup') || innerText(node).trim() === '') return null;
    const piece = shifted(innerText(node), name);
    return [piece.kind === 'text' ? text(piece.text) : this.#formula(piece.tex, false)];
  }

  #converted(node: HtmlElement, isTyped: boolean): Child[] {
    const name = tagOf(node);
    const kinds = classes(node);
    const typed =
      isTyped || LEFT_AS_TYPED.has(name) || kinds.some((kind) => IGNORED_BY_MATHJAX.has(kind));
    if (name === 'table') return isEmptyTable(node) ? [] : this.#tableWithCaption(node, typed);
    const children = this.#below(node.children, typed);
    if (name === 'a') return this.#link(node, children);
    if (name === 'td' || name === 'th') return [{ ...this.#cell(node), children }];
    if (kinds.includes('del')) return [{ ...node, tagName: 'del', properties: {}, children }];
    const start = /(?:^|\s)start-(\d{1,9})/.exec(kinds.join(' '))?.[1];
    if (name === 'ol' && start)
      return [{ ...node, properties: { start: Number(start) }, children }];
    return [{ ...node, tagName: name, children }];
  }

  /** Markdown's tables have no caption: it becomes a paragraph before its table. */
  #tableWithCaption(node: HtmlElement, isTyped: boolean): Child[] {
    const isCaption = (child: HtmlNode) => child.type === 'element' && child.tagName === 'caption';
    const captions = node.children.filter(isCaption).map((child): Child => ({
      type: 'element',
      tagName: 'p',
      properties: {},
      children: 'children' in child ? this.#below(child.children, isTyped) : [],
    }));
    const rest = node.children.filter((child) => !isCaption(child));
    return [...captions, { ...node, tagName: 'table', children: this.#below(rest, isTyped) }];
  }

  #below(nodes: readonly HtmlNode[], isTyped: boolean): Child[] {
    const made: Child[] = [];
    let run: string[] = [];
    const endRun = () => {
      if (run.length > 0) made.push(...this.#words(run.join('')));
      run = [];
    };
    for (const node of nodes) {
      if (node.type === 'text') {
        const value = node.value.replaceAll(OWN_SIGNS, '');
        if (isTyped) made.push(text(value));
        else run.push(value);
      } else if (node.type === 'element' && node.tagName === 'br' && !isTyped) run.push(BREAK);
      else {
        endRun();
        if (node.type === 'element') made.push(...this.#element(node, isTyped));
      }
    }
    endRun();
    return made;
  }
}

/**
 * The tree as Markdown can express it: formulas replaced, pictures by key, active content dropped and reported,
 * subscripts and superscripts as text.
 */
export function preparedTree(tree: HtmlRoot, context: ConversionContext): PreparedTree {
  const preparer = new TreePreparer(tree, context);
  const root: HtmlRoot = { type: 'root', children: preparer.prepare(tree.children) };
  return { root, formulas: preparer.formulas };
}
