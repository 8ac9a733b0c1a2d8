const MAX_FREE_DIGITS = 4;
const MAX_KINDS_OF_SIGNS = 3;
/** The digits’ row with Shift, in both layouts. */
const SHIFTED_ROWS = ['`~!@#$%^&*()_+-=', 'ё!"№;%:?*()_+-='];
const YEAR = /^(?:19|20)\d\d$/;
const DAY_FIRST = /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:(?:19|20)?\d\d)?$/;
const YEAR_FIRST = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const REPEATED = /^(\d{1,4})\1+$/;

const isRun = (digits: string): boolean =>
  digits.length > 1 &&
  ['01234567890', '09876543210', '13579', '24680'].some((run) => run.includes(digits));

/** A year, a date, 12345, 777, 1212. */
export const isObviousNumber = (digits: string): boolean =>
  [YEAR, DAY_FIRST, YEAR_FIRST, REPEATED].some((form) => form.test(digits)) || isRun(digits);

/** Whether the digits around a word add little: obvious numbers, and at most four others. */
export function areEasyNumbers(numbers: readonly string[]): boolean {
  const free = numbers.filter((digits) => !isObviousNumber(digits));
  return free.join('').length <= MAX_FREE_DIGITS;
}

/** Whether the signs around a word add little: at most three kinds, or one stroke over the row. */
export const areEasySigns = (signs: string): boolean =>
  new Set(signs).size <= MAX_KINDS_OF_SIGNS || SHIFTED_ROWS.some((row) => row.includes(signs));
