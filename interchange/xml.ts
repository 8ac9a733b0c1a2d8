import { characterEntitiesHtml4 } from 'character-entities-html4';
import { SaxesParser } from 'saxes';
import { decodeText } from './encoding.ts';
import { MAX_FILE_BYTES, MAX_XML_DEPTH, MAX_XML_NODES } from './limits.ts';
import { UnreadableFile } from './model.ts';

/** An element. Its name has no prefix, since files of one format choose different ones. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Elements and texts in their order; neighbouring texts are joined. */
  readonly children: readonly XmlNode[];
  /** Line of the file, from 1. */
  readonly line: number;
}
export type XmlNode = XmlElement | string;

export interface XmlBounds {
  readonly bytes: number;
  readonly depth: number;
  readonly nodes: number;
}

export interface XmlFile {
  readonly root: XmlElement;
  /** A note on its decoding, in Russian, if useful. */
  readonly note: string | null;
}

const BOUNDS: XmlBounds = { bytes: MAX_FILE_BYTES, depth: MAX_XML_DEPTH, nodes: MAX_XML_NODES };

// oxlint-disable-next-line no-control-regex -- XML has no place for them
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function declaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 200));
  return /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? null;
}

function decodeXml(bytes: Uint8Array): { text: string; note: string | null } {
  const isWide = bytes.subarray(0, 4).some((byte) => byte === 0 || byte > 0xfd);
  if (!isWide) {
    try {
      // Valid UTF-8 is UTF-8, even if an old declaration says otherwise.
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), note: null };
    } catch {
      const encoding = declaredEncoding(bytes);
      if (encoding !== null && !/^utf/i.test(encoding)) {
        try {
          const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
          return { text, note: `Кодировка файла: ${encoding.toLowerCase()}` };
        } catch {
          // An unknown encoding, or a false one: detected below.
        }
      }
    }
  }
  return decodeText(bytes);
}

/** Names of HTML entities, which other systems leave in their XML. Inherited properties do not count. */
const ENTITIES: Record<string, string> = Object.assign(Object.create(null), {
  ...characterEntitiesHtml4,
  apos: "'",
});

interface Building {
  name: string;
  attributes: Map<string, string>;
  children: (Building | string)[];
  line: number;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

function explained(line: number, message: string): UnreadableFile {
  const entity = /undefined entity/.test(message)
    ? ' В нём имя знака, которого нет ни в XML, ни в HTML: такие пишут как &amp;#…;.'
    : '';
  return new UnreadableFile(
    `Строка ${line}: XML записан с ошибкой.${entity} Откройте файл в системе, где он сделан, и сохраните ещё раз.`,
  );
}

/**
 * Parses XML without a DTD: custom entities are refused, nothing external is ever loaded.
 * @throws {UnreadableFile} not well-formed (with the line), with entities, or beyond the limits
 */
export function readXml(bytes: Uint8Array, bounds: XmlBounds = BOUNDS): XmlFile {
  if (bytes.length > bounds.bytes)
    throw new UnreadableFile(
      `Файл больше ${Math.round(bounds.bytes / 1024 / 1024)} МБ. Разделите его на части.`,
    );
  if (bytes.length === 0) throw new UnreadableFile('Файл пуст. Выберите другой');
  const decoded = decodeXml(bytes);
  // A declaration is allowed only at the very beginning, but some programs write a space before it.
  const text = decoded.text
    .replace(/^\ufeff/, '')
    .replaceAll(CONTROLS, '')
    .replace(/^(\s+)<\?xml[^>]*\?>/, '$1');
  return { root: parseXml(text, bounds), note: decoded.note };
}

/** The same for a decoded text. @throws {UnreadableFile} as {@link readXml} */
export function parseXml(text: string, bounds: XmlBounds = BOUNDS): XmlElement {
  const parser = new SaxesParser({ position: true });
  parser.ENTITIES = ENTITIES;
  const open: Building[] = [];
  let root: Building | undefined;
  let nodes = 0;
  const count = (more: number) => {
    nodes += more;
    if (nodes > bounds.nodes)
      throw new UnreadableFile(
        `Строка ${parser.line}: в файле слишком много элементов. Разделите его на части.`,
      );
  };
  const addText = (piece: string) => {
    const parent = open.at(-1);
    if (!parent || piece === '') return;
    count(1);
    const last = parent.children.at(-1);
    if (typeof last === 'string') parent.children[parent.children.length - 1] = last + piece;
    else parent.children.push(piece);
  };
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY|%/i.test(doctype))
      throw new UnreadableFile(
        `Строка ${parser.line}: в файле объявлены свои сущности (DOCTYPE). Такие файлы не читаются: ими портят память и крадут данные. Сохраните файл без них.`,
      );
  });
  parser.on('error', (error) => {
    throw explained(parser.line, error.message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const entries = Object.entries(attributes);
    count(1 + entries.length);
    if (open.length >= bounds.depth)
      throw new UnreadableFile(
        `Строка ${parser.line}: элементы вложены глубже ${bounds.depth}. Такой файл не читается.`,
      );
    const element = {
      name: local(name),
      attributes: new Map(entries),
      children: [],
      line: parser.line,
    };
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  if (!root) throw new UnreadableFile('В файле нет XML. Выберите другой');
  return root;
}

/** The child elements, optionally by name. */
export function elements(parent: XmlElement, name?: string): readonly XmlElement[] {
  return parent.children.filter(
    (node): node is XmlElement =>
      typeof node !== 'string' && (name === undefined || node.name === name),
  );
}

/** The first child element of a name. */
export const element = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  parent && elements(parent, name)[0];

/** The element and its descendants, in the order of the file. */
export function* everyElement(from: XmlElement): Generator<XmlElement> {
  yield from;
  for (const below of elements(from)) yield* everyElement(below);
}

/** All text inside, unchanged. */
export function textOf(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}
