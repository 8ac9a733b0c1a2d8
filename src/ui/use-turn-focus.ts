import { useEffect, useRef } from 'react';
import { focusElement } from './keep-focus.ts';

export interface Turns {
  /** Whether the list and what is opened from it take turns, for want of room. */
  readonly isNarrow: boolean;
  /** What is open instead of the list; null: the list is shown. */
  readonly opened: string | null;
  readonly findList: () => Element | null | undefined;
  readonly findHeading: () => HTMLElement | null | undefined;
  readonly findRow: (opened: string) => HTMLElement | null | undefined;
}

/** Where a list and what is opened from it take turns: the heading of what opened has the focus, then its row again. */
export function useTurnFocus({ isNarrow, opened, findList, findHeading, findRow }: Turns): void {
  const before = useRef<Pick<Turns, 'isNarrow' | 'opened'> | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = { isNarrow, opened };
    // A page that opens, and a device that is turned, move nothing.
    if (!last?.isNarrow || !isNarrow || last.opened === opened) return;
    const { activeElement, body } = document;
    const isNowhere = activeElement === null || activeElement === body;
    if (opened === null) {
      // A row that was removed has passed the focus on to another one.
      const row = last.opened === null ? null : findRow(last.opened);
      if (row && !findList()?.contains(activeElement)) row.focus();
      return;
    }
    const heading = findHeading();
    // A field that opened with the focus keeps it, and so does a button that goes from one to the next.
    if (heading && (isNowhere || findList()?.contains(activeElement)))
      focusElement(heading, { preventScroll: true });
  });
}
