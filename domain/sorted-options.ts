import { inAlphabet } from './alphabet.ts';

/** Options of a select list, sorted by their texts: they are quick to find, and the order does not reveal the key. */
export const sortedOptions = <T extends { readonly optionId: string; readonly text: string }>(
  options: readonly T[],
): T[] => inAlphabet(options, ({ optionId, text }) => ({ name: text, id: optionId }));
