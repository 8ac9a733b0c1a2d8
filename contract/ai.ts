import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { QuestionKind } from './bank.ts';
import {
  AI_BODY_BYTES,
  MAX_AI_QUESTIONS,
  AI_SOURCE_CHARACTERS,
  QUESTION_ROWS_PER_TEST,
} from './limits.ts';
import { PositiveInteger } from './primitives.ts';
import { Question } from './questions.ts';
import { route } from './route.ts';
import { Difficulty, Theme } from './themes.ts';

export const getAiStatus = route({
  name: 'getAiStatus',
  summary: 'Whether drafts by a provider can be had, and from whom; never its key',
  method: 'GET',
  path: '/api/Ai/status',
  access: 'teacher',
  ownership: 'none',
  reply: v.object({
    configured: v.boolean(),
    model: v.nullable(v.string()),
    /** Where texts are sent: the provider's host. */
    host: v.nullable(v.string()),
  }),
});

/** Why generation stopped. Earlier events stay valid. */
export const AiFailure = v.picklist([
  'timeout',
  'unreachable',
  'unauthorized',
  'rateLimited',
  'refused',
  'empty',
  'badReply',
  'tooLong',
]);
export type AiFailure = v.InferOutput<typeof AiFailure>;

/** The events of a generation. */
export const AiEvent = v.variant('kind', [
  /** Characters written so far: progress between questions. */
  v.object({ kind: v.literal('progress'), characters: v.number() }),
  v.object({ kind: v.literal('question'), question: Question }),
  /** Generated text that is no valid question: the reason, and the beginning of the text. */
  v.object({ kind: v.literal('rejected'), reason: v.string(), raw: v.string() }),
  /** `cut`: the provider stopped before the end, by its own limit. */
  v.object({ kind: v.literal('done'), questions: v.number(), cut: v.boolean() }),
  v.object({
    kind: v.literal('failed'),
    failure: AiFailure,
    /** Russian: what happened and what to do. */
    message: v.string(),
    retryAfterSeconds: v.nullable(v.number()),
  }),
]);
export type AiEvent = v.InferOutput<typeof AiEvent>;

const words = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));
const about = {
  theme: v.union([Theme, v.literal('')]),
  difficulty: v.union([Difficulty, v.literal('')]),
};

export const draftQuestions = route({
  name: 'draftQuestions',
  summary: 'Drafts of questions from a topic or a text, one by one as they are written',
  method: 'POST',
  path: '/api/Ai/draft',
  access: 'teacher',
  ownership: 'none',
  bodyBytes: AI_BODY_BYTES,
  body: v.strictObject({
    ...about,
    topic: words(500),
    /** Further instructions of the teacher. */
    wishes: words(2_000),
    /** A text to make the questions from. */
    source: words(AI_SOURCE_CHARACTERS),
    kinds: v.pipe(
      boundedList(QuestionKind, QuestionKind.options.length),
      v.minLength(1, 'Выберите хотя бы один вид вопросов'),
    ),
    count: v.pipe(
      PositiveInteger,
      v.maxValue(MAX_AI_QUESTIONS, `Не больше ${MAX_AI_QUESTIONS} вопросов за раз`),
    ),
    /** Beginnings of the existing questions. */
    existing: boundedList(words(300), QUESTION_ROWS_PER_TEST),
  }),
  streams: true,
  reply: AiEvent,
  errors: ['AI_NOT_CONFIGURED'],
});

export const AiWish = v.picklist(['improve', 'distractors', 'easier', 'harder', 'again', 'own']);
export type AiWish = v.InferOutput<typeof AiWish>;

export const reviseQuestion = route({
  name: 'reviseQuestion',
  summary: 'One question anew by a wish; the first good one ends the stream',
  method: 'POST',
  path: '/api/Ai/revise',
  access: 'teacher',
  ownership: 'none',
  body: v.strictObject({ ...about, question: Question, wish: AiWish, wishes: words(2_000) }),
  streams: true,
  reply: AiEvent,
  errors: ['AI_NOT_CONFIGURED'],
});
