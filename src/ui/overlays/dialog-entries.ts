import { useRouter, type AnyRouter, type RouterHistory } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many entries up to this one were pushed for dialogs of the page; absent: none. */
    dialogs?: number;
    /** What the page's open dialogs show, by `useDialogState`: they open again after a reload. */
    openDialogs?: Readonly<Record<string, string>>;
  }
}

interface OpenDialog {
  /** The path on which it was opened. A dialog of a page that is being left gets no further entry. */
  readonly pathname: string;
  /** «Back» was pressed. The owner may ask first and leave the dialog open. */
  readonly onBack: () => void;
  /** The index of its history entry; null: it has none (any more). */
  index: number | null;
}

interface DialogEntries {
  /** Returns a function that releases the entry. */
  add(onBack: () => void): () => void;
  /** Writes what an open dialog shows into the entry. Returns a function that removes it again. */
  record(name: string, value: string): () => void;
  /** What a dialog of this page showed before a reload. */
  readBeforeReload(name: string): string | undefined;
}

type HistoryLocation = RouterHistory['location'];

const indexOf = ({ state }: HistoryLocation) => state.__TSR_index;

/** Whether the entry belongs to a dialog that is closed. */
const isStale = (location: HistoryLocation, dialogs: ReadonlySet<OpenDialog>) =>
  location.state.dialogs !== undefined &&
  ![...dialogs].some(({ index }) => index === indexOf(location));

function writeEntry(
  router: AnyRouter,
  dialogs: number,
  recorded: ReadonlyMap<string, string>,
  replace: boolean,
): void {
  void router.navigate({
    to: '.',
    search: true,
    params: true,
    hash: true,
    state: (before) => ({ ...before, dialogs, openDialogs: Object.fromEntries(recorded) }),
    replace,
    resetScroll: false,
    hashScrollIntoView: false,
    ignoreBlocker: true,
  });
  // The router joins the pushes of one task, but each dialog needs an entry of its own.
  router.history.flush();
}

/** Gives every open dialog of this page an entry, and writes into the current one what they show. */
function writeEntries(
  router: AnyRouter,
  dialogs: ReadonlySet<OpenDialog>,
  recorded: ReadonlyMap<string, string>,
): void {
  const history: RouterHistory = router.history;
  for (const dialog of dialogs) {
    if (dialog.index !== null || dialog.pathname !== history.location.pathname) continue;
    const { state } = history.location;
    if (!isStale(history.location, dialogs))
      writeEntry(router, (state.dialogs ?? 0) + 1, recorded, false);
    dialog.index = indexOf(history.location);
  }
  const { dialogs: depth, openDialogs = {} } = history.location.state;
  const isRecorded =
    recorded.size === Object.keys(openDialogs).length &&
    [...recorded].every(([name, value]) => openDialogs[name] === value);
  if (depth !== undefined && !isRecorded) writeEntry(router, depth, recorded, true);
}

/** Closes the dialogs that have their entries behind the location a step in the history led to. */
function closeDialogsBehind(location: HistoryLocation, dialogs: ReadonlySet<OpenDialog>): void {
  // A dialog that replaced the address, such as one with filters, is closed by «back» all the same.
  const left = [...dialogs].filter(({ index }) => index !== null && index > indexOf(location));
  for (const dialog of left.reverse()) {
    dialog.index = null;
    // Only after React has rendered is it known whether the owner has closed it.
    if (dialog.pathname === location.pathname) flushSync(dialog.onBack);
  }
}

/**
 * Gives every open dialog an entry of the router's history, so that «back» closes it instead of leaving the page.
 *
 * The entry of a closed dialog is stale. It stays, since a step back would race with the person's next action. The next
 * dialog reuses it, and «back» from it goes to the target it would have without it.
 */
function createDialogEntries(router: AnyRouter): DialogEntries {
  const history: RouterHistory = router.history;
  const dialogs = new Set<OpenDialog>();
  const recorded = new Map<string, string>();
  const beforeReload = new Map(Object.entries(history.location.state.openDialogs ?? {}));
  let isScheduled = false;
  let previous = history.location;

  /** Waits for the end of the task, in which a dialog may close again or a person may leave its page. */
  function scheduleWrite(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      writeEntries(router, dialogs, recorded);
    });
  }

  history.subscribe(({ location, action }) => {
    const from = previous;
    previous = location;
    // A person who returns to a page finds it without the dialog that led away.
    if (action.type !== 'REPLACE' || location.href !== from.href) beforeReload.clear();
    if (action.type !== 'BACK' && action.type !== 'GO') return;
    // A dialog that has opened over a stale entry in this task owns it already.
    for (const dialog of dialogs)
      if (dialog.index === null && dialog.pathname === from.pathname && isStale(from, dialogs))
        dialog.index = indexOf(from);
    const isBackFromStale =
      action.type === 'BACK' &&
      isStale(from, dialogs) &&
      indexOf(location) < indexOf(from) &&
      location.href === from.href;
    closeDialogsBehind(location, dialogs);
    if (isBackFromStale) history.back();
    scheduleWrite();
  });

  return {
    add(onBack) {
      const dialog = { pathname: history.location.pathname, onBack, index: null };
      dialogs.add(dialog);
      scheduleWrite();
      return () => dialogs.delete(dialog);
    },
    record(name, value) {
      beforeReload.delete(name);
      recorded.set(name, value);
      scheduleWrite();
      return () => {
        recorded.delete(name);
        scheduleWrite();
      };
    },
    readBeforeReload: (name) => beforeReload.get(name),
  };
}

const entriesOfRouters = new WeakMap<AnyRouter, DialogEntries>();

/** Called before the first page too: a reload may have left a stale entry. */
export function dialogEntriesOf(router: AnyRouter): DialogEntries {
  const entries = entriesOfRouters.get(router) ?? createDialogEntries(router);
  entriesOfRouters.set(router, entries);
  return entries;
}

/** While mounted, «back» calls `onBack` instead of leaving the page. Without a router it does nothing. */
export function useDialogEntry(onBack: () => void): void {
  // Undefined before the router starts and in tests of single components.
  const router: AnyRouter | undefined = useRouter({ warn: false });
  const goBack = useEffectEvent(onBack);
  useLayoutEffect(
    () => (router ? dialogEntriesOf(router).add(() => goBack()) : undefined),
    [router],
  );
}

/**
 * Records what a dialog shows in its history entry, as an id or a keyword; null: it is closed. Returns what it showed
 * before a reload, until something is open again.
 *
 * For dialogs that can be rebuilt from that value. A dialog that confirms something irreversible, or shows a secret
 * once, is not recorded: it stays closed after a reload.
 */
export function useDialogRecord(name: string, value: string | null): string | undefined {
  const router: AnyRouter | undefined = useRouter({ warn: false });
  useLayoutEffect(
    () => (router && value !== null ? dialogEntriesOf(router).record(name, value) : undefined),
    [router, name, value],
  );
  return router && dialogEntriesOf(router).readBeforeReload(name);
}

/** The state of a dialog that opens again after a reload; null: closed. `reopening`: only in these states. */
export function useDialogState<Value extends string>(name: string, reopening?: readonly Value[]) {
  const canReopen = (value: string | null | undefined): value is Value =>
    value != null && (!reopening || reopening.some((one) => one === value));
  const [value, setValue] = useState<Value | null>(null);
  const before = useDialogRecord(name, canReopen(value) ? value : null);
  const [isRead, setRead] = useState(false);
  if (!isRead) {
    setRead(true);
    if (canReopen(before)) setValue(before);
  }
  return [value, setValue] as const;
}
