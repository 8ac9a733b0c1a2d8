import { JOIN_CODE_SIGNS, readJoinCode } from './join-codes.ts';

/** 15^12: 46.9 bits, above the 44 bits of four common words. */
export const START_CODE_LENGTH = 12;

const GROUP = 4;

/** The code as displayed: «HK4M 7TX2 P9C3». */
export function showStartCode(code: string): string {
  return (code.match(new RegExp(`.{1,${GROUP}}`, 'gu')) ?? []).join(' ');
}

/** Whether a typed code is complete; it says nothing about its being right. */
export function isWholeStartCode(typed: string): boolean {
  const code = readJoinCode(typed);
  return (
    code.length === START_CODE_LENGTH && Array.from(code).every((s) => JOIN_CODE_SIGNS.includes(s))
  );
}
