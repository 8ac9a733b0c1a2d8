import type { ClipboardEvent, RefObject } from 'react';
import { withDollarFormulas } from '#domain/tex-delimiters.ts';
import {
  applyEdit,
  insertPictures,
  pastedLines,
  type PutPicture,
  type Selection,
  type TextEdit,
} from '#app/questions/form/text-edit.ts';
import { formattedHtml } from './clipboard-html.ts';
import { pasteConverter, UNREAD_NOTE } from './converter.ts';

type OnLines = (lines: readonly string[]) => void;

/** A converted text that waits for its pictures, and the parts that were not pasted. */
export interface PastedText {
  readonly text: string;
  readonly note: string;
}

export const UNSENT_NOTE = 'Не все картинки вставлены';

/** Sentences of a note. */
export const joinNotes = (notes: readonly string[]): string =>
  notes
    .filter((note) => note !== '')
    .map((note) => (note.endsWith('.') ? note : `${note}.`))
    .join(' ');

/** Loads the converter before something is pasted: the network may be gone then. */
export function preparePaste(): void {
  pasteConverter.load().catch(() => undefined);
}

export function insertText({ start, end }: Selection, insert: string): TextEdit {
  const at = start + insert.length;
  return { from: start, to: end, insert, select: { start: at, end: at } };
}

const PLACE = /!\[((?:\\.|[^\]\\])*)\]\(file:pasted-(\d+)\)/g;

/** The text with the pictures that were sent; others are replaced with their description. */
export const withPictures = (text: string, put: readonly PutPicture[]): string =>
  text.replaceAll(PLACE, (_, alt: string, index: string) => {
    const sent = put[Number(index)];
    if (!sent) return alt;
    const named = { ...sent, alt: sent.alt === '' ? alt : sent.alt };
    return insertPictures('', { start: 0, end: 0 }, [named], false).insert;
  });

function fileOf(address: string, index: number): File | null {
  const [, type = '', data = ''] = /^data:(image\/[\w.+-]+);base64,(.*)$/is.exec(address) ?? [];
  try {
    const bytes = Uint8Array.from(atob(data.replaceAll(/\s/g, '')), (sign) => sign.charCodeAt(0));
    return new File([bytes], `${index + 1}.${type.slice('image/'.length)}`, { type });
  } catch {
    return null;
  }
}

export interface RichPaste {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly multiline: boolean;
  readonly setNote: (note: string) => void;
  /** Receives a text with pictures that must be sent first. */
  readonly onPictures: (pasted: PastedText, files: readonly File[], at: Selection) => void;
}

/** Pastes content copied from a page or an office program as Markdown; other text is pasted by the browser. */
export function pasteRich(
  { field, multiline, setNote, onPictures }: RichPaste,
  event: ClipboardEvent,
  onLines?: OnLines,
): void {
  /** Inserts at the place of the paste, or at the caret if somebody has typed meanwhile. */
  const insert = (before: string, at: Selection, text: string) => {
    const target = field.current;
    if (!target) return;
    const place =
      target.value === before ? at : { start: target.selectionStart, end: target.selectionEnd };
    applyEdit(target, insertText(place, text));
  };

  async function pasteHtml(html: string, words: string) {
    const target = field.current;
    if (!target) return;
    const before = target.value;
    const at = { start: target.selectionStart, end: target.selectionEnd };
    const converter = await pasteConverter.load().catch(() => null);
    if (onLines) {
      const pasted = converter?.convertPastedLines(html) ?? null;
      if (pasted && pasted.lines.length > 1) {
        setNote(joinNotes(pasted.losses));
        onLines(pasted.lines);
        return;
      }
    }
    const pasted = converter?.convertPasted(html, { inline: !multiline }) ?? null;
    if (!pasted) {
      setNote(UNREAD_NOTE);
      insert(before, at, words);
      return;
    }
    const note = joinNotes(pasted.losses);
    setNote(note);
    const files = pasted.pictures.flatMap((address, index) => fileOf(address, index) ?? []);
    if (files.length > 0 && files.length === pasted.pictures.length)
      onPictures({ text: pasted.text, note }, files, at);
    else insert(before, at, withPictures(pasted.text, []));
  }

  const { clipboardData } = event;
  const words = clipboardData.getData('text/plain');
  const html = formattedHtml(clipboardData, 'rich');
  if (html !== null) {
    event.preventDefault();
    void pasteHtml(html, words);
    return;
  }
  const lines = onLines ? pastedLines(words) : [];
  if (onLines && lines.length > 1) {
    event.preventDefault();
    onLines(lines);
    return;
  }
  const converted = withDollarFormulas(words);
  const target = field.current;
  if (converted === words || !target) return;
  event.preventDefault();
  const at = { start: target.selectionStart, end: target.selectionEnd };
  insert(target.value, at, converted);
}
