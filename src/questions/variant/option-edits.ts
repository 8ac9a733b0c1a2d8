import { newId } from '#app/lib/new-id.ts';
import { optional, type Of } from '#app/questions/form/parts.ts';

export type Option = Of<'variant'>['options'][number];

export const emptyOption = (text = ''): Option => ({ optionId: newId(), text, isRight: false });

/** With one right answer, marking an option unmarks the others. */
export const withRight = (
  { options, multiple }: Pick<Of<'variant'>, 'options' | 'multiple'>,
  optionId: string,
  isRight: boolean,
): Option[] =>
  options.map((option) => {
    if (option.optionId === optionId) return { ...option, isRight };
    return multiple || !isRight ? option : { ...option, isRight: false };
  });

export const withFeedback = (
  options: readonly Option[],
  optionId: string,
  text: string,
): Option[] =>
  options.map((option) => {
    if (option.optionId !== optionId) return option;
    const { feedback: _, ...rest } = option;
    return { ...rest, ...optional('feedback', text) };
  });

/** Inserts a pasted list: the first line into the row, the others after it, filling empty rows first. */
export function withLines(
  options: readonly Option[],
  index: number,
  lines: readonly string[],
): Option[] {
  const rest = [...lines];
  const filled = options.map((option, at) =>
    at >= index && option.text === '' && rest.length > 0
      ? { ...option, text: rest.shift() ?? '' }
      : option,
  );
  return [...filled, ...rest.map((line) => emptyOption(line))];
}
