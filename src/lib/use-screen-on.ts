import { useEffect } from 'react';
import { createModuleLoader } from '#app/lazy/module-loader.ts';

const loadScreenOn = createModuleLoader(() => import('./keep-screen-on.ts'));

/** Prevents the screen from switching off while it is needed, if the browser has the Screen Wake Lock API. */
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
      // The screen switches off as usual.
      () => undefined,
    );
    return () => {
      isOver = true;
      end?.();
    };
  }, [isNeeded]);
}
