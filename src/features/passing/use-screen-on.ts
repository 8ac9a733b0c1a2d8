import { useEffect } from 'react';

/** Keeps the screen on while it is needed, where the browser has the Screen Wake Lock API. */
export function useScreenOn(isNeeded: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as Partial<Navigator>;
    if (!isNeeded || !wakeLock) return;
    let isOver = false;
    let end: (() => void) | undefined;
    import('./keep-screen-on.ts').then(
      ({ keepScreenOn }) => {
        if (!isOver) end = keepScreenOn(document, wakeLock);
      },
      // The screen goes off as it did before.
      () => undefined,
    );
    return () => {
      isOver = true;
      end?.();
    };
  }, [isNeeded]);
}
