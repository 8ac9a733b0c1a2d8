import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { collecting, excerptOf, type Collected } from '#interchange/collected.ts';
import { decodeText } from '#interchange/encoding.ts';
import { fitted } from '#interchange/fitted.ts';
import { UnreadableFile, type Reader, type Tools } from '#interchange/model.ts';
import { questionOf } from './build.ts';
import { cutLine, plainOf, textLine, type Line, type Style } from './line.ts';
import { splitOptions } from './one-line.ts';
import { keyLength, keysHead } from './keys.ts';
import { explanationLength, numbered } from './patterns.ts';
import { recognise } from './recognise.ts';
import { readTagged } from './tagged.ts';

const NO_STYLES: ReadonlySet<Style> = new Set();
const SKIPPED_SHOWN = 20;
/** A longer line cannot belong to a test. */
const MAX_LINE_CHARACTERS = 100_000;

/** Reads the questions of a document, line by line; returns the test's name if it precedes them. */
export function readLines(lines: readonly Line[], tools: Tools, found: Collected): string | null {
  const { title, drafts, skipped } = readTagged(lines) ?? recognise(splitOptions(lines));
  for (const draft of drafts) {
    if (found.isFull()) break;
    if (draft.options.length > PARTS_PER_QUESTION) {
      const reason = `Вариантов больше ${PARTS_PER_QUESTION}. Разделите вопрос на части`;
      found.refuse(draft.place, draft.text.slice(0, 5).map(plainOf).join(' '), reason);
      continue;
    }
    const { question, losses } = questionOf(draft, tools);
    const words = draft.text.map(plainOf).join(' ');
    if (question.text === '') {
      found.refuse(draft.place, words, 'Нет текста вопроса');
      continue;
    }
    const fit = fitted(question);
    if ('reason' in fit) found.refuse(draft.place, words, fit.reason);
    else
      found.add({ question: fit.question, place: draft.place, losses: [...losses, ...fit.losses] });
  }
  if (title !== null && /\?|\d[.)]\s/.test(title))
    found.note(`Первая строка взята как название теста: ${excerptOf(title)}`);
  for (const line of skipped.slice(0, SKIPPED_SHOWN)) {
    for (const loss of line.losses) found.note(`${loss} (${line.place})`);
    if (plainOf(line).trim() === '') continue;
    found.note(
      `Пропущено, так как это не вопрос и не ответ (${line.place}): ${excerptOf(plainOf(line))}`,
    );
  }
  if (skipped.length > SKIPPED_SHOWN) {
    found.note(`И ещё пропущено строк: ${skipped.length - SKIPPED_SHOWN}`);
  }
  return title;
}

/** «**жирный**» of Markdown; «2 ** 3» and «**kwargs» are text. */
const BOLD = /(?<=^|[\s(])\*\*(?=\S)([^*]{1,2000})(?<=\S)\*\*(?=$|[\s.,;:!?)✅✓+])/gu;
const BOLD_STYLE: ReadonlySet<Style> = new Set(['bold']);

/** The mark that begins a heading or a quotation of Markdown. */
const HEAD = /^(?:#{1,6}\s{1,9}|>\s{0,3})/;

/** Reads a line that may be Markdown: bold text is a style, and a heading may be a question. */
function writtenLine(line: Line, areHeadsNumbered: boolean): Line {
  const text = plainOf(line);
  const parts = text.split(BOLD);
  const pieces = parts.map((part, at) => ({
    kind: 'words' as const,
    text: part,
    styles: at % 2 === 1 ? BOLD_STYLE : NO_STYLES,
  }));
  const read = parts.length > 1 ? { ...line, pieces } : line;
  const [head = ''] = HEAD.exec(text) ?? [];
  // «# Ответ: …» beside numbered questions is a comment of a program.
  if (head === '' || (/^#\s/.test(head) && !areHeadsNumbered)) return read;
  const bare = cutLine(read, head.length);
  const behind = plainOf(bare);
  const isNumbered = areHeadsNumbered && head.startsWith('#') && numbered(behind) !== null;
  const isKnown =
    isNumbered ||
    keyLength(behind) > 0 ||
    keysHead(behind) !== null ||
    explanationLength(behind) > 0;
  return isKnown ? bare : read;
}

/** A break that Markdown writes at the end of lines. A single one may be the subject of the question. */
const BREAK = /(?<=[\p{L}\d.,;:!?)»+*✓]\s{0,3})<br\s?\/?>$/iu;
const FEWEST_BREAKS = 3;

/** Lines of a text; those of a code block stay unchanged. */
function writtenLines(text: string): Line[] {
  const areHeadsNumbered = /^#{2,6}\s.{0,20}\d/m.test(text) || !/^\s*\d{1,4}[.)]\s/m.test(text);
  const areBreaks =
    (text.match(/[\p{L}\d.,;:!?)»+*✓]\s{0,3}<br\s?\/?>\s*$/gimu)?.length ?? 0) >= FEWEST_BREAKS;
  let isCode = false;
  return text.split('\n').map((written, index) => {
    const text = written.slice(0, MAX_LINE_CHARACTERS).trim();
    const place = `строка ${index + 1}`;
    const isFence = text.startsWith('```');
    if (isFence) isCode = !isCode;
    if (isCode || isFence) return textLine(place, text);
    const bare = areBreaks ? text.replace(BREAK, '') : text;
    return writtenLine(textLine(place, bare), areHeadsNumbered);
  });
}

/** Reads the plain form that teachers use: numbered questions, lettered options, marks or «Ответ:». */
export const readMarkedText: Reader = async ({ bytes }, tools) => {
  const { text, note } = decodeText(bytes);
  const found = collecting('markedText', tools);
  found.note(note);
  const lines = writtenLines(text);
  const title = readLines(lines, tools, found);
  const imported = found.done(title);
  if (imported.items.length === 0 && imported.refused.length === 0) {
    throw new UnreadableFile(
      'Вопросов не нашлось. Пронумеруйте их («1. Текст»), а варианты обозначьте буквами («а) …») и отметьте верный знаком + или строкой «Ответ: а»',
    );
  }
  return imported;
};
