import { useQuery } from '@tanstack/react-query';
import { currentUser } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useSession, useSessionStore } from '#app/session/session-context.ts';

const EVERY_MS = 60_000;

/** A name or role that an administrator has changed shows on the next page, or when one comes back to this one. */
export function useRenewedUser(): void {
  const store = useSessionStore();
  const owner = useSession()?.user.userId;
  useQuery({
    queryKey: ['session/user', owner],
    queryFn: async ({ signal }) => {
      const { user } = await call(currentUser, {}, { signal });
      store.update(user);
      return true;
    },
    enabled: owner !== undefined,
    staleTime: EVERY_MS,
    retry: false,
  });
}
