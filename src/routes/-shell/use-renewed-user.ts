import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { currentUser } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { useSession, useSessionStore } from '#app/session/session-context.ts';

const EVERY_MS = 60_000;

/** A name or role that an administrator has changed shows on the next page, or when one comes back to this one. */
export function useRenewedUser(): void {
  const store = useSessionStore();
  const { outbox } = useDevice();
  const navigate = useNavigate();
  const owner = useSession()?.user.userId;
  useQuery({
    queryKey: ['session/user', owner],
    queryFn: async ({ signal }) => {
      const { user, deviceKey, mustSetUpFactor } = await call(currentUser, {}, { signal });
      store.update(user);
      // What found no room or no key when it was to be opened.
      const isClosed = deviceKey !== undefined && (await outbox.unreadable()) > 0;
      if (isClosed && owner === user.userId) await outbox.openRows(owner, deviceKey);
      if (mustSetUpFactor === true) await navigate({ to: '/profile' });
      return true;
    },
    enabled: owner !== undefined,
    staleTime: EVERY_MS,
    retry: false,
  });
}
