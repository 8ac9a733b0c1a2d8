/** The elements of HTML, old ones too, and those that Moodle's filters read. */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup option output p param picture pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp algebra lang nolink tex`.split(
    /\s+/,
  ),
);
const CLOSING = /<\/([a-z][^\s/<>]{0,60})/gi;
const OPENING = /<([a-z][^\s/<>]{0,60})([^<>]{0,300})(>?)/gi;

const told = (tag: string) => `Похожее на тег осталось текстом: «${tag.slice(0, 40).trim()}»`;

/** Whether browsers would take «a<n и k>0» and `<file name>` for a tag, and lose it. */
function isTyped(name: string, rest: string, isEnded: boolean, closed: ReadonlySet<string>) {
  const isQuoted = /["']/.test(rest);
  // A sign of a name space, as Word writes it, or an element without contents.
  if (/^[\w-]+:[\w-]+$/.test(name) || (isEnded && rest.trimEnd().endsWith('/'))) return false;
  if (!isEnded) return !isQuoted;
  if (closed.has(name)) return false;
  return ELEMENTS.has(name)
    ? name.length === 1 && rest.trim() !== '' && !rest.includes('=')
    : !isQuoted;
}

/** An option about HTML, which is nothing but a tag; a break or a line only leaves it empty. */
export function typedTag(html: string, loss: (line: string) => void): string | null {
  const [, tag = null] = /^\s*(<\/?(?!(?:br|hr)\b)[a-z][a-z\d]{0,20}>)\s*$/i.exec(html) ?? [];
  if (tag !== null) loss(told(tag));
  return tag;
}

/** HTML in which what only looks like a tag is text: `vector<int>`, «a<n и k>0». */
export function withTypedTags(html: string, loss: (line: string) => void): string {
  if (!/<[a-z]/i.test(html)) return html;
  const closed = new Set(Array.from(html.matchAll(CLOSING), ([, name = '']) => name.toLowerCase()));
  // Formulas and drawings have elements of their own.
  const isDrawn = /<(?:math|svg)\b|«math/i.test(html);
  const escaped = (part: string) =>
    part.replaceAll(OPENING, (whole, name: string, rest: string, end: string) => {
      const lower = name.toLowerCase();
      if (!isTyped(lower, rest, end !== '', closed)) {
        if (!isDrawn && closed.has(lower) && !ELEMENTS.has(lower) && /^\w+$/.test(lower))
          loss(`Такого тега в HTML нет, остались слова внутри него: «<${name}>»`);
        return whole;
      }
      loss(told(whole));
      return whole.replace('<', '&lt;').replace(/>$/, '&gt;');
    });
  let made = '';
  let from = 0;
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', from)) {
    const end = html.indexOf('-->', start);
    if (end < 0) break;
    made += escaped(html.slice(from, start)) + html.slice(start, end + 3);
    from = end + 3;
  }
  return made + escaped(html.slice(from));
}
