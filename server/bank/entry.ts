import { createHash } from 'node:crypto';
import type { Question } from '#contract/questions.ts';
import { bankEntryId } from '#domain/bank.ts';
import { plainWords } from '#domain/search.ts';
import { wordPatterns } from '#server/db/search.ts';

/** More of a question nobody searches in. */
const WORDS_MOST = 20_000;

/** The entry that a question of a test is. Variants made of one template for one place are one entry. */
export function entryOf(question: Question): string {
  const { origin, variantOf } = question;
  return origin?.kind === 'template' && variantOf !== undefined ? variantOf : bankEntryId(question);
}

/** The question as the bank has it, apart from every test: its id is the entry's. */
export function entryQuestion(question: Question, entryId: string): Question {
  const { variantOf: _, origin, ...alone } = question;
  return {
    ...alone,
    questionId: entryId,
    ...(origin !== undefined && origin.kind !== 'bank' && { origin }),
  };
}

/** What a question says, whatever test it stands in: equal for copies, hex. */
export function digestOf(question: Question): string {
  const { questionId: _, variantOf: __, origin: ___, ...said } = question;
  return createHash('md5').update(JSON.stringify(said)).digest('hex');
}

function partTexts(question: Question): string[] {
  switch (question.kind) {
    case 'open':
      return question.accepted.map(({ text }) => text);
    case 'variant':
      return question.options.map(({ text }) => text);
    case 'compliance':
      return [...question.left, ...question.right].map(({ text }) => text);
    case 'file':
      return [];
  }
}

/** No bracket within brackets: those that never close are passed in one go. */
const LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;

/** Markdown without its signs: what a reader sees of it, formulas as they are typed. */
const withoutSigns = (markdown: string): string =>
  markdown.replaceAll(LINK, '$1').replaceAll(/[*_`#>|~$\\]/g, '');

/** What a question is found by, but for its topic; see `wordPatterns`. */
export function wordsOf(question: Question): string {
  const { title = '', text, explanation = '', tags = [] } = question;
  const all = [title, text, ...partTexts(question), ...tags, explanation].join(' ');
  // The cut may halve a sign that the database then refuses.
  return plainWords(withoutSigns(all))
    .slice(0, WORDS_MOST)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** Patterns of what was typed to find a question; the signs of Markdown count on neither side. */
export const questionPatterns = (typed: string): string[] => wordPatterns(withoutSigns(typed));
