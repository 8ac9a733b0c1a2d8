import { useEffect } from 'react';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import type { OfferedTest } from '#app/offers/fetch-offers.ts';

/** A teacher may change a test while its list stays open. */
const EVERY_MS = 5 * 60_000;

// Lazy: few tests may begin without a network.
const loadFetching = createModuleLoader(() => import('#app/offers/fetch-offers.ts'));

/** Fetches the offers of these tests while the page is open and has a network. */
export function useOffers(
  owner: string | undefined,
  tests: readonly OfferedTest[] | undefined,
  onFetched?: () => void,
): void {
  const { storage, serverNow } = useDevice();
  useEffect(() => {
    const offered = tests?.filter(({ offlineStart }) => offlineStart) ?? [];
    if (owner === undefined || offered.length === 0) return;
    const fetchAll = () => {
      if (!navigator.onLine) return;
      loadFetching()
        .then(({ fetchOffers, offerCalls }) =>
          fetchOffers(
            {
              owner,
              storage,
              now: serverNow,
              random: Math.random,
              calls: offerCalls,
              pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
            },
            offered,
          ),
        )
        .then(onFetched, (cause: unknown) =>
          logProblem('Тесты для начала без сети не обновить', { cause }),
        );
    };
    fetchAll();
    const timer = setInterval(fetchAll, EVERY_MS);
    window.addEventListener('online', fetchAll);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', fetchAll);
    };
  }, [owner, tests, storage, serverNow, onFetched]);
}
