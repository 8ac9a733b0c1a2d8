import { normalForm } from './normal-form.ts';

/**
 * Characters of a join code: Latin capitals that look like Russian ones, so that a phone's keyboard need not be
 * switched. No vowels, which form words, and no digits that look like letters.
 */
export const JOIN_CODE_SIGNS = 'CHKMPTX23456789';
export const JOIN_CODE_LENGTH = 8;

/** Russian letters by the Latin ones they look like; З by its digit. */
const AS_LATIN: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  Е: 'E',
  З: '3',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  У: 'Y',
  Х: 'X',
};

/** A typed code in its stored form: capitals and digits without dashes and spaces. */
export function readJoinCode(typed: string): string {
  const signs = normalForm(typed, 'NFC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\d]/gu, '');
  return Array.from(signs, (sign) => AS_LATIN[sign] ?? sign).join('');
}

/** The code as displayed, with a dash in the middle: «HK4M-7TX2». */
export function showJoinCode(code: string): string {
  const half = Math.ceil(code.length / 2);
  return `${code.slice(0, half)}-${code.slice(half)}`;
}
