import { useQuery } from '@tanstack/react-query';
import { currentUser } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { showFormDrafts } from '#app/lib/form-draft-storage.ts';
import { openRows } from '#app/lib/session/open-rows.ts';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';

/**
 * Fetches the key of this person's rows on the device once a second factor is set up: where the role requires one, the
 * sign-in without it brought no key.
 */
export function useDeviceKey(hasFactor: boolean): void {
  const session = useSessionStore();
  const { outbox, storage, scheduler } = useDevice();
  const owner = useSession()?.user.userId ?? '';
  useQuery({
    queryKey: ['profile', 'device-key', owner],
    queryFn: async ({ signal }) => {
      if (await storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner))) return true;
      const { deviceKey } = await call(currentUser, {}, { signal });
      const isCurrent = () => session.current()?.user.userId === owner;
      if (deviceKey === undefined || !isCurrent()) return false;
      await openRows(outbox, owner, deviceKey);
      if (isCurrent()) showFormDrafts(owner);
      await scheduler.wake();
      return true;
    },
    // Without TLS nothing is encrypted.
    enabled: hasFactor && globalThis.isSecureContext,
    staleTime: Infinity,
    gcTime: 0,
  });
}
