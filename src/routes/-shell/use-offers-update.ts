import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isTeacherLevel } from '#domain/roles.ts';
import { myTestsQuery } from '#app/features/library/queries.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { whenIdle } from '#app/lazy/when-idle.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';

/** A teacher may assign or change a test while a page stays open. */
const EVERY_MS = 5 * 60_000;
/** A visit of «Мои тесты» is a wish to see what is new. */
const MY_TESTS_MS = 60_000;
/** The list that the page has just fetched. */
const LIST_MS = 10_000;

// Lazy: few tests may begin without a network.
const loadUpdating = createModuleLoader(() => import('#app/offers/update-offers.ts'));

/**
 * Fetches the offers of a student's tests on every page but those of an attempt; teachers, who rarely have tests, get
 * theirs on «Мои тесты».
 */
export function useOffersUpdate(path: string): void {
  const user = useSession()?.user;
  const session = useSessionStore();
  const { storage, outbox, worker, serverNow } = useDevice();
  const client = useQueryClient();
  const isMyTests = path === '/tests/my';
  useQuery({
    queryKey: [...queryKeys.tests, 'offers', user?.userId],
    queryFn: async () => {
      await new Promise<void>(whenIdle);
      if (user === undefined) return null;
      const { data } = await client.fetchQuery({ ...myTestsQuery, staleTime: LIST_MS });
      if (!data.items.some(({ offlineStart }) => offlineStart)) return null;
      const { updateOffers } = await loadUpdating();
      const device = { storage, outbox, worker, serverNow, session };
      await updateOffers(device, user.userId, data.items);
      return null;
    },
    enabled: user !== undefined && (isMyTests || !isTeacherLevel(user.role)),
    // Waits for the network. A page that nobody sees is no use of the sign-in, so it asks when it is seen again.
    networkMode: 'online',
    staleTime: isMyTests ? MY_TESTS_MS : EVERY_MS,
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: true,
    refetchOnReconnect: 'always',
    retry: false,
  });
}
