import { focusManager, useQuery } from '@tanstack/react-query';
import { isTeacherLevel } from '#domain/roles.ts';
import { myTestsQuery } from '#app/features/library/queries.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { whenIdle } from '#app/lazy/when-idle.ts';
import type { Aged } from '#app/lib/aged.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';
import type { OfferedTest } from '#app/offers/fetch-offers.ts';

/** A teacher may assign or change a test while a page stays open. */
const EVERY_MS = 5 * 60_000;
/** A visit of «Мои тесты» is a wish to see what is new. */
const MY_TESTS_MS = 60_000;
/** The list that the page has just fetched. */
const LIST_MS = 10_000;

// Lazy: few tests may begin without a network.
const loadUpdating = createModuleLoader(() => import('#app/offers/update-offers.ts'));

const offeredIn = ({ data }: Aged<{ readonly items: readonly OfferedTest[] }>): string =>
  data.items.flatMap(({ id, offlineStart }) => (offlineStart ? id : [])).join();

/**
 * Fetches the offers of a student's tests on every page but those of an attempt; teachers, who rarely have tests, get
 * theirs on «Мои тесты».
 */
export function useOffersUpdate(path: string): void {
  const user = useSession()?.user;
  const session = useSessionStore();
  const { storage, outbox, worker, serverNow } = useDevice();
  const isMyTests = path === '/tests/my';
  // Whoever fetches the list: tests that appear in it are fetched at once, since the key is new.
  const { data: offered } = useQuery({ ...myTestsQuery, enabled: false, select: offeredIn });
  useQuery({
    queryKey: [...queryKeys.tests, 'offers', user?.userId, offered],
    queryFn: async ({ client, queryKey }) => {
      await new Promise<void>(whenIdle);
      if (user === undefined) return null;
      // A failure is tried again when the page is seen.
      if (!focusManager.isFocused()) throw new Error('hidden');
      const list = await client.fetchQuery({ ...myTestsQuery, staleTime: LIST_MS });
      if (offered === '' || offeredIn(list) !== offered) return null;
      const { updateOffers } = await loadUpdating();
      const device = { storage, outbox, worker, serverNow, session };
      // From page to page it goes on, but not into an attempt.
      const isWanted = () => client.getQueryCache().find({ queryKey })?.isActive() === true;
      await updateOffers(device, user.userId, list.data.items, isWanted);
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
