import type { AnyRouter } from '@tanstack/react-router';
import { keepFocus } from '#app/ui/keep-focus.ts';
import { guardPresses } from '#app/ui/press-guard.ts';
import { focusPages, type FirstPress } from './page-focus.ts';

/** For as long as the app is open; `started`: the press with which it was loaded. */
export function watchPressesAndFocus(router: AnyRouter, started: FirstPress): void {
  guardPresses(window, started.latest);
  keepFocus(started.pressed);
  focusPages(router, started);
}
