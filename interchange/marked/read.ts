import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { collecting, excerptOf, type Collected } from '#interchange/collected.ts';
import { decodeText } from '#interchange/encoding.ts';
import { fitted } from '#interchange/fitted.ts';
import { UnreadableFile, type Reader, type Tools } from '#interchange/model.ts';
import { questionOf } from './build.ts';
import { plainOf, textLine, type Line } from './line.ts';
import { splitOptions } from './one-line.ts';
import { recognise } from './recognise.ts';
import { readTagged } from './tagged.ts';

const SKIPPED_SHOWN = 20;
/** A longer line cannot belong to a test. */
const LINE_CHARACTERS_MOST = 100_000;

/** Reads the questions of a document, line by line; returns the test's name where it precedes them. */
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

/** Reads the plain form that teachers use: numbered questions, lettered options, marks or «Ответ:». */
export const readMarkedText: Reader = async ({ bytes }, tools) => {
  const { text, note } = decodeText(bytes);
  const found = collecting('markedText', tools);
  found.note(note);
  const lines = text
    .split('\n')
    .map((line, index) =>
      textLine(`строка ${index + 1}`, line.slice(0, LINE_CHARACTERS_MOST).trim()),
    );
  const title = readLines(lines, tools, found);
  const imported = found.done(title);
  if (imported.items.length === 0 && imported.refused.length === 0) {
    throw new UnreadableFile(
      'Вопросов не нашлось. Пронумеруйте их («1. Текст»), а варианты обозначьте буквами («а) …») и отметьте верный знаком + или строкой «Ответ: а»',
    );
  }
  return imported;
};
