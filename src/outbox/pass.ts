import type { FileRow, OperationRow, SessionRow } from '#app/storage/rows.ts';
import type { Tally } from './apply.ts';
import { readBoth, type Core } from './core.ts';
import type { Held } from './locks.ts';

/** Somebody wrote or called meanwhile: the pass looks again, at once where a lane is free. */
export interface Again {
  wanted: boolean;
  nudge: () => void;
}

/** One pass over what is due: for one sign-in, under the sender's lock. */
export interface Pass {
  readonly core: Core;
  readonly session: SessionRow;
  readonly held: Held;
  readonly tally: Tally;
  readonly again: Again;
}

interface Waiting {
  readonly waiting: OperationRow[];
  readonly files: FileRow[];
}

/** Everything of an owner that waits, and all his files. */
export async function readWork(core: Core, owner: string): Promise<Waiting> {
  const waiting = await readBoth(core, ['operations'], (tx) =>
    tx.all('operations', 'ownerState', [owner, 'waiting']),
  );
  const files = await readBoth(core, ['files'], (tx) => tx.all('files', 'owner', owner));
  return { waiting, files };
}

/** Whether anything may be sent now: same sign-in, lock held, no pause, the server not in back-off. */
export async function maySend(pass: Pass): Promise<boolean> {
  const { core, session, held } = pass;
  if (core.runtime.pause || !held.valid() || !core.runtime.backoffs.allDue()) return false;
  const now = await core.session();
  return now !== null && now.owner === session.owner && now.token === session.token;
}
