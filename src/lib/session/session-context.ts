import { createContext, useContext, useSyncExternalStore } from 'react';
import type { SessionStore } from './session-store.ts';
import type { Session } from './stored-session.ts';

export const SessionContext = createContext<SessionStore | null>(null);

/** The page's session store. Throws outside of its provider. */
export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (!store) throw new Error('useSessionStore needs SessionContext');
  return store;
}

/** The signed-in person, or null. */
export function useSession(): Session | null {
  const store = useSessionStore();
  return useSyncExternalStore((changed) => store.subscribe(changed), store.current);
}
