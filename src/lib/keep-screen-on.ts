type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
type Lock = Pick<WakeLockSentinel, 'released' | 'release'>;
export interface WakeLocks {
  request(type: 'screen'): Promise<Lock>;
}

/**
 * Prevents the screen from switching off until the returned function is called. The browser releases the lock with
 * every hidden page, so it is requested again when the page is shown. A refusal, for example by a battery saver,
 * changes nothing for the student.
 */
export function keepScreenOn(page: Page, locks: WakeLocks): () => void {
  let lock: Lock | null = null;
  let isOver = false;
  let isPending = false;
  /** The page was shown again while a request was pending. */
  let isShownAgain = false;
  const release = (held: Lock | null) => void held?.release().catch(() => undefined);
  const request = () => {
    if (isOver || page.visibilityState !== 'visible' || lock?.released === false) return;
    isShownAgain = isPending;
    if (isPending) return;
    isPending = true;
    // Some browsers throw where others reject.
    Promise.resolve()
      .then(() => locks.request('screen'))
      .then(
        (granted) => {
          lock = granted;
          if (isOver) release(granted);
        },
        () => undefined,
      )
      .finally(() => {
        isPending = false;
        if (isShownAgain) request();
      });
  };
  request();
  page.addEventListener('visibilitychange', request);
  return () => {
    isOver = true;
    page.removeEventListener('visibilitychange', request);
    release(lock);
  };
}
