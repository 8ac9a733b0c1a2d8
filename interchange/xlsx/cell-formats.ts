import { builtInFormat, generalNumber, showCell } from './number-format.ts';

/** Marks for cell texts that need a warning. */
export const DATE_MARK = '\ue130';
export const UNREAD_MARK = '\ue131';

const attribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null;

const decode = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) =>
      String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
    )
    .replaceAll('&amp;', '&');

/** The format code of each cell style, from xl/styles.xml. */
export function stylesOf(xml: string): readonly (string | undefined)[] {
  const own = new Map<number, string>();
  for (const [tag] of xml.matchAll(/<(?:\w+:)?numFmt\s(?:[^>"]|"[^"]*")*>/g))
    own.set(Number(attribute(tag, 'numFmtId')), decode(attribute(tag, 'formatCode') ?? ''));
  const [, inside = ''] = /<(?:\w+:)?cellXfs[^>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(xml) ?? [];
  return Array.from(inside.matchAll(/<(?:\w+:)?xf\s[^>]*>/g), ([tag]) => {
    const id = Number(attribute(tag, 'numFmtId') ?? 0);
    return own.get(id) ?? builtInFormat(id);
  });
}

const CELL = /<((?:\w+:)?)c((?:\s[^<>]*)?)>/g;
const VALUE = /<(?:\w+:)?v(?:\s[^>]*)?>\s*([^<\s]+)\s*<\//;

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function shownText(value: number, code: string | undefined, is1904: boolean): string | null {
  if (code === undefined) return UNREAD_MARK + generalNumber(value);
  if (/^general$/i.test(code)) return null;
  const shown = showCell(value, code, is1904);
  if (shown === null) return UNREAD_MARK + generalNumber(value);
  return shown.isDate ? DATE_MARK + shown.text : shown.text;
}

/** A sheet in which formatted numbers are replaced with the texts that their cells show. */
export function withShownNumbers(
  xml: string,
  styles: readonly (string | undefined)[],
  is1904: boolean,
): string {
  if (styles.length === 0) return xml;
  let made = '';
  let from = 0;
  for (const match of xml.matchAll(CELL)) {
    const [tag, prefix = '', attributes = ''] = match;
    if (attributes.endsWith('/') || match.index < from) continue;
    const style = attribute(attributes, 's');
    const type = attribute(attributes, 't') ?? 'n';
    const close = `</${prefix}c>`;
    const end = type === 'n' && style !== null ? xml.indexOf(close, match.index) : -1;
    if (end < 0) continue;
    const value = Number(VALUE.exec(xml.slice(match.index + tag.length, end))?.[1] ?? 'NaN');
    const text = Number.isNaN(value) ? null : shownText(value, styles[Number(style)], is1904);
    if (text === null) continue;
    const reference = attribute(attributes, 'r');
    made += `${xml.slice(from, match.index)}<${prefix}c${reference === null ? '' : ` r="${reference}"`} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${escape(text)}</${prefix}t></${prefix}is>${close}`;
    from = end + close.length;
  }
  return made + xml.slice(from);
}
