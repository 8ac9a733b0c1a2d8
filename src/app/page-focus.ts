import type { AnyRouter } from '@tanstack/react-router';
import { canFocus, type Place } from '#app/ui/lost-focus.ts';
import { focusElement } from '#app/ui/keep-focus.ts';
import { SITE } from '#app/ui/layout/use-page-title.ts';

/** How long the title may follow the heading, and how long a heading is waited for. */
const TITLE_MS = 150;
const HEADING_MS = 10_000;

const HIDDEN =
  'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';

/** The press that loaded this module, the control under it, and the page on which it was made. */
export interface FirstPress {
  readonly event: Event;
  /** The last press before the module was there: the next one is measured against it. */
  readonly latest: Event;
  readonly pressed: Place | null;
  readonly pathname: string;
}

const isDialogOpen = () => document.querySelector('[aria-modal="true"]') !== null;

const findHeading = (): HTMLElement | undefined =>
  [...document.querySelectorAll('h1')].find(
    (heading) => canFocus(heading) && heading.getClientRects().length > 0,
  );

/** A polite region that is on the page before it has a text. */
function createRegion(): (words: string) => void {
  const region = document.createElement('div');
  region.setAttribute('role', 'status');
  region.dataset['pageTitle'] = '';
  region.style.cssText = HIDDEN;
  document.body.append(region);
  return (words) => {
    region.textContent = words;
  };
}

/**
 * Moves the focus to the heading after each navigation to another page, and announces the page's title if it says more
 * than the heading. If the page itself has focused something meanwhile, such as a field of a form, that stays focused.
 */
export function focusPages(router: AnyRouter, { event, pathname }: FirstPress): void {
  const announce = createRegion();
  let before: Element | null = null;
  let stopWaiting = () => {};

  const focusHeading = (heading: HTMLElement) => {
    const { activeElement, body } = document;
    const isElsewhere =
      activeElement !== before && activeElement !== body && activeElement !== null;
    if (!isElsewhere && !isDialogOpen()) focusElement(heading, { preventScroll: true });
    const timer = setTimeout(() => {
      const title = document.title.replace(` · ${SITE}`, '');
      announce(title === heading.textContent?.trim() ? '' : title);
    }, TITLE_MS);
    stopWaiting = () => clearTimeout(timer);
  };
  const waitForHeading = () => {
    const look = () => {
      const heading = findHeading();
      if (!heading) return;
      stopWaiting();
      focusHeading(heading);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true });
    const frame = requestAnimationFrame(look);
    const timer = setTimeout(() => stopWaiting(), HEADING_MS);
    stopWaiting = () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  };

  // The press itself may have followed a link before this module was loaded.
  const { location, resolvedLocation, status } = router.state;
  if (location.pathname !== pathname) {
    before = event.target instanceof Element ? event.target.closest('a, button') : null;
    if (status === 'idle' && resolvedLocation?.pathname === location.pathname) waitForHeading();
  }
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
    if (!pathChanged) return;
    stopWaiting();
    before = document.activeElement;
    announce('');
  });
  router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || !fromLocation) return;
    stopWaiting();
    waitForHeading();
  });
}
