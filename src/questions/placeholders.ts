export const isEmpty = (text: string): boolean => text.trim() === '';

/** Parts with a name in place of each empty text: «вариант 2». */
export const withNames = <P extends { readonly text: string }>(
  parts: readonly P[],
  name: string,
): P[] =>
  parts.map((part, index) =>
    isEmpty(part.text) ? { ...part, text: `${name} ${index + 1}` } : part,
  );
