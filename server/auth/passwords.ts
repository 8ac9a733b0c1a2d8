import cluster from 'node:cluster';
import { hash, verify } from '@node-rs/argon2';
import { createFairQueue, type QueuePosition } from './fair-queue.ts';

/** OWASP's minimum for Argon2id (the package's default algorithm); memory in KiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Each hash takes a thread and 19 MiB, so the hashes of a class that signs in at the same time are queued. Processes
 * that share a machine leave as many of its cores free as a single process does.
 */
const AT_ONCE = cluster.isWorker ? 2 : 3;

/** Who issues passwords to others: teachers, administrators and the server itself. */
const STAFF: QueuePosition = { account: 'staff' };

/** The queue of all password hashing. */
export const inTurn = createFairQueue(AT_ONCE);

/** The PHC string of a password; call within a turn of the queue. */
export const hashInTurn = (password: string): Promise<string> => hash(password, COST);

/** The PHC string of a password issued to somebody; waits for its turn. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(STAFF, () => hashInTurn(password));

let decoy: Promise<string> | undefined;

/**
 * Whether the password is right; without a hash (an unknown account, or one without a password) false, after
 * the same work. Call within a turn of the queue.
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
