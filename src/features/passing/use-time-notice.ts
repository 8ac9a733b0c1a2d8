import { useEffect, useRef, useState } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import {
  dueThreshold,
  timeLeftMessage,
  type Threshold,
  type AnnouncedWarning,
} from './time-notices.ts';
import { readAnnounced, markAnnounced, type LocalMemory } from './announced-warnings.ts';

const EVERY_MS = 500;
/** The five-minute note closes by itself: the header shows the time. */
const SHOWN_MS = 60_000;

/** The last warning announced since the page loaded. */
export interface TimeNotice {
  /** Text of the polite live region, announced once. */
  readonly announcement: string;
  /** Shown above the question: the five-minute warning for a while, the last minute to its end. */
  readonly shown: Exclude<Threshold, 10> | null;
}

interface Last extends AnnouncedWarning {
  readonly announcement: string;
  readonly at: number;
}

/**
 * Announces the time 10, 5 and 1 minutes before the deadline, once per attempt and device: not again after a
 * reload, but again after a moved deadline. Waits until the page is visible and this tab owns the attempt.
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
        current.current ?? readAnnounced(local, attemptId),
      );
      if (threshold !== null) {
        const warning = { deadline, threshold };
        markAnnounced(local, attemptId, warning, now);
        current.current = { ...warning, announcement: timeLeftMessage(deadline - now), at: now };
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

  // Warnings for an earlier deadline no longer apply.
  if (last === null || last.deadline !== deadline) return { announcement: '', shown: null };
  if (last.threshold === 10) return { announcement: last.announcement, shown: null };
  return {
    announcement: last.announcement,
    shown: last.threshold === 1 || isFresh ? last.threshold : null,
  };
}
