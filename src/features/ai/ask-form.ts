import * as v from 'valibot';
import type { draftQuestions } from '#contract/ai.ts';
import { QuestionKind } from '#contract/bank.ts';
import { MAX_AI_QUESTIONS, AI_SOURCE_CHARACTERS } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import type { BodyOf } from '#contract/route.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { formatNumber } from '#domain/format.ts';

/** Form state of a request to the provider. */
export const AskForm = v.object({
  theme: v.union([Theme, v.literal('')]),
  difficulty: v.union([Difficulty, v.literal('')]),
  topic: v.string(),
  wishes: v.string(),
  source: v.string(),
  kinds: v.array(QuestionKind),
  count: v.string(),
});
export type AskForm = v.InferOutput<typeof AskForm>;

export const EMPTY_FORM: AskForm = {
  theme: '',
  difficulty: '',
  topic: '',
  wishes: '',
  source: '',
  kinds: ['variant'],
  count: '5',
};

/** Prefills untouched fields from the test's settings. */
export function prefilled(
  form: AskForm,
  test: { readonly theme: string; readonly difficulty: string; readonly topic: string },
): AskForm {
  const theme = v.is(Theme, test.theme) ? test.theme : '';
  const difficulty = v.is(Difficulty, test.difficulty) ? test.difficulty : '';
  return {
    ...form,
    theme: form.theme === '' ? theme : form.theme,
    difficulty: form.difficulty === '' ? difficulty : form.difficulty,
    topic: form.topic === '' ? test.topic : form.topic,
  };
}

const MAX_TOPIC_LENGTH = 500;
const MAX_WISHES_LENGTH = 2_000;
/** Limits of the excerpts of existing questions sent to the provider. */
const MAX_EXISTING = 100;
const BEGINNING = 120;

const upTo = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(
      most,
      ({ received }) =>
        `Слишком длинно: ${formatNumber(Number(received))} из ${formatNumber(most)} знаков`,
    ),
  );
const COUNT = `Число от 1 до ${MAX_AI_QUESTIONS}`;

/** The form of a request that can be sent. */
export const ValidAskForm = v.pipe(
  v.object({
    ...AskForm.entries,
    topic: upTo(MAX_TOPIC_LENGTH),
    wishes: upTo(MAX_WISHES_LENGTH),
    source: upTo(AI_SOURCE_CHARACTERS),
    kinds: v.pipe(AskForm.entries.kinds, v.nonEmpty('Выберите хотя бы один вид вопросов')),
    count: v.pipe(
      v.string(),
      v.trim(),
      v.check((count) => {
        const isWhole = /^\d+$/.test(count);
        return isWhole && Number(count) >= 1 && Number(count) <= MAX_AI_QUESTIONS;
      }, COUNT),
    ),
  }),
  v.forward(
    v.check(
      ({ topic, source }) => topic !== '' || source !== '',
      'Назовите тему или вставьте текст',
    ),
    ['topic'],
  ),
);

/** Excerpts of existing questions, to avoid duplicates. */
const beginnings = (questions: readonly Pick<Question, 'text'>[]): string[] =>
  questions
    .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim().slice(0, BEGINNING))
    .filter((text) => text !== '')
    .slice(-MAX_EXISTING);

/** Request body of a valid form. */
export const askBody = (
  { theme, difficulty, topic, wishes, source, kinds }: AskForm,
  count: number,
  known: readonly Pick<Question, 'text'>[],
): BodyOf<typeof draftQuestions> => ({
  theme,
  difficulty,
  topic: topic.trim(),
  wishes: wishes.trim(),
  source: source.trim(),
  kinds,
  count,
  existing: beginnings(known),
});
