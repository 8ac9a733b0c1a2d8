import type { SignedIn, User } from '#contract/auth.ts';
import {
  eraseSession,
  readSession,
  readToken,
  writeSession,
  type KeyValueStore,
  type Session,
} from './stored-session.ts';

/**
 * Why nobody is signed in any more: `logout` the person's wish, `expired` the time is over,
 * `unauthorized` the server's 401, `elsewhere` another tab ended it.
 */
export type EndReason = 'logout' | 'expired' | 'unauthorized' | 'elsewhere';

export type SessionChange =
  /** `elsewhere`: in another tab. */
  | { kind: 'signedIn'; session: Session; elsewhere: boolean }
  /** The same sign-in: it holds longer, or the person is called otherwise. */
  | { kind: 'extended'; session: Session }
  | { kind: 'ended'; reason: EndReason; session: Session };

/** Who is signed in on this device. One per page; `current` is stable between changes. */
export interface SessionStore {
  current(): Session | null;
  token(): string | null;
  signIn(signedIn: SignedIn): void;
  /** Use and the start of a test carry the sign-in on: it holds until then (ISO 8601). Never shortened. */
  extend(expiresAt: string): void;
  /** The person who is signed in has another name, e-mail or role now. */
  update(user: User): void;
  end(reason: EndReason): void;
  /** Takes over what another tab wrote. */
  reread(): void;
  subscribe(listener: (change: SessionChange) => void): () => void;
}

export function createSessionStore(store: KeyValueStore): SessionStore {
  let session = readSession(store);
  const listeners = new Set<(change: SessionChange) => void>();
  const tell = (change: SessionChange) => {
    for (const listener of listeners) listener(change);
  };

  const become = (next: Session, elsewhere = false) => {
    const sameToken = session?.token === next.token;
    session = next;
    tell(
      sameToken
        ? { kind: 'extended', session: next }
        : { kind: 'signedIn', session: next, elsewhere },
    );
  };
  const change = (next: Session) => {
    writeSession(store, next);
    become(next);
  };
  const cease = (reason: EndReason) => {
    const ended = session;
    session = null;
    if (ended) tell({ kind: 'ended', reason, session: ended });
  };

  return {
    current: () => session,
    token: () => session?.token ?? null,
    signIn({ token, expiresAt, user }) {
      change({ token, expiresAt, user });
    },
    extend(expiresAt) {
      if (!session || Date.parse(expiresAt) <= Date.parse(session.expiresAt)) return;
      change({ ...session, expiresAt });
    },
    update(user) {
      if (session?.user.userId !== user.userId) return;
      if (JSON.stringify(session.user) !== JSON.stringify(user)) change({ ...session, user });
    },
    end(reason) {
      eraseSession(store);
      cease(reason);
    },
    reread() {
      const found = readSession(store);
      if (!found) {
        // A token without its record is a sign-in in the making, not its end.
        if (session && readToken(store) === null) cease('elsewhere');
        return;
      }
      if (JSON.stringify(found) !== JSON.stringify(session)) become(found, true);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
