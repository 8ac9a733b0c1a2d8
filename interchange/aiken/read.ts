import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { collecting, type Collected } from '#interchange/collected.ts';
import { decodeText } from '#interchange/encoding.ts';
import { fitted } from '#interchange/fitted.ts';
import { textToMarkdown } from '#interchange/imported-text.ts';
import { isLetterOf, placeOfLetter } from '#interchange/letters.ts';
import { UnreadableFile, type Reader, type Tools } from '#interchange/model.ts';

const OPTION = /^([A-Za-zА-Яа-яЁё])\s?[.)]\s*(.*)$/;
/** Explanations that some programs write after the answer. */
const EXPLANATION = /^(?:FEEDBACK|EXPLANATION|RATIONALE|ПОЯСНЕНИЕ|КОММЕНТАРИЙ)\s*:\s*(.*)$/i;
const KEY = /^(?:ANSWERS?|ОТВЕТЫ?)\s*:\s*(.*)$/i;

/** Lines that some programs add to a question. Its kind is that of its answers. */
const ABOUT = /^(TYPE|POINTS?|SCORE|MARKS?)\s*:\s*(.*)$/;

/** A greater number is a mistake in the file. */
const MAX_POINTS = 1_000;

/** The lines between two lines with answers. */
interface Block {
  line: number;
  text: string[];
  options: { letter: string; lines: string[] }[];
  /** Lines after a gap: they belong to the last option, or already to the next question. */
  tail: { line: number; text: string }[];
  hasGap: boolean;
  /** The text after ANSWER; null before that line. */
  key: string | null;
  explanation: string[];
  points: number;
}

const emptyBlock = (): Block => ({
  line: 0,
  text: [],
  options: [],
  tail: [],
  hasGap: false,
  key: null,
  explanation: [],
  points: 1,
});
function shown(lines: readonly string[]): string {
  const text = lines.join('\n');
  // Too long to import. Refused by its length, so that it need not be parsed.
  return text.length > ANSWER_TEXT_CHARACTERS ? text : textToMarkdown(text, false);
}

function addBlock(block: Block, tools: Tools, found: Collected): void {
  const key = block.key ?? '';
  const place = `строка ${block.line}`;
  const text = block.text.join('\n');
  const last = block.options.at(-1);
  last?.lines.push(...block.tail.map((line) => line.text));
  if (block.options.length < 2) {
    found.refuse(place, text, 'Нет вариантов: каждый пишется с новой строки, «A. Текст»');
    return;
  }
  const letters = block.options.map(({ letter }) => letter);
  const keys = key.replaceAll(/(?:^|[\s,;])(?:и|and)(?=[\s,;])/gi, ' ').match(/[\p{L}\d]+/gu) ?? [];
  const places = keys.map((letter) => (letter.length === 1 ? placeOfLetter(letter, letters) : -1));
  if (keys.length === 0) {
    found.refuse(place, text, 'В строке ANSWER нет буквы верного варианта');
    return;
  }
  const missing = keys.find((_, index) => (places[index] ?? -1) < 0);
  if (missing !== undefined) {
    found.refuse(place, text, `В строке ANSWER назван вариант «${missing}», а такого нет`);
    return;
  }
  const fit = fitted({
    questionId: tools.newId(),
    kind: 'variant',
    text: shown(block.text),
    points: block.points,
    multiple: new Set(places).size > 1,
    shuffle: false,
    scoring: 'partial',
    options: block.options.map(({ lines }, index) => ({
      optionId: tools.newId(),
      text: shown(lines),
      isRight: places.includes(index),
    })),
    ...(block.explanation.length === 0 ? {} : { explanation: shown(block.explanation) }),
  });
  if ('reason' in fit) found.refuse(place, text, fit.reason);
  else found.add({ question: fit.question, place, losses: fit.losses });
}

function refuseUnanswered(block: Block, found: Collected): void {
  if (block.text.length === 0) return;
  found.refuse(
    `строка ${block.line}`,
    block.text.join('\n'),
    'Нет строки ANSWER с верным вариантом',
  );
}

/** Adds one line to the block; returns the current block. */
function withLine(block: Block, line: number, text: string, found: Collected): Block {
  const [, letter = '', rest = ''] = OPTION.exec(text) ?? [];
  const canBeOption = letter !== '' && block.text.length > 0;
  if (canBeOption && block.tail.length > 0 && isLetterOf(letter, 0)) {
    // A question without an answer ended before the gap.
    refuseUnanswered(block, found);
    const [first] = block.tail;
    return {
      ...emptyBlock(),
      line: first?.line ?? line,
      text: block.tail.map((tail) => tail.text),
      options: [{ letter, lines: [rest] }],
    };
  }
  if (canBeOption && isLetterOf(letter, block.options.length)) {
    block.options.push({ letter, lines: [rest] });
    return block;
  }
  if (block.options.length === 0) {
    if (block.text.length === 0) block.line = line;
    block.text.push(text);
  } else if (block.hasGap && block.options.length > 1) block.tail.push({ line, text });
  else block.options.at(-1)?.lines.push(text);
  return block;
}

/** Reads Aiken: a question, options «A. …» or «А) …», and «ANSWER: A» or «ОТВЕТ: А». */
export const readAiken: Reader = async ({ bytes }, tools) => {
  const { text, note } = decodeText(bytes);
  const found = collecting('aiken', tools);
  found.note(note);
  let block = emptyBlock();
  let isAny = false;
  for (const [index, raw] of text.split('\n').entries()) {
    if (found.isFull()) break;
    const line = raw.trim();
    const key = KEY.exec(line)?.[1];
    const [, about, value = ''] = (block.options.length > 1 && ABOUT.exec(line)) || [];
    if (about !== undefined) {
      const points = Number(value.trim().replace(',', '.'));
      if (about !== 'TYPE' && points > 0 && points <= MAX_POINTS) block.points = points;
      continue;
    }
    const explanation = block.key === null ? undefined : EXPLANATION.exec(line)?.[1];
    if (explanation !== undefined) {
      block.explanation.push(explanation);
      continue;
    }
    if (block.key !== null && line !== '') {
      addBlock(block, tools, found);
      block = emptyBlock();
      if (found.isFull()) break;
    }
    if (key !== undefined && block.text.length > 0) {
      isAny = true;
      block.key = key;
    } else if (line === '') {
      block.hasGap = block.options.length > 0;
    } else {
      block = withLine(block, index + 1, line, found);
    }
  }
  if (!found.isFull()) {
    if (block.key === null) refuseUnanswered(block, found);
    else addBlock(block, tools, found);
  }
  if (!isAny) {
    throw new UnreadableFile(
      'В файле нет вопросов Aiken: после вариантов «A. …» нужна строка «ANSWER: A»',
    );
  }
  return found.done();
};
