/** Russian names of the letters that the Latin ones of a code look like: both are accepted when typed. */
const NAMES: Readonly<Record<string, string>> = {
  C: 'эс',
  H: 'эн',
  K: 'ка',
  M: 'эм',
  P: 'эр',
  T: 'тэ',
  X: 'ха',
};

/** A shown code as it is read aloud: «эн ка 4 эм, 7 тэ ха 2, эр 9 эс 3». */
export function spellCode(shown: string): string {
  return shown
    .split(' ')
    .map((group) => Array.from(group, (sign) => NAMES[sign] ?? sign).join(' '))
    .join(', ');
}
