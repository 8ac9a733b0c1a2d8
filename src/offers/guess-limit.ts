import { countGuess, readGuesses } from '#app/storage/offer-database.ts';

/** Wrong codes are slowed. How many there were is stored: a reload does not begin anew. */

const MAX_WAIT_S = 30;

/** Seconds until the next code after so many wrong ones in a row: 1, 2, 4 … 30. */
export const secondsAfter = (guesses: number): number =>
  guesses === 0 ? 0 : Math.min(MAX_WAIT_S, 2 ** Math.min(guesses - 1, 5));

/** Monotonic times of this tab, by offer. */
const notBefore = new Map<string, number>();

/** Whole seconds until a code may be tried; the first call in a tab begins the wait that an earlier one left. */
export async function secondsToWait(owner: string, offerId: string): Promise<number> {
  const now = performance.now();
  let until = notBefore.get(offerId);
  if (until === undefined) {
    until = now + secondsAfter(await readGuesses(owner, offerId)) * 1_000;
    notBefore.set(offerId, until);
  }
  // Rounded first: a sum of fractions may exceed the whole seconds by a hair.
  return Math.max(0, Math.ceil(Math.round(until - now) / 1_000));
}

/** Notes a wrong code; returns the seconds until the next one. */
export async function noteWrongCode(owner: string, offerId: string): Promise<number> {
  const seconds = secondsAfter(await countGuess(owner, offerId));
  notBefore.set(offerId, performance.now() + seconds * 1_000);
  return seconds;
}
