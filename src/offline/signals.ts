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

/** What only a page that somebody looks at gets. */
const SIGNS_OF_A_PERSON = ['pointerdown', 'keydown', 'input'] as const;

/**
 * When the databases of this page are let go of: in the capture phase, before whoever would still begin something.
 * Some leave-takings end without a leave (a download in place of a page, an address of another program): then no
 * `pageshow` follows, and the page counts as shown as soon as it is visible again or somebody uses it.
 */
export const pageVisits: PageVisits = {
  onHide: (run) => {
    const hide = ({ persisted }: PageTransitionEvent) => run(persisted);
    window.addEventListener('pagehide', hide, { capture: true });
    return () => window.removeEventListener('pagehide', hide, { capture: true });
  },
  onShow: (run) => {
    const whenVisible = () => {
      if (document.visibilityState === 'visible') run();
    };
    const stops = [
      on(window, 'pageshow', run, { capture: true }),
      on(document, 'visibilitychange', whenVisible, { capture: true }),
      ...SIGNS_OF_A_PERSON.map((type) => on(window, type, run, { capture: true })),
    ];
    return () => stops.forEach((stop) => stop());
  },
};
