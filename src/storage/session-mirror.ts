import type { SignedIn } from '#contract/auth.ts';
import type { SessionRow } from './rows.ts';
import type { Storage } from './storage.ts';

/** The session, mirrored from localStorage for the worker and the outbox. */

export async function mirrorSession(storage: Storage, signedIn: SignedIn): Promise<void> {
  const { token, user, expiresAt } = signedIn;
  await storage.write(['session'], (tx) =>
    tx.put('session', { key: 'current', token, owner: user.userId, user, expiresAt }),
  );
}

/** Erased together with localStorage. */
export async function clearMirror(storage: Storage): Promise<void> {
  await storage.write(['session'], (tx) => tx.delete('session', 'current'));
}

export async function readMirror(storage: Storage): Promise<SessionRow | null> {
  return storage.read(['session'], (tx) => tx.get('session', 'current'));
}
