import { createHash } from 'node:crypto';
import type { Question } from '#contract/questions.ts';
import { bankEntryId, withoutCredit } from '#domain/bank.ts';
import { plainText } from '#domain/format-plain-text.ts';
import { showTex } from '#domain/format-tex.ts';
import { studentTextsOf, textsOf } from '#domain/question-texts.ts';
import { searchableText } from '#domain/search.ts';
import { withShownTranscripts } from '#domain/student-question.ts';
import { wordPatterns } from '#server/db/search.ts';

/** Maximum length of the searchable text of a question. */
const MAX_WORDS = 20_000;

/** The entry of a question of a test. Variants made of one template for one place are one entry. */
export function entryOf(question: Question): string {
  const { origin, variantOf } = question;
  return origin?.kind === 'template' && variantOf !== undefined ? variantOf : bankEntryId(question);
}

/** The question as the bank stores it, independent of a test: its id is the entry's. */
export function entryQuestion(question: Question, entryId: string): Question {
  const { variantOf: _, origin, ...alone } = withoutCredit(question);
  return {
    ...alone,
    questionId: entryId,
    ...(origin !== undefined && origin.kind !== 'bank' && { origin }),
  };
}

/** Digest of a question's contents, whatever its test: equal for copies, hex. */
export function digestOf(question: Question): string {
  const { questionId: _, variantOf: __, origin: ___, ...said } = withoutCredit(question);
  return createHash('md5').update(JSON.stringify(said)).digest('hex');
}

/**
 * What a student reads of a question, without its ids, key, points and spacing: equal for a question that was typed or
 * imported twice.
 */
export function contentKey(question: Question): string {
  const plain = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  const texts = studentTextsOf(withShownTranscripts(question)).map(plain).toSorted();
  return JSON.stringify([question.kind, plain(question.text), texts]);
}

/** Brackets within brackets do not match, so that unclosed ones are skipped in one pass. */
const LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;

/** Markdown without its markup: the text that a reader sees, formulas as they are typed or shown. */
const withoutSigns = (markdown: string): string =>
  markdown.replaceAll(LINK, '$1').replaceAll(/[*_`#>|~$\\]/g, '');

/** The searchable text of a question, except its topic; see `wordPatterns`. */
export function searchTextOf(question: Question): string {
  const { title = '', text, tags = [] } = question;
  const all = [title, ...textsOf(question), ...tags].join(' ');
  const shown = [title, text].map((part) => plainText(part, showTex)).join(' ');
  // The cut may split a surrogate pair, which the database then refuses.
  return searchableText(`${withoutSigns(all)} ${withoutSigns(shown)}`)
    .slice(0, MAX_WORDS)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** Search patterns of the typed text; Markdown markup is ignored on both sides. */
export const questionPatterns = (typed: string): string[] => wordPatterns(withoutSigns(typed));
