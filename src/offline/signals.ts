import type { Signals } from '#app/outbox/scheduler.ts';
import type { PageVisits } from '#app/storage/connection.ts';

const on = (
  target: EventTarget,
  type: string,
  run: () => void,
  options: AddEventListenerOptions = {},
) => {
  target.addEventListener(type, run, options);
  return () => target.removeEventListener(type, run, options);
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

/** When the databases of this page are let go of: in the capture phase, before whoever would still begin something. */
export const pageVisits: PageVisits = {
  onHide: (run) => {
    const hide = ({ persisted }: PageTransitionEvent) => run(persisted);
    window.addEventListener('pagehide', hide, { capture: true });
    return () => window.removeEventListener('pagehide', hide, { capture: true });
  },
  onShow: (run) => on(window, 'pageshow', run, { capture: true }),
};
