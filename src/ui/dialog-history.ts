/**
 * The steps that open dialogs hold in the browser's history, one each, so that «back» closes a dialog instead of
 * leaving the page. A step back takes the browser a while; whatever opens or closes meanwhile waits for its end here,
 * or the step that gives one dialog's entry back would close the next dialog.
 */
interface Holder {
  readonly id: string;
  /** A person stepped back from it. */
  readonly onBack: () => void;
  hasEntry: boolean;
}

const { history } = window;

/** After a button in a dialog: time for the navigation it may start, which then needs the entry. */
const NAVIGATION_MS = 80;
/** A step back of our own that was not made by then never will be. */
const STEP_MS = 5000;

/** Open dialogs, the upper ones last. */
let holders: Holder[] = [];
/** Closed dialogs whose entries may still be there. */
const closed = new Set<string>();
/** A step back of our own is on its way. */
let stepping: ReturnType<typeof setTimeout> | undefined;
let isListening = false;

/** The dialog that the current entry is for. */
function currentMark(): string | undefined {
  const state = history.state as unknown;
  if (typeof state !== 'object' || state === null || !('dialog' in state)) return undefined;
  return typeof state.dialog === 'string' ? state.dialog : undefined;
}

function write(how: 'pushState' | 'replaceState', dialog: string): void {
  const before = history.state as unknown;
  const state = { ...(typeof before === 'object' ? before : null), dialog };
  // The router wraps these on `window.history`; a dialog is not a navigation, so it goes past it.
  History.prototype[how].call(history, state, '');
}

/** Gives the entry back, if the current one is a closed dialog's. */
function stepBack(): void {
  const current = currentMark();
  if (stepping !== undefined || current === undefined || !closed.delete(current)) return;
  stepping = setTimeout(onStep, STEP_MS);
  history.back();
}

/** Every open dialog has its entry; a closed one's is taken over. */
function takeEntries(): void {
  if (stepping !== undefined) return;
  for (const holder of holders) {
    if (holder.hasEntry) continue;
    const current = currentMark();
    if (current !== undefined && closed.delete(current)) write('replaceState', holder.id);
    else if (current !== holder.id) write('pushState', holder.id);
    closed.delete(holder.id);
    holder.hasEntry = true;
  }
}

function onStep(): void {
  const isOwn = stepping !== undefined;
  clearTimeout(stepping);
  stepping = undefined;
  const current = currentMark();
  const left = holders.slice(holders.findIndex(({ id }) => id === current) + 1);
  for (const holder of left) holder.hasEntry = false;
  if (isOwn) {
    takeEntries();
    stepBack();
    return;
  }
  for (const { onBack } of left) onBack();
  // Their owners may ask first, and the dialogs stay: the next «back» is for them again.
  setTimeout(takeEntries, NAVIGATION_MS);
}

/** An opened dialog takes an entry. Returns what gives it back when the dialog has closed. */
export function holdEntry(id: string, onBack: () => void): () => void {
  if (!isListening) window.addEventListener('popstate', onStep);
  isListening = true;
  const holder: Holder = { id, onBack, hasEntry: false };
  holders.push(holder);
  takeEntries();
  return () => {
    holders = holders.filter((other) => other !== holder);
    closed.add(id);
    setTimeout(stepBack, NAVIGATION_MS);
  };
}

/** A person dismisses the dialog: its entry is given back at once, since no navigation follows. */
export function dropEntry(id: string): void {
  if (currentMark() !== id) return;
  closed.add(id);
  stepBack();
}
