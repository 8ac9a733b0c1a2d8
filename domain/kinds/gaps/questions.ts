import type { Gap } from '#contract/questions.ts';
import { gapIdsIn } from '#domain/format-gaps.ts';
import { acceptedInGap, gapAnswerText, gapsShare } from '#domain/gaps.ts';
import { acceptedKeyProblems, acceptedProblems } from '#domain/kinds/accepted.ts';
import { hasRight, optionProblems, rightOptions, withRightOf } from '#domain/kinds/options.ts';
import { isDoubled } from '#domain/kinds/ids.ts';
import type { QuestionOf, QuestionRules } from '#domain/kinds/rules.ts';
import { UNKNOWN } from '#domain/kinds/texts.ts';
import { sortedOptions } from '#domain/sorted-options.ts';
import { isFilledGap } from './answers.ts';

function gapProblems(gap: Gap): string[] {
  if (gap.input === 'choice') return optionProblems(gap.options);
  return gap.accepted.length === 0 ? ['нет верного ответа'] : acceptedProblems(gap);
}

function gapKeyProblems(gap: Gap): string[] {
  if (gap.input === 'choice') return hasRight(gap.options) ? [] : ['Отметьте верный вариант'];
  if (gap.accepted.length === 0) return ['Впишите принимаемый ответ'];
  return acceptedKeyProblems(gap.accepted, gap.tolerance).map(({ message }) => message);
}

function problems({ text, gaps }: QuestionOf<'gaps'>): string[] {
  const places = gapIdsIn(text);
  const ids = gaps.map(({ gapId }) => gapId);
  return [
    ...(gaps.length === 0 ? ['в тексте нет пропусков'] : []),
    ...(isDoubled(ids) ? ['номера пропусков повторяются'] : []),
    ...(isDoubled(places) ? ['один пропуск стоит в тексте дважды'] : []),
    ...places
      .filter((gapId) => !ids.includes(gapId))
      .map((gapId) => `в тексте есть [[${gapId}]], а такого пропуска нет`),
    ...gaps.flatMap((gap) => [
      ...(places.includes(gap.gapId) ? [] : [`пропуск ${gap.gapId} не стоит в тексте`]),
      ...gapProblems(gap).map((words) => `пропуск ${gap.gapId}: ${words}`),
    ]),
  ];
}

function withGapKey(gap: Gap, gaps: readonly Gap[]): Gap {
  const keyed = gaps.find(({ gapId }) => gapId === gap.gapId);
  if (gap.input === 'choice')
    return keyed?.input === 'choice'
      ? { ...gap, options: withRightOf(gap.options, keyed.options) }
      : gap;
  if (!keyed || keyed.input === 'choice') return gap;
  return { ...gap, accepted: keyed.accepted, tolerance: keyed.tolerance };
}

/** A text with typed gaps or choice gaps. */
export const gapsQuestions: QuestionRules<'gaps'> = {
  empty: () => ({ kind: 'gaps', gaps: [] }),
  arrange: (shown) => ({
    ...shown,
    gaps: shown.gaps.map((gap) =>
      gap.input === 'choice' ? { ...gap, options: sortedOptions(gap.options) } : gap,
    ),
  }),
  problems,
  keyProblems: ({ gaps }) =>
    gaps.flatMap((gap, index) =>
      gapKeyProblems(gap).map((message) => ({ field: `question.gaps.${index}`, message })),
    ),
  withKeyOf: (question, keyed) => ({
    ...question,
    gaps: question.gaps.map((gap) => withGapKey(gap, keyed.gaps)),
  }),
  isGradedByHand: () => false,
  share: (question, { gaps }) => gapsShare(question, gaps),
  key: ({ gaps }) =>
    gaps.map((gap) => [
      gap.gapId,
      gap.weight,
      gap.input === 'choice' ? rightOptions(gap.options) : [gap.accepted, gap.tolerance],
    ]),
  answerText: (answer, question) =>
    answer.gaps
      .filter(isFilledGap)
      .map((given) => {
        const gap = question?.gaps.find(({ gapId }) => gapId === given.gapId);
        return `(${given.gapId}) ${gapAnswerText(gap, given) ?? UNKNOWN}`;
      })
      .join('; '),
  keyText: ({ gaps }) =>
    gaps.map((gap) => `(${gap.gapId}) ${acceptedInGap(gap).join(' | ')}`).join('; '),
};
