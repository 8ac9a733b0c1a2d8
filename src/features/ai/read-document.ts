import { AI_SOURCE_CHARACTERS } from '#contract/limits.ts';
import { formatNumber } from '#domain/format.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { isArchive, readArchive } from '#interchange/archive.ts';
import { decodeText } from '#interchange/encoding.ts';
import { UnreadableFile } from '#interchange/model.ts';

/** The text of a document, truncated to the provider's limit, with a notice for the teacher. */
export interface DocumentText {
  readonly text: string;
  readonly notes: readonly string[];
}

const MAX_BYTES = 20 * 1024 * 1024;

const loadMammoth = createModuleLoader(() => import('mammoth'));

async function docxText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Every part is unpacked within limits first, which rejects malicious archives.
  for (const unpack of readArchive(bytes).files.values()) unpack();
  const { extractRawText } = await loadMammoth();
  try {
    return (await extractRawText({ arrayBuffer: bytes.buffer })).value;
  } catch {
    throw new UnreadableFile('Документ Word не открывается. Сохраните его заново в формате .docx');
  }
}

/**
 * Reads a Word document (.docx) or plain text in any common Russian encoding.
 * @throws {UnreadableFile} in Russian: what is wrong with the file
 */
export async function readDocument(file: Blob & { name: string }): Promise<DocumentText> {
  if (file.size > MAX_BYTES) {
    throw new UnreadableFile('Файл больше 20 МБ. Возьмите из него нужную часть');
  }
  if (/\.doc$/i.test(file.name)) {
    throw new UnreadableFile('Старый формат .doc не читается. Сохраните документ как .docx');
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isWord = /\.docx$/i.test(file.name) || isArchive(bytes);
  const decoded = isWord ? { text: await docxText(bytes), note: null } : decodeText(bytes);
  const text = decoded.text.replaceAll(/\n{3,}/g, '\n\n').trim();
  if (text === '')
    throw new UnreadableFile('В документе нет текста: возможно, в нём только снимки');
  const isCut = text.length > AI_SOURCE_CHARACTERS;
  const cut = `Взято начало: ${formatNumber(AI_SOURCE_CHARACTERS)} из ${formatNumber(text.length)} знаков`;
  return {
    text: text.slice(0, AI_SOURCE_CHARACTERS),
    notes: [...(decoded.note === null ? [] : [decoded.note]), ...(isCut ? [cut] : [])],
  };
}
