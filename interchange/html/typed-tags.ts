/** The elements of HTML, old ones too, and those that Moodle's filters read. */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup option output p param picture pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp algebra lang nolink tex`.split(
    /\s+/,
  ),
);
/** Elements with contents that are no markup. */
const RAW = new Set('iframe noembed noframes script style textarea title xmp'.split(' '));
const CLOSING = /<\/([a-z][^\s/<>]{0,60})/gi;
const OPENING = /<(?:!--|([a-z][^\s/<>]{0,60}))/gi;
/** Fails at the first character that cannot belong to an attribute, so that long texts are read in linear time. */
const ATTRIBUTE = /[\s/]*[^\s/<>="']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"'][^\s<>"']*))?/y;
const TAG_END = /[\s/]*>/y;
/** The text after a name that does not end a tag. */
const OTHER = /[^<>]{0,300}>?/y;

const MAX_REPORTED = 5;

const tagWarning = (tag: string) => `Похожее на тег осталось текстом: «${tag.slice(0, 40).trim()}»`;

/** The end of a match that begins at a position; null: there is none. */
function endOf(pattern: RegExp, html: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(html) ? pattern.lastIndex : null;
}

/** The end of a tag after the name that ends at a position; attributes are read as in browsers. Null: it is no tag. */
function tagEnd(html: string, at: number): number | null {
  let end = at;
  for (let next: number | null = at; next !== null; next = endOf(ATTRIBUTE, html, end)) end = next;
  return endOf(TAG_END, html, end);
}

/** The end of an element's contents that are no markup. */
function rawEnd(html: string, name: string, at: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = at;
  return closing.exec(html)?.index ?? html.length;
}

/** Whether browsers would read «a<n и k>0» or `<file name>` as a tag, and lose it. */
function isTyped(name: string, rest: string, isEnded: boolean, closed: ReadonlySet<string>) {
  const isQuoted = /["']/.test(rest);
  const isElement = ELEMENTS.has(name);
  // A name with a namespace, as Word writes it, or an element without contents.
  if (/^[\w-]+:[\w-]+$/.test(name) || (isEnded && rest.trimEnd().endsWith('/'))) return false;
  const hasLetterOnly = name.length === 1 && !rest.includes('=');
  if (!isEnded) return !isQuoted || !isElement || hasLetterOnly;
  if (closed.has(name)) return false;
  return isElement ? hasLetterOnly && rest.trim() !== '' : !isQuoted;
}

/** Returns the text of an option about HTML that is only a tag. A lone break or line leaves the option empty. */
export function typedTag(html: string, loss: (line: string) => void): string | null {
  const [, tag = null] = /^\s*(<\/?(?!(?:br|hr)\b)[a-z][a-z\d]{0,20}>)\s*$/i.exec(html) ?? [];
  if (tag !== null) loss(tagWarning(tag));
  return tag;
}

/** Reports the first few losses of a text. */
function limitedLoss(loss: (line: string) => void, others: string): (line: string) => void {
  const lines = new Set<string>();
  return (line) => {
    if (lines.has(line) || lines.size > MAX_REPORTED) return;
    lines.add(line);
    loss(lines.size > MAX_REPORTED ? others : line);
  };
}

/** HTML in which a text that only looks like a tag is escaped: `vector<int>`, «a<n и k>0». */
export function withTypedTags(html: string, loss: (line: string) => void): string {
  if (!/<[a-z]/i.test(html)) return html;
  const reportTyped = limitedLoss(loss, 'Осталось текстом и другое, похожее на теги');
  const tellUnknown = limitedLoss(loss, 'От других тегов, которых в HTML нет, тоже остались слова');
  const closed = new Set(Array.from(html.matchAll(CLOSING), ([, name = '']) => name.toLowerCase()));
  // Formulas and drawings have elements of their own.
  const isDrawn = /<(?:math|svg)\b|«math/i.test(html);
  let made = '';
  let from = 0;
  const opening = new RegExp(OPENING);
  for (let found = opening.exec(html); found; found = opening.exec(html)) {
    const [{ length }, name] = found;
    const after = found.index + length;
    if (name === undefined) {
      const end = html.indexOf('-->', found.index);
      if (end < 0) break;
      opening.lastIndex = end + 3;
      continue;
    }
    const lower = name.toLowerCase();
    const properEnd = tagEnd(html, after);
    const end = properEnd ?? endOf(OTHER, html, after) ?? after;
    const isEnded = html[end - 1] === '>';
    const rest = html.slice(after, isEnded ? end - 1 : end);
    opening.lastIndex = end;
    if (isTyped(lower, rest, isEnded, closed)) {
      const whole = html.slice(found.index, end);
      reportTyped(tagWarning(whole));
      made += html.slice(from, found.index) + whole.replace('<', '&lt;').replace(/>$/, '&gt;');
      from = end;
      continue;
    }
    if (!isDrawn && closed.has(lower) && !ELEMENTS.has(lower) && /^\w+$/.test(lower))
      tellUnknown(`Такого тега в HTML нет, остались слова внутри него: «<${name}>»`);
    if (isEnded && RAW.has(lower)) opening.lastIndex = rawEnd(html, lower, end);
  }
  return made + html.slice(from);
}
