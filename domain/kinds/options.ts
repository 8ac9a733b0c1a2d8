import { isDoubled } from './ids.ts';
import { hasDoubles, isBlank } from './texts.ts';

interface Option {
  readonly optionId: string;
  readonly text: string;
  readonly isRight: boolean;
}

/** Problems of publishing of options to choose from, of a question or of one gap of a text. */
export function optionProblems(options: readonly Option[]): string[] {
  const texts = options.map(({ text }) => text);
  return [
    ...(options.length < 2 ? ['нужно хотя бы два варианта'] : []),
    ...(texts.some(isBlank) ? ['есть вариант без текста'] : []),
    ...(hasDoubles(texts) || isDoubled(options.map(({ optionId }) => optionId))
      ? ['варианты повторяются']
      : []),
    ...(hasRight(options) ? [] : ['не отмечен верный вариант']),
  ];
}

export const hasRight = (options: readonly Option[]): boolean =>
  options.some(({ isRight }) => isRight);

/** The part of options that the marks depend on. */
export const rightOptions = (options: readonly Option[]): unknown =>
  options.map(({ optionId, isRight }) => [optionId, isRight]);

/** The options with the right ones of `keyed`, by id. */
export function withRightOf<O extends Option>(
  options: readonly O[],
  keyed: readonly Option[],
): O[] {
  const right = new Set(keyed.flatMap(({ isRight, optionId }) => (isRight ? optionId : [])));
  return options.map((option) => ({ ...option, isRight: right.has(option.optionId) }));
}
