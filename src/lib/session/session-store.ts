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
 * Why the session ended: `logout` manually, `expired` by time,
 * `unauthorized` the server's 401, `blocked` the account is blocked, `elsewhere` another tab ended it.
 */
export type EndReason = 'logout' | 'expired' | 'unauthorized' | 'blocked' | 'elsewhere';

export type SessionChange =
  /** `elsewhere`: in another tab. */
  | { kind: 'signedIn'; session: Session; elsewhere: boolean }
  /** The same session with a later expiry or changed user data. */
  | { kind: 'extended'; session: Session }
  | { kind: 'ended'; reason: EndReason; session: Session };

/** The session on this device. One store per page; `current` is stable between changes. */
export interface SessionStore {
  current(): Session | null;
  token(): string | null;
  /** Why the last session of this page ended; null before that and while signed in. */
  endReason(): EndReason | null;
  signIn(signedIn: SignedIn): void;
  /** Extends the expiry (ISO 8601) on use and at the start of a test. Never shortens it. */
  extend(expiresAt: string): void;
  /** Updates name, e-mail or role of the signed-in person. */
  update(user: User): void;
  end(reason: EndReason): void;
  /** Adopts the state written by another tab. */
  reread(): void;
  subscribe(listener: (change: SessionChange) => void): () => void;
}

export function createSessionStore(store: KeyValueStore): SessionStore {
  let session = readSession(store);
  let endReason: EndReason | null = null;
  const listeners = new Set<(change: SessionChange) => void>();
  const notify = (change: SessionChange) => {
    for (const listener of listeners) listener(change);
  };

  const apply = (next: Session, elsewhere = false) => {
    const sameToken = session?.token === next.token;
    session = next;
    endReason = null;
    notify(
      sameToken
        ? { kind: 'extended', session: next }
        : { kind: 'signedIn', session: next, elsewhere },
    );
  };
  const change = (next: Session) => {
    writeSession(store, next);
    apply(next);
  };
  const finish = (reason: EndReason) => {
    const ended = session;
    session = null;
    if (!ended) return;
    endReason = reason;
    notify({ kind: 'ended', reason, session: ended });
  };

  return {
    current: () => session,
    token: () => session?.token ?? null,
    endReason: () => endReason,
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
      finish(reason);
    },
    reread() {
      const found = readSession(store);
      if (!found) {
        // A token without a record is a sign-in in progress, not a sign-out.
        if (session && readToken(store) === null) finish('elsewhere');
        return;
      }
      if (JSON.stringify(found) !== JSON.stringify(session)) apply(found, true);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
