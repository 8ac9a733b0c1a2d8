import * as v from 'valibot';
import {
  ANSWER_TEXT_CHARACTERS,
  FILE_TYPES_PER_QUESTION,
  PARTS_PER_QUESTION,
  QUESTION_TITLE_CHARACTERS,
  TAG_CHARACTERS,
  TAGS_PER_QUESTION,
} from '#contract/limits.ts';
import { Question } from '#contract/questions.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { withoutInvisible } from '#domain/format-typed.ts';
import { acceptedIdentity } from '#domain/normalise.ts';
import { textsOf } from '#domain/question-texts.ts';
import { withSharedRight } from '#domain/shared-right.ts';
import { writtenTypes } from '#domain/written-types.ts';

const TOPIC_CHARACTERS = 200;

export type Fitted =
  | { readonly question: Question; readonly losses: readonly string[] }
  | { readonly reason: string };

/** A cut never splits a character. */
const cut = (text: string, most: number) =>
  text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();

const line = (text: string | undefined) => text?.replaceAll(/\s+/g, ' ').trim() ?? '';

/** The length of the longest list of parts, such as options, at any depth. */
const mostParts = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).map(mostParts);
  const own = Array.isArray(value) && value.some((part) => typeof part === 'object');
  return Math.max(own ? (value as unknown[]).length : 0, ...inner);
};

type Fields = Readonly<Record<string, unknown>>;

/** Changes a question's fields and those of its parts, at any depth. The result is parsed afterwards. */
const mapParts = (question: Question, change: (part: Fields) => Fields): Question => {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(change(value as Fields));
    return Object.fromEntries(fields.map(([name, field]) => [name, changed(field)]));
  };
  return changed(question) as Question;
};

const withoutEmptyFeedback = (question: Question): Question =>
  mapParts(question, ({ feedback, ...part }) =>
    typeof feedback === 'string' && feedback.trim() !== '' ? { ...part, feedback } : part,
  );

/** The question with file types that the server accepts. Invalid ones are added to `losses`. */
function withFileTypes(question: Question, losses: string[]): Question {
  if (!('accept' in question)) return question;
  const { accept, unknown } = writtenTypes(question.accept);
  if (unknown.length > 0)
    losses.push(`Типы файлов не переносятся: ${unknown.join(', ').slice(0, 200)}`);
  if (accept.length > FILE_TYPES_PER_QUESTION)
    losses.push(`Перенесены первые ${FILE_TYPES_PER_QUESTION} типов файлов из ${accept.length}`);
  return { ...question, accept: accept.slice(0, FILE_TYPES_PER_QUESTION) };
}

type KeyedQuestion = Extract<Question, { kind: 'open' }>;
type Accepted = KeyedQuestion['accepted'];

/**
 * Merges answers that scoring treats as equal: keeps the best share, and the feedback that a student would have got.
 * The merged ones are added to `losses`.
 */
function mergeEqualAnswers(found: Accepted, tolerance: number, losses: string[]): Accepted {
  const groups = new Map<string, Accepted>();
  // Invisible characters between the letters of a key, such as a soft hyphen or a direction mark, are removed.
  for (const answer of found.map((one) => ({ ...one, text: withoutInvisible(one.text) }))) {
    const identity = acceptedIdentity(answer.text, answer.tolerance ?? tolerance);
    groups.set(identity, [...(groups.get(identity) ?? []), answer]);
  }
  return [...groups.values()].flatMap((equal) => {
    const byShare = [...equal].sort((a, b) => b.share - a.share);
    const [best] = byShare;
    if (!best || equal.length === 1) return equal;
    const texts = [...new Set(equal.map(({ text }) => `«${cut(line(text), 60)}»`))].join(', ');
    const isUnequal = equal.some(({ share }) => share !== best.share);
    losses.push(
      `Одинаковые ответы ${texts} объединены${isUnequal ? ', взята наибольшая доля баллов' : ''}`,
    );
    const feedback = byShare.find((answer) => answer.feedback)?.feedback;
    return [{ ...best, ...(feedback === undefined ? {} : { feedback }) }];
  });
}

/** Merges equal accepted answers, of a question or of a gap. */
const withoutEqualAnswers = (question: Question, losses: string[]): Question =>
  mapParts(question, (part) => {
    if (!('accepted' in part && 'tolerance' in part)) return part;
    const { accepted, tolerance } = part as Pick<KeyedQuestion, 'accepted' | 'tolerance'>;
    return { ...part, accepted: mergeEqualAnswers(accepted, tolerance, losses) };
  });

/** Changes of the parts of a kind, whatever the format. */
const PARTS: KindTable<Question> = { compliance: withSharedRight };

/**
 * Fits an imported question to the contract: short fields are truncated with a reported loss, others are refused with a
 * reason. Empty fields are left out.
 */
export function fitted(given: Question): Fitted {
  const losses: string[] = [];
  const { explanation, transcript, title, topic, tags, difficulty, ...rest } = given;
  if (textsOf(given).some((text) => text.length > ANSWER_TEXT_CHARACTERS)) {
    return {
      reason: `Текст длиннее ${ANSWER_TEXT_CHARACTERS} символов. Разделите вопрос на части`,
    };
  }
  if (mostParts(given) > PARTS_PER_QUESTION) {
    return { reason: `Вариантов больше ${PARTS_PER_QUESTION}. Разделите вопрос на части` };
  }
  const shortened = (text: string | undefined, most: number, loss: string) => {
    const whole = line(text);
    if (whole.length > most) losses.push(loss);
    return cut(whole, most);
  };
  const shortTitle = shortened(title, QUESTION_TITLE_CHARACTERS, 'Название вопроса сокращено');
  const shortTopic = shortened(topic, TOPIC_CHARACTERS, 'Тема вопроса сокращена');
  const allTags = [...new Set((tags ?? []).map((tag) => line(tag)))].filter((tag) => tag !== '');
  const shortTags = allTags.map((tag) => cut(tag, TAG_CHARACTERS));
  if (allTags.some((tag) => tag.length > TAG_CHARACTERS)) losses.push('Длинные метки сокращены');
  if (allTags.length > TAGS_PER_QUESTION) {
    losses.push(`Перенесены первые ${TAGS_PER_QUESTION} меток из ${allTags.length}`);
  }
  const points = Math.round(rest.points * 100) / 100;
  if (points !== rest.points) losses.push('Баллы округлены до сотых');
  const bare = withoutEmptyFeedback({ ...rest, points });
  const whole = entryOf(PARTS, bare)?.(bare) ?? bare;
  const question = {
    ...withFileTypes(withoutEqualAnswers(whole, losses), losses),
    ...(explanation === undefined || explanation.trim() === '' ? {} : { explanation }),
    ...(transcript === undefined || transcript.trim() === '' ? {} : { transcript }),
    ...(shortTitle === '' ? {} : { title: shortTitle }),
    ...(shortTopic === '' ? {} : { topic: shortTopic }),
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(shortTags.length === 0 ? {} : { tags: shortTags.slice(0, TAGS_PER_QUESTION) }),
  };
  const checked = v.safeParse(Question, question);
  if (!checked.success) return { reason: `Вопрос не читается: ${checked.issues[0].message}` };
  return { question: checked.output, losses };
}
