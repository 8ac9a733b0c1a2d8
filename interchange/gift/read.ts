import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { collecting, type Collected } from '#interchange/collected.ts';
import { decodeText } from '#interchange/encoding.ts';
import { fitted } from '#interchange/fitted.ts';
import { UnreadableFile, type Reader, type Tools } from '#interchange/model.ts';
import { readPassages, type ReadPassages } from '#interchange/items/passages.ts';
import { giftBlocks, type GiftBlock } from './blocks.ts';
import { readMarks, type Marks } from './marks.ts';
import { GiftProblem, parseGift } from './parse.ts';
import { questionOf } from './read-answer.ts';
import { markdownOf } from './text.ts';

const NO_ANSWER =
  'У текста нет ответа в фигурных скобках, и вопроса после него нет: это пояснение, а не вопрос';
const CATEGORY = /^\$CATEGORY:(.*)$/;
/** The gap of a missing word needs no escapes in plain text. */
const ESCAPED_GAP = '\\_'.repeat(5);
/** Longer blocks cannot be a question, and are not parsed. */
const MAX_BLOCK_CHARACTERS = 10 * ANSWER_TEXT_CHARACTERS;

/** «$course$/top/Алгебра/Степени» → «Алгебра / Степени»; `//` is a slash of a name. */
function topicOf(path: string): string {
  return path
    .replaceAll('//', '\ue100')
    .split('/')
    .map((name) => name.trim())
    .filter(
      (name, index) => !/^\$\w+\$$/.test(name) && !(index < 2 && name === 'top') && name !== '',
    )
    .map((name) => name.replaceAll('\ue100', '/'))
    .join(' / ');
}

function pointsOf(marks: Marks): number {
  const points = Number(marks.values.get('points') ?? 1);
  return Number.isFinite(points) && points >= 0 && points <= 10_000 ? points : 1;
}

function difficultyOf(marks: Marks): Pick<Question, 'difficulty'> {
  const difficulty = marks.values.get('difficulty');
  return difficulty === 'easy' || difficulty === 'medium' || difficulty === 'hard'
    ? { difficulty }
    : {};
}

interface Reading {
  readonly topic: string;
  readonly tools: Tools;
  readonly found: Collected;
  readonly passages: ReadPassages;
}

function readBlock(block: GiftBlock, { topic, tools, found, passages }: Reading): void {
  const place = `строка ${block.line}`;
  if (block.text.length > MAX_BLOCK_CHARACTERS) {
    found.refuse(place, block.text, 'Вопрос слишком длинный. Проверьте, закрыта ли скобка «}»');
    return;
  }
  const losses: string[] = [];
  const parsed = parseGift(block.text);
  if (parsed.answer === null) {
    const text = markdownOf(parsed.stem, { inline: false }, losses);
    passages.begin({ place, text, reason: [NO_ANSWER, ...losses].join('. ') });
    return;
  }
  const { title, stem, answer, explanation, hasLooseEquals } = parsed;
  const marks = readMarks(block.comments);
  found.language(marks.values.get('language') ?? '');
  const base = {
    questionId: tools.newId(),
    text: markdownOf(stem, { inline: false }, losses).replaceAll(ESCAPED_GAP, '_____'),
    points: pointsOf(marks),
  };
  const fit = fitted({
    ...questionOf(answer, { base, marks, tools, losses }),
    ...difficultyOf(marks),
    ...passages.shown(),
    ...(explanation === null
      ? {}
      : { explanation: markdownOf(explanation, { inline: false }, losses) }),
    title,
    topic,
    tags: [...marks.tags],
  });
  if ('reason' in fit) {
    found.refuse(place, stem.text, fit.reason);
    return;
  }
  if (/^\s*\/\*|^[^/]*\*\/\s*$|\/\*\s*$/.test(block.text))
    losses.push('Знаки /* и */ остались в тексте: примечание в GIFT начинается с //');
  if (hasLooseEquals) losses.push('Знак = внутри варианта оставлен в его тексте: проверьте');
  found.add({ question: fit.question, place, losses: [...losses, ...fit.losses] });
  passages.used();
}

/** Reads GIFT in Moodle's dialect; one invalid question does not refuse the rest. */
export const readGift: Reader = async ({ bytes }, tools) => {
  const { text, note } = decodeText(bytes);
  const found = collecting('gift', tools);
  found.note(note);
  const passages = readPassages(found, tools.newId);
  let topic = '';
  let isAny = false;
  for (const block of giftBlocks(text)) {
    if (found.isFull()) break;
    const category = CATEGORY.exec(block.text)?.[1];
    if (category !== undefined) {
      topic = topicOf(category);
      passages.end();
      continue;
    }
    isAny ||= /[{}]/.test(block.text);
    try {
      readBlock(block, { topic, tools, found, passages });
    } catch (error) {
      if (!(error instanceof GiftProblem)) throw error;
      found.refuse(`строка ${block.line}`, block.text, error.message);
    }
  }
  if (!isAny) {
    throw new UnreadableFile(
      'В файле нет вопросов GIFT: у них ответ стоит в фигурных скобках, например {=верно ~неверно}',
    );
  }
  passages.end();
  return found.done();
};
