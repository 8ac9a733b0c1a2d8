/** The label on an area: a short text unchanged, else the number of its option. */
export const formatAreaMark = (text: string, index: number): string =>
  /^[\p{L}\p{N}]{1,3}$/u.test(text.trim()) ? text.trim() : String(index + 1);
