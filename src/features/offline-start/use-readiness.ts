import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReadinessProblem } from '#contract/readiness.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { waitForPages } from '#app/offers/cached-pages.ts';
import type { OfferedTest } from '#app/offers/fetch-offers.ts';
import { problemsOf, type DeviceState } from '#app/offers/readiness.ts';
import { requestPersistence } from '#app/offline/readiness.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { useOffer, useReadReadiness } from './use-offer.ts';

/** Problems that the download of the test solves, with the pages that lead to it. */
export const LOADED: ReadonlySet<ReadinessProblem> = new Set(['notFetched', 'damaged', 'noWorker']);

/** A worker that took the page over late gets the pages then, on a slow line. */
const PAGE_LOOKS = 60;
const PAGE_LOOK_EVERY_MS = 1_000;

/** The first worker takes the page over some seconds after the first visit. */
function onControlled(changed: () => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('controllerchange', changed);
  return () => serviceWorker.removeEventListener('controllerchange', changed);
}

/** Calls `changed` when answers have been written or sent. */
function onUnsent(outbox: Outbox, owner: string, changed: () => void): () => void {
  let last: number | null = null;
  return outbox.subscribe(() => {
    outbox.unsentCount(owner).then(
      (count) => {
        if (count === last) return;
        last = count;
        changed();
      },
      // The next check finds out what is wrong with the storage.
      () => undefined,
    );
  });
}

export interface CheckedDevice extends DeviceState {
  /** Server time, milliseconds. */
  readonly checkedAt: number;
}

export interface DeviceReadinessChecks {
  /** Null: the first check is not over. */
  readonly device: CheckedDevice | null;
  /** The test or a page that leads to it is not here yet, and is on its way. */
  readonly isLoading: boolean;
  /** Fetches the test if there is a network, and checks again. */
  readonly recheck: () => Promise<void>;
  /** Asks the browser not to clear the storage. */
  readonly persist: () => Promise<void>;
}

/** Whether this device is ready for a test, checked again when something changes, and reported once the test was fetched. */
export function useReadiness(test: OfferedTest, owner: string): DeviceReadinessChecks {
  const { worker, outbox, serverNow } = useDevice();
  const readReadiness = useReadReadiness();
  const [device, setDevice] = useState<CheckedDevice | null>(null);
  const [offered] = useState(test);
  const [isFetching, setFetching] = useState(false);
  const isFetched = useRef(false);
  const newest = useRef(0);
  const { id } = test;
  const check = useCallback(async () => {
    newest.current += 1;
    const turn = newest.current;
    try {
      const state = await readReadiness(owner, id, isFetched.current);
      if (turn === newest.current) setDevice({ ...state, checkedAt: serverNow() });
    } catch (cause) {
      logProblem('Готовность устройства не проверить', { cause });
    }
  }, [readReadiness, owner, id, serverNow]);
  const onFetched = useCallback(() => {
    isFetched.current = true;
    void check();
  }, [check]);
  const fetchOffer = useOffer(owner, offered, onFetched, setFetching);
  useEffect(() => {
    const changed = () => void check();
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAGE_LOOK_EVERY_MS));
    const checkWithPages = async () => {
      await check();
      await waitForPages(owner, id, { looks: PAGE_LOOKS, pause });
      await check();
    };
    changed();
    const stops = [
      worker.subscribe(changed),
      onControlled(() => void checkWithPages()),
      onUnsent(outbox, owner, changed),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [check, worker, outbox, owner, id]);
  const persist = useCallback(async () => {
    await requestPersistence(navigator.storage);
    await check();
  }, [check]);
  useEffect(() => {
    void persist();
  }, [persist]);
  const recheck = useCallback(async () => {
    await fetchOffer();
    await check();
  }, [fetchOffer, check]);
  const isLoading =
    isFetching && problemsOf(device?.checks ?? []).some((problem) => LOADED.has(problem));
  return { device, isLoading, recheck, persist };
}
