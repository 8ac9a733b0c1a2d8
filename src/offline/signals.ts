import type { Signals } from '#app/outbox/scheduler.ts';

const on = (target: EventTarget, type: string, run: () => void) => {
  target.addEventListener(type, run);
  return () => target.removeEventListener(type, run);
};

/** What wakes the outbox in a page. Coming out of the back-forward cache is a wake-up too. */
export const pageSignals: Signals = {
  onOnline: (run) => on(window, 'online', run),
  onOffline: (run) => on(window, 'offline', run),
  onVisible: (run) => {
    const whenVisible = () => {
      if (document.visibilityState === 'visible') run();
    };
    const stops = [on(document, 'visibilitychange', whenVisible), on(window, 'pageshow', run)];
    return () => stops.forEach((stop) => stop());
  },
};
