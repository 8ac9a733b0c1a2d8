import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '#server/http/refusal.ts';

/** OWASP's least, for Argon2id (the package's default algorithm); memory in KiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash takes a thread and 19 MiB: a class that signs in at once waits its turn, first come first. */
const AT_ONCE = 3;
const LONGEST_QUEUE = 1_000;

/** Runs at most `atOnce` of the tasks given to it together, the others in the order they came. */
export function takeTurns(atOnce: number, longestQueue: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= longestQueue)
        throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 10 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The place passes on without becoming free in between: nobody overtakes.
      if (next) next();
      else running -= 1;
    }
  };
}

/** The queue of everything that hashes. */
export const inTurn = takeTurns(AT_ONCE, LONGEST_QUEUE);

/** The PHC string of a password; waits its turn. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password, COST));

let decoy: Promise<string> | undefined;

/**
 * Whether the password is right; without a hash (an unknown account, or one that no password opens)
 * false, after the same work. To be called in a turn.
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hash('no account has this password', COST);
  const isHash = passwordHash?.startsWith('$argon2') === true;
  const isRight = await verify(isHash ? passwordHash : await decoy, password);
  return isRight && isHash;
}
