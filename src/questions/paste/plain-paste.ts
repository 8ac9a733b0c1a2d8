import { applyEdit, type TextField } from '#app/questions/form/text-edit.ts';
import { formattedHtml } from './clipboard-html.ts';
import { pasteConverter } from './converter.ts';

const TYPES = new Set(['text', 'search']);

const fieldOf = (target: EventTarget | null): TextField | null => {
  if (target instanceof HTMLTextAreaElement) return target;
  return target instanceof HTMLInputElement && TYPES.has(target.type) ? target : null;
};

async function pastePlain(field: TextField, html: string, words: string): Promise<void> {
  const { value, selectionStart, selectionEnd } = field;
  const converted = await pasteConverter.load().then(
    ({ convertPastedPlain }) => convertPastedPlain(html, field instanceof HTMLTextAreaElement),
    () => null,
  );
  const insert = converted ?? words;
  // Text typed meanwhile has moved the caret.
  const isSame = field.value === value;
  const from = (isSame ? selectionStart : field.selectionStart) ?? field.value.length;
  const to = (isSame ? selectionEnd : field.selectionEnd) ?? from;
  const caret = from + insert.length;
  applyEdit(field, { from, to, insert, select: { start: caret, end: caret } });
}

function onPaste(event: ClipboardEvent): void {
  const field = fieldOf(event.target);
  const { clipboardData } = event;
  if (event.defaultPrevented || !field || field.readOnly || field.disabled || !clipboardData)
    return;
  const words = clipboardData.getData('text/plain');
  const html = words === '' ? null : formattedHtml(clipboardData, 'plain');
  if (html === null) return;
  event.preventDefault();
  void pastePlain(field, html, words);
}

/**
 * A field without formatting, such as a title or an accepted answer, gets «10²» for a copied power instead of «102».
 * Fields with formatting handle their events themselves, before the document does.
 */
export function installPlainPaste(): void {
  document.addEventListener('paste', onPaste);
}
