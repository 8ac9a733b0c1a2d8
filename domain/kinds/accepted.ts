import { markRepeated, normaliseText } from '#domain/normalise.ts';
import type { QuestionOf } from './rules.ts';
import { isBlank } from './texts.ts';

/** The key of a question, or of one gap of a text. */
type Typed = Pick<QuestionOf<'open'>, 'accepted' | 'tolerance'>;

/** Problems of publishing. An empty list of accepted answers is no problem here. */
export function acceptedProblems({ accepted, tolerance: common }: Typed): string[] {
  if (accepted.length === 0) return [];
  const repeated = markRepeated(
    accepted
      .filter(({ text }) => !isBlank(text))
      .map(({ text, tolerance = common }) => ({ text, tolerance })),
  );
  return [
    ...(accepted.some(({ text }) => isBlank(text)) ? ['среди верных ответов есть пустой'] : []),
    ...(repeated.includes(true) ? ['верные ответы повторяются'] : []),
    ...(accepted.every(({ share }) => share === 0) ? ['ни один ответ не приносит баллов'] : []),
  ];
}

interface AcceptedProblem {
  readonly index: number;
  readonly field: 'text' | 'share';
  readonly message: string;
}

/** Problems of a corrected key. */
export function acceptedKeyProblems(
  accepted: Typed['accepted'],
  common: number,
): AcceptedProblem[] {
  const repeated = markRepeated(
    accepted.map(({ text, tolerance = common }) => ({ text, tolerance })),
  );
  const ofTexts = accepted.flatMap(({ text }, index): AcceptedProblem[] => {
    const field = 'text';
    if (normaliseText(text) === '') return [{ index, field, message: 'Впишите принимаемый ответ' }];
    return repeated[index] ? [{ index, field, message: 'Такой ответ уже есть' }] : [];
  });
  const isWorthless = accepted.length > 0 && accepted.every(({ share }) => share === 0);
  const worthless = 'Ни один ответ не приносит баллов';
  return isWorthless ? [...ofTexts, { index: 0, field: 'share', message: worthless }] : ofTexts;
}
