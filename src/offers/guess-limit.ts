import { countGuess, readGuesses } from '#app/storage/offer-database.ts';

/** Wrong codes are slowed. How many there were is stored, if there is space: a reload does not begin anew. */

const MAX_WAIT_S = 30;

/** Seconds until the next code after so many wrong ones in a row: 1, 2, 4 … 30. */
export const secondsAfter = (count: number): number =>
  count === 0 ? 0 : Math.min(MAX_WAIT_S, 2 ** Math.min(count - 1, 5));

/** Wrong codes in a row of which this tab knows, by offer: a full device stores none. */
const guesses = new Map<string, number>();
/** Monotonic times of this tab, by offer. */
const notBefore = new Map<string, number>();

/** Whole seconds until a code may be tried; the first call in a tab begins the wait that an earlier one left. */
export async function secondsToWait(owner: string, offerId: string): Promise<number> {
  const now = performance.now();
  let until = notBefore.get(offerId);
  if (until === undefined) {
    const stored = await readGuesses(owner, offerId);
    guesses.set(offerId, stored);
    until = now + secondsAfter(stored) * 1_000;
    notBefore.set(offerId, until);
  }
  // Rounded first: a sum of fractions may exceed the whole seconds by a hair.
  return Math.max(0, Math.ceil(Math.round(until - now) / 1_000));
}

/** Notes a wrong code; returns the seconds until the next one. */
export async function noteWrongCode(owner: string, offerId: string): Promise<number> {
  const stored = await countGuess(owner, offerId).catch(() => 0);
  const count = Math.max(stored, (guesses.get(offerId) ?? 0) + 1);
  guesses.set(offerId, count);
  const seconds = secondsAfter(count);
  notBefore.set(offerId, performance.now() + seconds * 1_000);
  return seconds;
}
