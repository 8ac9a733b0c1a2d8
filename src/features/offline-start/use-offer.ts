import { useCallback, useEffect, useMemo, useRef } from 'react';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { useSessionStore } from '#app/lib/session/session-context.ts';
import type { OfferedTest } from '#app/offers/fetch-offers.ts';
import type { DeviceState } from '#app/offers/readiness.ts';
import type { OwnDevice } from '#app/offers/update-offers.ts';

/** A teacher may change a test while its page stays open. */
const EVERY_MS = 5 * 60_000;

// Lazy: few tests may begin without a network.
const loadUpdating = createModuleLoader(() => import('#app/offers/update-offers.ts'));

function useOwnDevice(): OwnDevice {
  const { storage, outbox, worker, serverNow } = useDevice();
  const session = useSessionStore();
  return useMemo(
    () => ({ storage, outbox, worker, serverNow, session }),
    [storage, outbox, worker, serverNow, session],
  );
}

/** Reads whether this device is ready for a test; with `isReported` the teacher learns of it. */
export function useReadReadiness(): (
  owner: string,
  testId: string,
  isReported: boolean,
) => Promise<DeviceState> {
  const device = useOwnDevice();
  return useCallback(
    async (...test) => (await loadUpdating()).checkReadiness(device, ...test),
    [device],
  );
}

/**
 * Fetches the offer of this test while its page is seen and has a network, and reports whether this device is ready.
 * @returns does it at once
 */
export function useOffer(
  owner: string,
  test: OfferedTest,
  onFetched: () => void,
  onFetching: (isFetching: boolean) => void,
): () => Promise<void> {
  const device = useOwnDevice();
  const isOpen = useRef(false);
  const isMissed = useRef(false);
  const fetchIt = useCallback(async () => {
    if (!test.offlineStart || !navigator.onLine) return;
    // A page that nobody sees is no use of the sign-in, so it asks when it is seen again.
    isMissed.current = document.hidden;
    if (isMissed.current) return;
    onFetching(true);
    try {
      const { updateOffers } = await loadUpdating();
      await updateOffers(device, owner, [test], () => isOpen.current);
      onFetched();
    } catch (cause) {
      if (isOpen.current) logProblem('Тест для начала без сети не обновить', { cause });
    } finally {
      onFetching(false);
    }
  }, [owner, test, device, onFetched, onFetching]);
  useEffect(() => {
    isOpen.current = true;
    void fetchIt();
    const refetch = () => void fetchIt();
    const onSeen = () => {
      if (isMissed.current) refetch();
    };
    const timer = setInterval(refetch, EVERY_MS);
    window.addEventListener('online', refetch);
    document.addEventListener('visibilitychange', onSeen);
    return () => {
      isOpen.current = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onSeen);
      window.removeEventListener('online', refetch);
    };
  }, [fetchIt]);
  return fetchIt;
}
