import { useEffect, useReducer, useState } from 'react';
import { whenIdle } from '#app/lazy/when-idle.ts';
import { onBetterTimes } from './on-better-times.ts';
import type { Part } from './part.ts';

/** Pauses before a load is repeated. After the last one only an event or a person repeats it. */
const PAUSES_MS = [2_000, 5_000, 15_000, 30_000, 60_000];

const increase = (count: number) => count + 1;

export interface UsedPart<Loaded> {
  loaded: Loaded | undefined;
  hasFailed: boolean;
}

/**
 * Loads a part while it is needed, repeatedly if necessary; null: nothing is needed.
 * @param isUrgent false: it is loaded when the page has time
 */
export function usePart<Loaded>(part: Part<Loaded> | null, isUrgent = true): UsedPart<Loaded> {
  const [hasFailed, setFailed] = useState(false);
  const [, renderLoaded] = useReducer(increase, 0);
  const loaded = part?.get();
  const missing = loaded === undefined ? part : null;
  useEffect(() => {
    if (!missing) return;
    let isCurrent = true;
    let isLoading = false;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFailure = () => {
      if (!isCurrent) return;
      isLoading = false;
      setFailed(true);
      const pause = PAUSES_MS[failures];
      failures += 1;
      if (pause !== undefined) timer = setTimeout(load, pause);
    };
    const load = () => {
      if (isLoading || !isCurrent) return;
      isLoading = true;
      clearTimeout(timer);
      missing.load().then(() => isCurrent && renderLoaded(), onFailure);
    };
    if (isUrgent) load();
    else whenIdle(load);
    const unsubscribe = onBetterTimes(load);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [missing, isUrgent]);
  return { loaded, hasFailed: missing !== null && hasFailed };
}
