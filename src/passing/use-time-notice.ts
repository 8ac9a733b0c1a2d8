import { useEffect, useRef, useState } from 'react';
import { useDevice } from '#app/offline/device-context.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { dueThreshold, leftWords, type Threshold, type Told } from './time-notices.ts';
import { readTold, rememberTold, type LocalMemory } from './told-times.ts';

const EVERY_MS = 500;
/** The note of five minutes leaves again: it has said its word, and the time stands in the header. */
const SHOWN_MS = 60_000;

/** What was told last in this page's life. */
export interface TimeNotice {
  /** Said once, politely. */
  readonly words: string;
  /** Shown above the question: five minutes for a while, the last minute to its end. */
  readonly shown: Exclude<Threshold, 10> | null;
}

interface Last extends Told {
  readonly words: string;
  readonly at: number;
}

/**
 * Tells of the time at 10, 5 and 1 minutes before the deadline, once per attempt on this device: a reload
 * says nothing again, a moved deadline does. Waits until the page is seen, and until this tab writes.
 */
export function useTimeNotice(view: AttemptView, local: LocalMemory): TimeNotice {
  const { serverNow } = useDevice();
  const { attemptId, startedAt, deadline, readOnly } = view;
  const [last, setLast] = useState<Last | null>(null);
  const [isFresh, setFresh] = useState(false);
  const current = useRef<Last | null>(null);

  useEffect(() => {
    if (readOnly !== null) return;
    const check = () => {
      if (document.visibilityState === 'hidden') return;
      const now = serverNow();
      const threshold = dueThreshold(
        { startedAt, deadline, now },
        current.current ?? readTold(local, attemptId),
      );
      if (threshold !== null) {
        const told = { deadline, threshold };
        rememberTold(local, attemptId, told, now);
        current.current = { ...told, words: leftWords(deadline - now), at: now };
        setLast(current.current);
      }
      setFresh(current.current !== null && now < current.current.at + SHOWN_MS);
    };
    check();
    const timer = setInterval(check, EVERY_MS);
    document.addEventListener('visibilitychange', check);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
    };
  }, [serverNow, local, attemptId, startedAt, deadline, readOnly]);

  // What was told of an earlier deadline holds no longer.
  if (last === null || last.deadline !== deadline) return { words: '', shown: null };
  if (last.threshold === 10) return { words: last.words, shown: null };
  return { words: last.words, shown: last.threshold === 1 || isFresh ? last.threshold : null };
}
