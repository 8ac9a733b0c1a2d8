import { Marked } from 'marked';
import {
  MAX_HTML_CHARACTERS,
  htmlToMarkdown,
  plainToMarkdown,
  type Shape,
} from '#interchange/html/to-markdown.ts';
import { fromBase64, importPicture, namedFile } from '#interchange/items/pictures.ts';
import type { ImportedPicture } from '#interchange/model.ts';
import { element, elements, textOf, type XmlElement } from '#interchange/xml.ts';

export interface MoodleReading {
  readonly newId: () => string;
  readonly picture: (picture: ImportedPicture) => void;
  readonly loss: (line: string) => void;
}

/** A text that is too long for a question. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

const FORMATS: Readonly<Record<string, string>> = {
  '0': 'moodle_auto_format',
  '1': 'html',
  '2': 'plain_text',
  '4': 'markdown',
};

const asMoodle = new Marked({ gfm: true, breaks: false });

const PLUGIN_FILE = /^@@PLUGINFILE@@\/+/;

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Pictures of one field: files beside its text, and pictures inside the text. */
function picturesOf(field: XmlElement, { newId, picture, loss }: MoodleReading) {
  const files = new Map(
    elements(field, 'file').map((file) => {
      const path = `${file.attributes.get('path') ?? '/'}${file.attributes.get('name') ?? ''}`;
      return [path.replace(/^\/+/, ''), file];
    }),
  );
  const keys = new Map<string, string | null>();
  const inside: string[] = [];
  const take = (bytes: Uint8Array | null, name: string) => {
    const imported = importPicture(bytes, name, newId, picture);
    if ('key' in imported) return imported.key;
    loss(imported.loss);
    return null;
  };
  const load = (src: string): string | null => {
    const embedded = /^data-inside:(\d+)$/.exec(src)?.[1];
    if (embedded !== undefined) return take(fromBase64(inside[Number(embedded)] ?? ''), 'картинка');
    if (!PLUGIN_FILE.test(src)) {
      loss(`${namedFile(src)} лежит не в файле и не перенесена`);
      return null;
    }
    const name = decodePath(src.replace(PLUGIN_FILE, '').replace(/\?.*$/, ''));
    const file = files.get(name);
    if (file) return take(fromBase64(textOf(file)), name);
    loss(`${namedFile(name, 'genitive')} в файле нет`);
    return null;
  };
  return {
    resolve: (src: string) => {
      const known = keys.get(src);
      if (known !== undefined) return known;
      const key = load(src);
      keys.set(src, key);
      return key;
    },
    /** Extracts pictures embedded as data URLs, which would make the text too long. */
    lift: (html: string) =>
      html.replaceAll(/data:image\/[\w.+-]{1,20};base64,([\w+/=\s]+)/g, (_, data: string) => {
        inside.push(data);
        return `data-inside:${inside.length - 1}`;
      }),
    reportUnused: () => {
      for (const name of files.keys()) {
        const used = [...keys.keys()].some((src) => decodePath(src).includes(name));
        if (!used) loss(`Приложенный файл «${name.slice(0, 80)}» не перенесён`);
      }
    },
  };
}

const withBreaks = (text: string) =>
  /<(?:p|br|div|table|ul|ol|h\d)\b/i.test(text) ? text : text.replaceAll(/\r?\n/g, '<br>');

/**
 * A field with its text as our Markdown; empty when there is none.
 * @throws {TooLong} longer than any text of a question
 */
export function fieldText(
  field: XmlElement | undefined,
  reading: MoodleReading,
  shape: Shape,
  fallback = 'moodle_auto_format',
): string {
  if (!field) return '';
  const given = field.attributes.get('format') ?? fallback;
  const format = FORMATS[given] ?? given;
  const pictures = picturesOf(field, reading);
  if (elements(element(field, 'text') ?? field).length > 0 && element(field, 'text'))
    reading.loss('Разметка текста в файле не закрыта в CDATA: остались только слова');
  const text = pictures.lift(textOf(element(field, 'text'))).trim();
  if (text.length > MAX_HTML_CHARACTERS) throw new TooLong();
  const carried = { picture: pictures.resolve, loss: reading.loss };
  const markdown = () => {
    switch (format) {
      case 'plain_text':
        return plainToMarkdown(text, shape);
      case 'markdown':
        return htmlToMarkdown(asMoodle.parse(text, { async: false }), carried, shape);
      case 'html':
        return htmlToMarkdown(text, carried, shape);
      default:
        return htmlToMarkdown(withBreaks(text), carried, shape);
    }
  };
  const made = markdown();
  pictures.reportUnused();
  return made;
}

/** The text of an element that has a `text` inside. */
export const readText = (field: XmlElement | undefined): string =>
  textOf(element(field, 'text')).trim();

export const flag = (question: XmlElement, name: string, fallback: boolean): boolean => {
  const value = textOf(element(question, name)).trim().toLowerCase();
  return value === '' ? fallback : value === 'true' || value === '1';
};

export function amount(question: XmlElement, name: string, fallback: number): number {
  const text = textOf(element(question, name)).trim();
  const value = Number(text.replace(',', '.'));
  return text !== '' && Number.isFinite(value) ? value : fallback;
}
