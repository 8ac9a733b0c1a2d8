import { useEffect, useReducer, useState } from 'react';
import type { Part } from './part.ts';

/** Pauses before a load is repeated; after the last one only an event or a person repeats it. */
const PAUSES_MS = [2_000, 5_000, 15_000, 30_000, 60_000];

const increase = (count: number) => count + 1;

/** Calls back when a load is worth repeating: the network is back, the page is shown, a worker took over. */
function onBetterTimes(retry: () => void): () => void {
  const whenVisible = () => {
    if (document.visibilityState === 'visible') retry();
  };
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  window.addEventListener('online', retry);
  document.addEventListener('visibilitychange', whenVisible);
  serviceWorker?.addEventListener('controllerchange', retry);
  return () => {
    window.removeEventListener('online', retry);
    document.removeEventListener('visibilitychange', whenVisible);
    serviceWorker?.removeEventListener('controllerchange', retry);
  };
}

export interface UsedPart<Loaded> {
  loaded: Loaded | undefined;
  hasFailed: boolean;
}

/** Loads a part while it is needed, again and again if it has to; null: nothing is needed. */
export function usePart<Loaded>(part: Part<Loaded> | null): UsedPart<Loaded> {
  const [failures, setFailures] = useState(0);
  const [tries, retry] = useReducer(increase, 0);
  const [, renderLoaded] = useReducer(increase, 0);
  const loaded = part?.get();
  const missing = loaded === undefined ? part : null;
  useEffect(() => {
    if (!missing) return;
    let isCurrent = true;
    missing.load().then(
      () => isCurrent && renderLoaded(),
      () => isCurrent && setFailures(increase),
    );
    return () => {
      isCurrent = false;
    };
  }, [missing, tries]);
  useEffect(() => {
    if (!missing || failures === 0) return;
    const pause = PAUSES_MS[failures - 1];
    const timer = pause === undefined ? undefined : setTimeout(retry, pause);
    const unsubscribe = onBetterTimes(retry);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [missing, failures]);
  return { loaded, hasFailed: missing !== null && failures > 0 };
}
