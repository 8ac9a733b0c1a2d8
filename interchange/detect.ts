import { VARIANT_TAG } from '#interchange/marked/patterns.ts';
import { isArchive, readArchive } from './archive.ts';
import { decodeText } from './encoding.ts';
import { MAX_FILE_BYTES, MAX_TEXT_BYTES } from './limits.ts';
import { UnreadableFile, type FormatId, type PickedFile } from './model.ts';
import { interopFiles, isInteropManifest } from './qti1/detect.ts';
import { columnsOf } from './table/columns.ts';

/** Characters of a text used for detection. */
const SAMPLE_CHARACTERS = 200_000;

const startsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, i) => bytes[i] === byte);

const extensionOf = (name: string) => /\.([^.]{1,10})$/.exec(name.toLowerCase())?.[1] ?? '';

function archiveFormat(bytes: Uint8Array): FormatId {
  const { files } = readArchive(bytes);
  const paths = [...files.keys()];
  if (paths.includes('word/document.xml')) return 'docx';
  if (paths.includes('xl/workbook.xml')) return 'xlsx';
  const manifest = paths.find((path) => /(?:^|\/)imsmanifest\.xml$/i.test(path));
  const listed = manifest === undefined ? '' : decodeText(files.get(manifest)?.() ?? bytes).text;
  if (isInteropManifest(listed)) return 'qti1';
  if (!/type\s*=\s*["']imsqti/i.test(listed) && interopFiles(files).length > 0) return 'qti1';
  if (paths.some((path) => path.endsWith('.xml') && !path.includes('__MACOSX'))) return 'qti2';
  throw new UnreadableFile(
    'В этом архиве нет теста: ни пакета QTI, ни документа Word, ни таблицы Excel. Выберите другой файл',
  );
}

/** The first element of an XML text, without its prefix. */
const rootOf = (text: string) =>
  /<(?![?!])(?:[\w.-]+:)?([\w.-]+)/.exec(text.replaceAll(/<!--[\s\S]*?-->/g, ''))?.[1] ?? '';

function xmlFormat(text: string): FormatId {
  const root = rootOf(text);
  if (/^question\d{0,4}$/i.test(root) && VARIANT_TAG.test(text)) return 'markedText';
  if (root === 'quiz' || root === 'question') return 'moodleXml';
  if (/^(qti-)?assessment-?(item|test|section)$/i.test(root)) return 'qti2';
  if (root === 'html') {
    throw new UnreadableFile(
      'Это веб-страница, а не тест. Выгрузите вопросы из своей системы файлом Moodle XML, QTI или GIFT',
    );
  }
  if (root === 'questestinterop') return 'qti1';
  throw new UnreadableFile(
    'Такой XML здесь не читается. Подойдут Moodle XML и QTI версий 1.2, 2 и 3',
  );
}

/** Whether a line names columns of a table of questions: at least two, or Excel's own line before them. */
function isTableHead(line: string): boolean {
  if (/^"?sep=.$/i.test(line.trimEnd())) return true;
  return [';', '\t', ','].some((delimiter) => {
    const columns = columnsOf(line.split(delimiter).map((head) => head.replaceAll('"', '')));
    if (columns === null) return false;
    return columns.single.size + Object.values(columns.numbered).flat().length > 1;
  });
}

/** «{#name}» after a heading is Markdown’s. */
const GIFT_ANSWER = /\{\s*(?:[=~]|#(?![a-z])|(?:T|F|TRUE|FALSE)\s*[}#]|[^{}\\~]{0,200}~)/gi;
/** Options and answers in other notations, which may mention braces. */
const NO_STEM = /^[#+*!-]?\s{0,3}[a-zа-яё][.)]|^(?:ответы?|answers?)\s{0,3}:/i;

/** Whether there is an essay of GIFT: a question that ends with empty braces, with nothing after them. */
function hasGiftEssay(text: string): boolean {
  const lines = text.split('\n').map((line) => line.replace(/\/\/.*/, '').trim());
  return lines.some(
    (line, at) => /\{\s{0,9}\}$/.test(line) && (lines[at + 1] ?? '') === '' && !NO_STEM.test(line),
  );
}

/** The text before a brace of LaTeX: a command, an index, another group. */
const LATEX_BEFORE = /(?:\\[a-z]{1,30}|[\^_}])$/i;

const hasGiftAnswer = (text: string) =>
  hasGiftEssay(text) ||
  [...text.matchAll(GIFT_ANSWER)].some(
    ({ index }) => !LATEX_BEFORE.test(text.slice(Math.max(0, index - 32), index)),
  );

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function textFormat(name: string, text: string): FormatId {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const [firstLine = ''] = sample.split('\n');
  const extension = extensionOf(name);
  if (extension === 'csv' || extension === 'tsv') return 'csv';
  if (extension === 'gift' || /^(::|\$CATEGORY:|\/\/)/m.test(sample)) return 'gift';
  if (isTableHead(firstLine)) return 'csv';
  const answers = countOf(sample, /^ANSWER:\s*\S\s*$/gim);
  if (answers > 0 && /^[A-ZА-Я][.)]\s/m.test(sample)) {
    // Every question must have a numbered line: a single numbered line in some stem is no question number.
    return countOf(sample, /^\s*\d+[.)]\s/gm) >= answers ? 'markedText' : 'aiken';
  }
  return hasGiftAnswer(sample) ? 'gift' : 'markedText';
}

/**
 * Detects the format of a file by its content. Its name helps only if texts look alike.
 * @throws {UnreadableFile} an unsupported format, with advice
 */
export function detectFormat({ name, bytes }: PickedFile): FormatId {
  if (bytes.length === 0) throw new UnreadableFile('Файл пуст. Выберите другой');
  if (bytes.length > MAX_FILE_BYTES) {
    throw new UnreadableFile('Файл больше 50 МБ. Разделите его на части');
  }
  if (isArchive(bytes)) return archiveFormat(bytes);
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    throw new UnreadableFile(
      'Это старый файл Word или Excel. Откройте его там и сохраните как .docx или .xlsx',
    );
  }
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) {
    throw new UnreadableFile(
      'PDF здесь не читается. Откройте исходный документ Word или скопируйте текст в файл .txt',
    );
  }
  if (startsWith(bytes, [0x7b, 0x5c, 0x72, 0x74, 0x66])) {
    throw new UnreadableFile('Это документ RTF. Сохраните его как .docx');
  }
  // XML with pictures may be larger than a text, so its beginning decides.
  const { text } = decodeText(bytes.subarray(0, MAX_TEXT_BYTES));
  // A bank of GIFT may begin with a tag.
  if (/^\s*</.test(text) && extensionOf(name) !== 'gift')
    return xmlFormat(text.slice(0, SAMPLE_CHARACTERS));
  return textFormat(name, text);
}
