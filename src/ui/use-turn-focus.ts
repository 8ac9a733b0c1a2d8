import { useEffect, useRef } from 'react';
import { focusElement } from './keep-focus.ts';

export interface Turns {
  /** Whether only the list or the opened entry is shown, for lack of space. */
  readonly isNarrow: boolean;
  /** The entry that is open instead of the list; null: the list is shown. */
  readonly opened: string | null;
  readonly findList: () => Element | null | undefined;
  readonly findHeading: () => HTMLElement | null | undefined;
  readonly findRow: (opened: string) => HTMLElement | null | undefined;
}

/** For a list and an opened entry that replace each other: focuses the entry's heading, later its row again. */
export function useTurnFocus({ isNarrow, opened, findList, findHeading, findRow }: Turns): void {
  const before = useRef<Pick<Turns, 'isNarrow' | 'opened'> | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = { isNarrow, opened };
    // Opening the page and rotating the device do not move the focus.
    if (!last?.isNarrow || !isNarrow || last.opened === opened) return;
    const { activeElement, body } = document;
    const isNowhere = activeElement === null || activeElement === body;
    if (opened === null) {
      // A removed row has passed the focus on to another one.
      const row = last.opened === null ? null : findRow(last.opened);
      if (row && !findList()?.contains(activeElement)) row.focus();
      return;
    }
    const heading = findHeading();
    // A field that opened with the focus stays focused, and so does a button that leads from one entry to the next.
    if (heading && (isNowhere || findList()?.contains(activeElement)))
      focusElement(heading, { preventScroll: true });
  });
}
