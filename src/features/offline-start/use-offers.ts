import { useCallback, useEffect, useMemo } from 'react';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { useSessionStore } from '#app/lib/session/session-context.ts';
import type { OfferedTest } from '#app/offers/fetch-offers.ts';
import type { DeviceState, ReadinessServices } from '#app/offers/readiness.ts';

/** A teacher may change a test while its list stays open. */
const EVERY_MS = 5 * 60_000;

// Lazy: few tests may begin without a network.
const loadFetching = createModuleLoader(() => import('#app/offers/fetch-offers.ts'));
const loadReadiness = createModuleLoader(() => import('#app/offers/readiness.ts'));
const loadReporting = createModuleLoader(() => import('#app/offers/report-readiness.ts'));

/** Reads whether this device is ready for a test; with `isReported` the teacher learns of it. */
export function useReadReadiness(): (
  owner: string,
  testId: string,
  isReported: boolean,
) => Promise<DeviceState> {
  const { storage, outbox, worker } = useDevice();
  const session = useSessionStore();
  const services = useMemo<ReadinessServices>(
    () => ({
      storage,
      outbox,
      worker,
      sessionExpiresAt: () => session.current()?.expiresAt ?? null,
    }),
    [storage, outbox, worker, session],
  );
  return useCallback(
    async (owner, testId, isReported) => {
      const { readReadiness } = await loadReadiness();
      const state = await readReadiness(services, owner, testId);
      if (isReported)
        loadReporting()
          .then(({ reportChecks, sendReadiness }) =>
            reportChecks({ storage, send: sendReadiness }, { owner, testId }, state.checks),
          )
          .catch((cause: unknown) => logProblem('О готовности устройства не сообщить', { cause }));
      return state;
    },
    [services, storage],
  );
}

/**
 * Fetches the offers of these tests while the page is open and has a network, and reports whether this device is ready.
 * @returns does it at once
 */
export function useOffers(
  owner: string | undefined,
  tests: readonly OfferedTest[] | undefined,
  onFetched?: () => void,
  onFetching?: (isFetching: boolean) => void,
): () => Promise<void> {
  const { storage, serverNow } = useDevice();
  const session = useSessionStore();
  const readReadiness = useReadReadiness();
  const fetchAll = useCallback(async () => {
    const offered = tests?.filter(({ offlineStart }) => offlineStart) ?? [];
    if (owner === undefined || offered.length === 0 || !navigator.onLine) return;
    onFetching?.(true);
    try {
      const { fetchOffers, offerCalls } = await loadFetching();
      const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
      const calls = { calls: offerCalls, now: serverNow, random: Math.random, pause };
      await fetchOffers({ owner, session, storage, ...calls }, offered);
      onFetched?.();
      for (const { id } of offered) await readReadiness(owner, id, true);
    } catch (cause) {
      logProblem('Тесты для начала без сети не обновить', { cause });
    } finally {
      onFetching?.(false);
    }
  }, [owner, tests, session, storage, serverNow, onFetched, onFetching, readReadiness]);
  useEffect(() => {
    void fetchAll();
    const refetch = () => void fetchAll();
    const timer = setInterval(refetch, EVERY_MS);
    window.addEventListener('online', refetch);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', refetch);
    };
  }, [fetchAll]);
  return fetchAll;
}
