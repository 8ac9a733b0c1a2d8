import { randomInt } from 'node:crypto';
import { isCommonPassword } from '#server/auth/common-passwords.ts';

/** Letters and digits that cannot be confused on paper. */
const CONSONANTS = 'bdfgkmnprstvz';
const VOWELS = 'aeu';
const DIGITS = '23456789';
const SYLLABLES = 4;
const FIGURES = 3;

/** Beginnings of rude words. */
const UNFIT = /suk|mud|ped|pez|fuk|fak|kak|deb|sek|eba/;

const sign = (from: string) => from.charAt(randomInt(from.length));

/**
 * A password that a child copies from a card, such as `Rabutene482`: one of about 10⁹, with one capital and a single
 * keyboard layout.
 */
export function studentPassword(): string {
  for (;;) {
    const letters = Array.from({ length: SYLLABLES }, () => sign(CONSONANTS) + sign(VOWELS)).join(
      '',
    );
    const figures = Array.from({ length: FIGURES }, () => sign(DIGITS)).join('');
    const password = `${letters.charAt(0).toUpperCase()}${letters.slice(1)}${figures}`;
    if (!UNFIT.test(letters) && !isCommonPassword(password)) return password;
  }
}
