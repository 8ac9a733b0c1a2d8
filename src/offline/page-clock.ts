import { browserClock, type DeviceClock } from '#app/api/timers.ts';

/** The clocks of a page, which knows whether the device may have slept: that hides or freezes the page first. */
export function createPageClock(page: Document): DeviceClock {
  let wasHidden = true;
  const noteHidden = (): void => {
    wasHidden = true;
  };
  for (const event of ['visibilitychange', 'freeze', 'resume']) {
    page.addEventListener(event, noteHidden);
  }
  return {
    ...browserClock,
    mayHaveSlept: () => {
      const isHidden = page.visibilityState === 'hidden';
      const mayHaveSlept = wasHidden || isHidden;
      wasHidden = isHidden;
      return mayHaveSlept;
    },
  };
}
