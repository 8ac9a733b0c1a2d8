/** Joins «В. Н. Цой» in one line: initials are separated neither from each other nor from the surname. */
export const formatInitials = (text: string): string =>
  text.replaceAll(/(?<=(?<!\p{L})\p{Lu}\.) (?=\p{Lu})/gu, '\u00A0');
