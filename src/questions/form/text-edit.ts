import { withDollarFormulas } from '#domain/tex-delimiters.ts';
import { findFormulas, type FoundFormula } from '#domain/format-math.ts';

export interface Selection {
  readonly start: number;
  readonly end: number;
}

/** A text edit: replaces `from`–`to` with `insert`, then selects `select`. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly select: Selection;
}

export type TextStyle = 'bold' | 'italic';

const starsAfter = (text: string, at: number) => /^\**/.exec(text.slice(at))?.[0].length ?? 0;
const starsBefore = (text: string, at: number) => /\**$/.exec(text.slice(0, at))?.[0].length ?? 0;

/** The selection without surrounding spaces and asterisks, which emphasis cannot include. */
function core(text: string, { start, end }: Selection): Selection {
  const inside = text.slice(start, end);
  const before = /^[\s*]*/.exec(inside)?.[0].length ?? 0;
  if (before === inside.length) return { start, end };
  return { start: start + before, end: end - (/[\s*]*$/.exec(inside)?.[0].length ?? 0) };
}

/** Toggles bold or italic; without a selection the cursor is placed between the markers. */
export function toggleMark(text: string, selection: Selection, mark: TextStyle): TextEdit {
  const { start, end } = core(text, selection);
  const around = Math.min(starsBefore(text, start), starsAfter(text, end));
  const isOn = mark === 'bold' ? around >= 2 : around % 2 === 1;
  const width = mark === 'bold' ? 2 : 1;
  const inside = text.slice(start, end);
  if (isOn) {
    const select = { start: start - width, end: end - width };
    return { from: start - width, to: end + width, insert: inside, select };
  }
  const stars = '*'.repeat(width);
  const isLines = /\n/.test(inside);
  // Emphasis cannot span line ends everywhere: each line gets its own markers.
  const marked = isLines
    ? inside.replaceAll(/^(\s*(?:[-+]\s|\d+[.)]\s)?)(\S.*?)[ \t]*$/gm, `$1${stars}$2${stars}`)
    : `${stars}${inside}${stars}`;
  const shift = isLines ? 0 : width;
  const select = isLines
    ? { start, end: start + marked.length }
    : { start: start + shift, end: end + shift };
  return { from: start, to: end, insert: marked, select };
}

/** Toggles list markers on the selected lines. */
export function toggleList(text: string, { start, end }: Selection): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const after = text.indexOf(
    '\n',
    Math.max(end - (end > start && text[end - 1] === '\n' ? 1 : 0), from),
  );
  const to = after === -1 ? text.length : after;
  const lines = text.slice(from, to).split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const isList = filled.length > 0 && filled.every((line) => /^\s*[-*+]\s/.test(line));
  const insert = lines
    .map((line) => {
      if (isList) return line.replace(/^\s*[-*+]\s+/, '');
      return line.trim() === '' && lines.length > 1
        ? line
        : `- ${line.replace(/^\s*[-*+]\s+/, '')}`;
    })
    .join('\n');
  const at = from + insert.length;
  return {
    from,
    to,
    insert,
    select: start === end ? { start: at, end: at } : { start: from, end: at },
  };
}

/** The formula that the cursor is in or at, if any. */
export const formulaAt = (text: string, selection: Selection): FoundFormula | null =>
  findFormulas(text).find(({ start, end }) => start <= selection.start && selection.end <= end) ??
  null;

/** Replaces the selection with an inline or a display formula. */
export function insertFormula(
  text: string,
  { start, end }: Selection,
  { tex, display }: { tex: string; display: boolean },
): TextEdit {
  const before = text[start - 1];
  const after = text[end];
  const inside = display ? tex.trim() : tex.trim().replaceAll(/\s*\n\s*/g, ' ');
  const [left, right] = display
    ? [before === undefined || before === '\n' ? '' : '\n', after === '\n' ? '' : '\n']
    : // An adjacent dollar sign or digit would break the formula.
      [before === '$' ? ' ' : '', after !== undefined && /[\d$]/.test(after) ? ' ' : ''];
  const fence = display ? '$$' : '$';
  const insert = `${left}${fence}${inside}${fence}${right}`;
  const at = start + insert.length;
  return { from: start, to: end, insert, select: { start: at, end: at } };
}

/** Characters that would end a picture's alt text early. */
const plainAlt = (alt: string) =>
  alt
    .replaceAll(/[[\]\\\n]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

export interface PutPicture {
  readonly alt: string;
  readonly key: string;
  readonly isRecording?: boolean;
}

/** Inserts pictures and recordings after the cursor; in multi-line texts each on its own line. */
export function insertPictures(
  text: string,
  { end }: Selection,
  pictures: readonly PutPicture[],
  ownLine: boolean,
): TextEdit {
  const before = text[end - 1];
  const isFresh = before === undefined || (ownLine ? before === '\n' : /\s/.test(before));
  const gap = ownLine ? '\n' : ' ';
  const marks = pictures
    .map(({ alt, key, isRecording }) => {
      const scheme = isRecording ? 'audio-file' : 'file';
      return `![${plainAlt(alt)}](${scheme}:${key})`;
    })
    .join(gap);
  const insert = `${isFresh ? '' : gap}${marks}${ownLine && text[end] !== '\n' ? '\n' : ''}`;
  const at = end + insert.length;
  return { from: end, to: end, insert, select: { start: at, end: at } };
}

/**
 * Replaces the selection with a gap mark, and returns the replaced word. Blanks around the word stay in the text, since
 * a double tap selects one of them with it.
 */
export function insertGapPlace(
  text: string,
  { start, end }: Selection,
  gapId: string,
): { text: string; word: string } {
  const chosen = text.slice(start, end);
  const word = chosen.trim();
  const place = word === '' ? `${chosen}[[${gapId}]]` : chosen.replace(word, () => `[[${gapId}]]`);
  return { text: text.slice(0, start) + place + text.slice(end), word };
}

/** Lines of a pasted list without list markers: «а) …», «2. …», «- …». */
export const pastedLines = (text: string): string[] =>
  withDollarFormulas(text)
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:(?:[a-zа-яё]|\d{1,2})[).]|[-–•*])\s+/i, '').trim())
    .filter((line) => line !== '');

export type TextField = HTMLTextAreaElement | HTMLInputElement;

/** Applies an edit to a field, so that the browser's undo includes it. */
export function applyEdit(field: TextField, edit: TextEdit): void {
  const { from, to, insert, select } = edit;
  const next = field.value.slice(0, from) + insert + field.value.slice(to);
  field.focus();
  field.setSelectionRange(from, to);
  if (from !== to || insert !== '') type(insert);
  if (field.value !== next) {
    // Uses the native setter, so that React sees the change as user input.
    const { prototype } =
      field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    const value = Object.getOwnPropertyDescriptor(prototype, 'value');
    value?.set?.call(field, next);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(select.start, select.end);
}

/** Inserts text as user input, if the browser supports it. */
function type(insert: string): void {
  if (typeof document.execCommand !== 'function') return;
  if (insert === '') document.execCommand('delete');
  else document.execCommand('insertText', false, insert);
}
