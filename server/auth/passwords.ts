import { hash, verify } from '@node-rs/argon2';
import { createFairQueue, type Place } from './fair-queue.ts';

/** OWASP's least, for Argon2id (the package's default algorithm); memory in KiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash takes a thread and 19 MiB: a class that signs in at once takes turns. */
const AT_ONCE = 3;

/** Whose passwords teachers, administrators and the server itself give out. */
const STAFF: Place = { account: 'staff' };

/** The queue of everything that hashes. */
export const inTurn = createFairQueue(AT_ONCE);

/** The PHC string of a password; to be called in a turn. */
export const hashInTurn = (password: string): Promise<string> => hash(password, COST);

/** The PHC string of a password that is given out to somebody; waits its turn. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(STAFF, () => hashInTurn(password));

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
