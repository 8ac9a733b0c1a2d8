import * as v from 'valibot';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { QuestionOf } from '#domain/kinds/rules.ts';
import { withDollarFormulas } from '#domain/tex-delimiters.ts';
import { restoreFormulas } from '#server/ai/formulas.ts';

/** Fields that several kinds have in the provider's form. */

export const text = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => withDollarFormulas(restoreFormulas(String(value))).trim()),
);

export const isTrue = (value: unknown): boolean =>
  value === true || value === 'true' || value === 1;

export const parts = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) =>
  v.pipe(v.array(item), v.maxLength(PARTS_PER_QUESTION));

const option = v.union([
  v.pipe(
    text,
    v.transform((words) => ({ text: words, right: false })),
  ),
  v.object({
    text,
    right: v.optional(v.unknown()),
    isRight: v.optional(v.unknown()),
    correct: v.optional(v.unknown()),
    feedback: v.nullish(text),
  }),
]);
export const options = parts(option);

const acceptedAnswer = v.union([
  v.pipe(
    text,
    v.transform((words) => ({ text: words, share: 1 })),
  ),
  v.object({
    text,
    share: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 1),
    feedback: v.nullish(text),
  }),
]);
export const accepted = v.optional(parts(acceptedAnswer), []);
export const tolerance = v.fallback(v.optional(v.pipe(v.number(), v.minValue(0)), 0), 0);

const visibleFeedback = (feedback: string | null | undefined) =>
  feedback === undefined || feedback === null || feedback === '' ? {} : { feedback };

export const readAccepted = (answers: v.InferOutput<typeof accepted>) =>
  answers.map(({ text: words, share, ...rest }) => ({
    text: words,
    share,
    ...('feedback' in rest ? visibleFeedback(rest.feedback) : {}),
  }));

export const readOptions = (given: v.InferOutput<typeof options>, newId: () => string) =>
  given.map((one) => ({
    optionId: newId(),
    text: one.text,
    isRight:
      'isRight' in one || 'correct' in one
        ? [one.right, one.isRight, one.correct].some(isTrue)
        : isTrue(one.right),
    ...('feedback' in one ? visibleFeedback(one.feedback) : {}),
  }));

export const writeAccepted = (answers: QuestionOf<'open'>['accepted']) =>
  answers.map(({ text: answer, share, feedback }) => ({ text: answer, share, feedback }));

export const writeOptions = (
  given: readonly Pick<QuestionOf<'variant'>['options'][number], 'text' | 'isRight' | 'feedback'>[],
) => given.map(({ text: words, isRight, feedback }) => ({ text: words, right: isRight, feedback }));

export const UNCLEAR = {
  options: 'варианты записаны непонятно',
  accepted: 'верные ответы записаны непонятно',
};
