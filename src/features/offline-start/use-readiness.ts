import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import type { OfferedTest } from '#app/offers/fetch-offers.ts';
import type { DeviceState } from '#app/offers/readiness.ts';
import { requestPersistence } from '#app/offline/readiness.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { useOffers, useReadReadiness } from './use-offers.ts';

function subscribeToWorker(changed: () => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('controllerchange', changed);
  return () => serviceWorker.removeEventListener('controllerchange', changed);
}
const hasController = () =>
  'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;

export interface CheckedDevice extends DeviceState {
  /** Server time, milliseconds. */
  readonly checkedAt: number;
}

export interface DeviceReadinessChecks {
  /** Null: the first check is not over. */
  readonly device: CheckedDevice | null;
  /** Fetches the test if there is a network, and checks again. */
  readonly recheck: () => Promise<void>;
  /** Asks the browser not to clear the storage. */
  readonly persist: () => Promise<void>;
}

/** Whether this device is ready for a test, checked again when something changes, and reported once the test was fetched. */
export function useReadiness(test: OfferedTest, owner: string): DeviceReadinessChecks {
  const { worker, serverNow } = useDevice();
  const readReadiness = useReadReadiness();
  const [device, setDevice] = useState<CheckedDevice | null>(null);
  const [tests] = useState([test]);
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
  const fetchAll = useOffers(owner, tests, onFetched);
  const countUnsent = useCallback((outbox: Outbox) => outbox.unsentCount(owner), [owner]);
  const unsent = useOutboxValue(countUnsent, 0);
  const isUpdateWaiting = useSyncExternalStore(worker.subscribe, worker.isUpdateWaiting);
  const isControlled = useSyncExternalStore(subscribeToWorker, hasController);
  useEffect(() => {
    void check();
  }, [check, unsent, isUpdateWaiting, isControlled]);
  const persist = useCallback(async () => {
    await requestPersistence(navigator.storage);
    await check();
  }, [check]);
  useEffect(() => {
    void persist();
  }, [persist]);
  const recheck = useCallback(async () => {
    await fetchAll();
    await check();
  }, [fetchAll, check]);
  return { device, recheck, persist };
}
