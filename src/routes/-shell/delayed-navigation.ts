import type { NavigationTiming } from '#app/ui/layout/ShellLink.ts';

/** Delays of the specification, section 9, ms. */
const AFTER_CLOSING_MS = 10;
const AFTER_SCROLL_MS = 50;
/** Polling interval of a running scroll and its maximum delay, ms. */
const LOOK_EVERY_MS = 16;
const SCROLL_MOST_MS = 400;
/** Above this distance a smooth scroll to the top would take too long, px. */
const FAR_PX = 600;

/** The used subset of the page. */
export interface PageEnvironment {
  /** Scroll position of the main area, px. */
  scrolled: () => number;
  /** Scrolls the main area to its top: smoothly, or at once. */
  scrollToTop: (behavior: 'smooth' | 'instant') => void;
  prefersStillness: () => boolean;
  address: () => string;
  setTimeout: (run: () => void, ms: number) => void;
}

/**
 * Starts navigations as specified (section 2): at once, 10 ms after a menu has closed, or 50 ms after the main area was
 * scrolled to its top; from a great distance at once. Without delay at the top or with reduced motion. A navigation
 * that happened meanwhile is not undone.
 */
export function createNavigator(page: PageEnvironment) {
  let latest: symbol | null = null;

  return (timing: NavigationTiming, go: () => void): void => {
    const own = Symbol(timing);
    latest = own;
    const from = page.address();
    const later = (ms: number) =>
      page.setTimeout(() => {
        if (latest === own && page.address() === from) go();
      }, ms);
    if (timing === 'afterClosing') return later(AFTER_CLOSING_MS);
    if (timing === 'immediate' || page.scrolled() <= 0 || page.prefersStillness()) return go();
    const look = (waited: number) => {
      if (page.scrolled() <= 0 || waited >= SCROLL_MOST_MS) return later(AFTER_SCROLL_MS);
      page.setTimeout(() => look(waited + LOOK_EVERY_MS), LOOK_EVERY_MS);
    };
    page.scrollToTop(page.scrolled() > FAR_PX ? 'instant' : 'smooth');
    look(0);
  };
}

export const navigateBy = createNavigator({
  scrolled: () => window.scrollY,
  scrollToTop: (behavior) => window.scrollTo({ top: 0, behavior }),
  prefersStillness: () => window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  address: () => window.location.href,
  setTimeout: (run, ms) => void window.setTimeout(run, ms),
});
