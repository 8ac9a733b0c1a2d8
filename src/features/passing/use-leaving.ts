import { useBlocker, useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';

export interface LeavingOptions {
  /** An attempt runs in this tab: going back needs confirmation. */
  shouldConfirm: boolean;
  /** An answer exists only in memory: the browser confirms closing the page. */
  atRisk: boolean;
  onConfirm: () => void;
}

/**
 * Blocks «back» and «forward» during an attempt and asks for confirmation. Links, redirects of an ended session, the
 * finish and reloads pass. Returns a function that completes the blocked navigation.
 */
export function useLeaving({ shouldConfirm, atRisk, onConfirm }: LeavingOptions): () => void {
  const { history } = useRouter();
  const target = useRef('/tests/my');
  useBlocker({
    shouldBlockFn: useCallback(
      ({ action, current, next }) => {
        // A navigation within the page closes a modal; the browser has already performed it.
        const isStep = action !== 'PUSH' && action !== 'REPLACE';
        if (!shouldConfirm || !isStep || next.pathname === current.pathname) return false;
        const { pathname, search, hash } = window.location;
        target.current = `${pathname}${search}${hash}`;
        // The router returns to this page first: only then can a modal add its history entry.
        window.addEventListener('popstate', onConfirm, { once: true });
        return true;
      },
      [shouldConfirm, onConfirm],
    ),
    enableBeforeUnload: useCallback(() => atRisk, [atRisk]),
  });
  return useCallback(() => {
    history.replace(target.current, undefined, { ignoreBlocker: true });
  }, [history]);
}
