import { useRouter, type AnyRouter, type RouterHistory } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many entries up to this one were pushed for dialogs of the page; absent: none. */
    dialogs?: number;
  }
}

interface OpenDialog {
  /** The path on which it was opened; a dialog of a page that is being left takes no further entry. */
  readonly pathname: string;
  /** «Back» was pressed. The owner may ask first and leave the dialog open. */
  readonly onBack: () => void;
  /** Of its entry in the history; null: it has none (any more). */
  index: number | null;
}

interface DialogEntries {
  /** Returns what gives the entry back. */
  add(onBack: () => void): () => void;
}

/**
 * Gives every open dialog an entry of the router's history, so that «back» closes it instead of leaving the page.
 *
 * The entry of a dialog that has closed is stale. It stays where it is, since a step back would race with what the
 * person does next: the next dialog takes it over, and «back» from it goes on to where it would have led without it.
 */
function createDialogEntries(router: AnyRouter): DialogEntries {
  const history: RouterHistory = router.history;
  const dialogs = new Set<OpenDialog>();
  let isScheduled = false;
  let previous = history.location;

  const indexOf = ({ state }: typeof previous) => state.__TSR_index;
  const isStale = (location: typeof previous) =>
    location.state.dialogs !== undefined &&
    ![...dialogs].some(({ index }) => index === indexOf(location));

  function pushEntry(): void {
    const below = history.location.state.dialogs ?? 0;
    void router.navigate({
      to: '.',
      search: true,
      params: true,
      hash: true,
      state: (before) => ({ ...before, dialogs: below + 1 }),
      resetScroll: false,
      hashScrollIntoView: false,
      ignoreBlocker: true,
    });
    // The router joins what is pushed within one task; each dialog needs an entry of its own.
    history.flush();
  }

  /** Gives every open dialog of this page an entry. */
  function settle(): void {
    isScheduled = false;
    for (const dialog of dialogs) {
      if (dialog.index !== null || dialog.pathname !== history.location.pathname) continue;
      if (!isStale(history.location)) pushEntry();
      dialog.index = indexOf(history.location);
    }
  }

  /** Waits for the end of the task, in which a dialog may close again or its page be left. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(settle);
  }

  history.subscribe(({ location, action }) => {
    const from = previous;
    previous = location;
    if (action.type !== 'BACK' && action.type !== 'GO') return;
    const isBackFromStale =
      action.type === 'BACK' &&
      isStale(from) &&
      indexOf(location) < indexOf(from) &&
      location.href === from.href;
    // A dialog that changed the address in place, as one with filters does, is closed by «back» all the same.
    const left = [...dialogs].filter(({ index }) => index !== null && index > indexOf(location));
    for (const dialog of left.reverse()) {
      dialog.index = null;
      // Whether its owner has closed it is known once React is done.
      if (dialog.pathname === location.pathname) flushSync(dialog.onBack);
    }
    if (isBackFromStale) history.back();
    schedule();
  });

  return {
    add(onBack) {
      const dialog = { pathname: history.location.pathname, onBack, index: null };
      dialogs.add(dialog);
      schedule();
      return () => dialogs.delete(dialog);
    },
  };
}

const entriesOfRouters = new WeakMap<AnyRouter, DialogEntries>();

/** Called before the first page, too: a reload may have left a stale entry. */
export function dialogEntriesOf(router: AnyRouter): DialogEntries {
  const entries = entriesOfRouters.get(router) ?? createDialogEntries(router);
  entriesOfRouters.set(router, entries);
  return entries;
}

/** While mounted, «back» calls `onBack` instead of leaving the page. Without a router it does nothing. */
export function useDialogEntry(onBack: () => void): void {
  // Undefined before the router starts and in tests of single components.
  const router: AnyRouter | undefined = useRouter({ warn: false });
  const latest = useRef(onBack);
  useEffect(() => {
    latest.current = onBack;
  });
  useLayoutEffect(
    () => (router ? dialogEntriesOf(router).add(() => latest.current()) : undefined),
    [router],
  );
}
