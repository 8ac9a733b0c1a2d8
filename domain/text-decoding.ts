import { formatSize } from './format.ts';
import { likelyEncoding } from './russian-encodings.ts';

export interface DecodedText {
  readonly kind: 'text';
  /** Lines end with `\n`; no control characters but it and the tab. */
  readonly text: string;
  readonly encoding: string;
  /** A note on how the text was decoded, in Russian. */
  readonly note: string | null;
}

/** Empty, too large, or not a text; `problem` says so in Russian. */
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

/** UTF-16 without a BOM: in most pairs of a Russian or Latin text the same byte is 0 or 4. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = Math.min(Math.floor(bytes.length / 2), 4096);
  let [even, odd] = [0, 0];
  for (let pair = 0; pair < pairs; pair += 1) {
    if (isHigh(bytes[2 * pair])) even += 1;
    if (isHigh(bytes[2 * pair + 1])) odd += 1;
  }
  if (odd - even > pairs / 2) return 'utf-16le';
  if (even - odd > pairs / 2) return 'utf-16be';
  return null;
}

const isHigh = (byte: number | undefined) => byte === 0 || byte === 4;

/** UTF-8 with a few invalid sequences, as in files cut or joined by hand. */
function patchedUtf8(bytes: Uint8Array): { text: string; broken: number } | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  const beyondAscii = text.replaceAll(/\p{ASCII}/gu, '');
  const whole = beyondAscii.replaceAll('\ufffd', '').length;
  const broken = beyondAscii.length - whole;
  return whole > 20 * broken ? { text, broken } : null;
}

function read(bytes: Uint8Array): { text: string; encoding: string; note?: string } | null {
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

/** Decodes a file in UTF-8, UTF-16 (with and without a BOM), windows-1251, KOI8-R or CP866. */
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
