import { useEffect } from 'react';
import { createModuleLoader } from '#app/lazy/module-loader.ts';

const loadScreenOn = createModuleLoader(() => import('./keep-screen-on.ts'));

/** Keeps the screen on while it is needed, where the browser has the Screen Wake Lock API. */
export function useScreenOn(isNeeded: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as Partial<Navigator>;
    if (!isNeeded || !wakeLock) return;
    let isOver = false;
    let end: (() => void) | undefined;
    loadScreenOn().then(
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
