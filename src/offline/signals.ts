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

/** Events that wake the outbox in a page, including a restore from the back/forward cache. */
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

/** Events that only a visible page receives. */
const SIGNS_OF_A_PERSON = ['pointerdown', 'keydown', 'input'] as const;

/**
 * Closes the databases of a page that is being left, in the capture phase, before other handlers could start
 * work. Some navigations do not leave the page (a download, a link to another program): then no `pageshow`
 * follows, and the page counts as shown once it is visible again or used.
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
