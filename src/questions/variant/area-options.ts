import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { Area } from '#contract/questions.ts';
import { nextAreaText } from '#domain/areas.ts';
import { emptyOption, type Option } from './option-edits.ts';

const firstBare = (options: readonly Option[]) => options.find(({ area }) => area === undefined);

/** Whether every option has its area and no further option fits. */
export const areAreasFull = (options: readonly Option[]): boolean =>
  firstBare(options) === undefined && options.length >= PARTS_PER_QUESTION;

export const placeArea = (options: readonly Option[], optionId: string, area: Area): Option[] =>
  options.map((option) => (option.optionId === optionId ? { ...option, area } : option));

/** Adds the area to the first option without one, else to a new option. */
export function addArea(
  options: readonly Option[],
  area: Area,
): { readonly options: Option[]; readonly optionId: string } {
  const bare = firstBare(options);
  const known = bare ?? emptyOption();
  const text = known.text.trim() === '' ? nextAreaText(options.map((one) => one.text)) : known.text;
  const option = { ...known, text, area };
  return {
    options: bare ? options.map((one) => (one === bare ? option : one)) : [...options, option],
    optionId: option.optionId,
  };
}

export const removeArea = (options: readonly Option[], optionId: string): Option[] =>
  options.map((option) => {
    if (option.optionId !== optionId) return option;
    const { area: _, ...rest } = option;
    return rest;
  });

/** The option's text, else its number. */
export const optionName = (options: readonly Option[], { optionId, text }: Option): string =>
  text.trim() || `Вариант ${options.findIndex((option) => option.optionId === optionId) + 1}`;
