import { useBlocker, useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';

export interface LeavingOptions {
  /** An attempt runs and this page writes it: stepping back is asked about. */
  asks: boolean;
  /** An answer lies in this page's memory alone: closing the page is asked about, by the browser. */
  atRisk: boolean;
  onAsk: () => void;
}

/**
 * Holds «back» and «forward» while an attempt runs, and asks instead. Links, redirects of an ended sign-in,
 * the finish and reloads go through. Returns the way out to where the step would have led.
 */
export function useLeaving({ asks, atRisk, onAsk }: LeavingOptions): () => void {
  const { history } = useRouter();
  const target = useRef('/tests/my');
  useBlocker({
    shouldBlockFn: useCallback(
      ({ action, current, next }) => {
        // A step that stays on the page closes a dialog; the browser has made it already.
        const isStep = action !== 'PUSH' && action !== 'REPLACE';
        if (!asks || !isStep || next.pathname === current.pathname) return false;
        const { pathname, search, hash } = window.location;
        target.current = `${pathname}${search}${hash}`;
        // The router steps back to this page first: only then has a dialog its place in the history.
        window.addEventListener('popstate', onAsk, { once: true });
        return true;
      },
      [asks, onAsk],
    ),
    enableBeforeUnload: useCallback(() => atRisk, [atRisk]),
  });
  return useCallback(() => {
    history.replace(target.current, undefined, { ignoreBlocker: true });
  }, [history]);
}
