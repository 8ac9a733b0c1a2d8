import { inAlphabet } from './alphabet.ts';

/** Options of a list to choose from: sorted by their texts, they are found soon and tell nothing of the key. */
export const sortedOptions = <T extends { readonly optionId: string; readonly text: string }>(
  options: readonly T[],
): T[] => inAlphabet(options, ({ optionId, text }) => ({ name: text, id: optionId }));
