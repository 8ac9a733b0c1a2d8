import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { currentUser } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';

const EVERY_MS = 60_000;

/** Refetches the signed-in person on navigation and focus, since an administrator may change name or role. */
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
      // Retries rows that could not be decrypted for lack of space or key.
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
