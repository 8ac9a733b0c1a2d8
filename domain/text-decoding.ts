import { formatSize } from './format.ts';
import { likelyEncoding } from './russian-encodings.ts';

export interface DecodedText {
  readonly kind: 'text';
  /** Lines end with `\n`; no control characters but it and the tabulator. */
  readonly text: string;
  readonly encoding: string;
  /** What a person should know of how it was read, in Russian. */
  readonly note: string | null;
}

/** Empty, too large, or no text at all; `problem` says so in Russian. */
export interface NoText {
  readonly kind: 'none';
  readonly problem: string;
}

const NOT_TEXT =
  'Файл не похож на текст. Выберите текстовый файл или сохраните его в кодировке UTF-8';

const none = (problem: string): NoText => ({ kind: 'none', problem });

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const starts = (bytes: Uint8Array, ...mark: number[]) =>
  mark.every((byte, index) => bytes[index] === byte);

/** UTF-16 without a mark: every second byte of a Russian or Latin text is 0 or 4. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length - (bytes.length % 2), 8192);
  if (length < 4) return null;
  const high = [0, 0];
  let zeros = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === 0) zeros += 1;
    if (byte === 0 || byte === 4) high[at % 2] = (high[at % 2] ?? 0) + 1;
  }
  const [even, odd] = high.map((count) => count / (length / 2));
  if (zeros === 0 && Math.max(even ?? 0, odd ?? 0) < 0.95) return null;
  if ((odd ?? 0) > 0.7 && (even ?? 0) < 0.3) return 'utf-16le';
  if ((even ?? 0) > 0.7 && (odd ?? 0) < 0.3) return 'utf-16be';
  return null;
}

/** UTF-8 with a few broken places, as files cut or glued by hand are. */
function patchedUtf8(bytes: Uint8Array): { text: string; broken: number } | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  let broken = 0;
  let whole = 0;
  for (const character of text) {
    if (character === '\ufffd') broken += 1;
    else if (character > '\u007f') whole += 1;
  }
  return whole > 20 * broken ? { text, broken } : null;
}

function read(bytes: Uint8Array): { text: string; encoding: string; note?: string } | null {
  if (starts(bytes, 0xef, 0xbb, 0xbf)) {
    const text = decoded(bytes, 'utf-8');
    if (text !== null) return { text, encoding: 'utf-8' };
  }
  const wide = starts(bytes, 0xff, 0xfe)
    ? 'utf-16le'
    : starts(bytes, 0xfe, 0xff)
      ? 'utf-16be'
      : wideEncoding(bytes);
  if (wide !== null) {
    const text = decoded(bytes.subarray(0, bytes.length - (bytes.length % 2)), wide);
    if (text !== null) return { text, encoding: wide, note: `Кодировка файла: ${wide}` };
  }
  const text = decoded(bytes, 'utf-8');
  if (text !== null) return { text, encoding: 'utf-8' };
  const patched = patchedUtf8(bytes);
  if (patched !== null) {
    return {
      text: patched.text,
      encoding: 'utf-8',
      note: `Файл повреждён: знаки, которые не прочитались (${patched.broken}), заменены на «\ufffd»`,
    };
  }
  const encoding = likelyEncoding(bytes);
  if (encoding === null) return null;
  return {
    text: new TextDecoder(encoding).decode(bytes),
    encoding,
    note: `Кодировка файла: ${encoding}`,
  };
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f\ufffe\uffff]/g;

/** The text of a file in UTF-8, UTF-16 (with and without a mark), windows-1251, KOI8-R or CP866. */
export function decodeBytes(bytes: Uint8Array, bytesMost: number): DecodedText | NoText {
  if (bytes.length === 0) return none('Файл пуст. Выберите другой');
  if (bytes.length > bytesMost) {
    return none(`Файл слишком большой. Разделите его на части до ${formatSize(bytesMost)}`);
  }
  const found = read(bytes);
  if (found === null) return none(NOT_TEXT);
  const { text, encoding, note } = found;
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\v\f\u0085\u2028\u2029]/g, '\n');
  const clean = lines.replaceAll(CONTROLS, '');
  const removed = lines.length - clean.length;
  if (removed > lines.length / 20 + 2) return none(NOT_TEXT);
  if (clean.trim() === '') return none('В файле нет текста. Выберите другой');
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(removed === 0 ? [] : [`Убраны управляющие знаки, которых не видно (${removed})`]),
  ];
  return {
    kind: 'text',
    text: clean,
    encoding,
    note: notes.length === 0 ? null : notes.join('. '),
  };
}
