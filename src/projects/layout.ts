import { useSyncExternalStore } from 'react';
import { logProblem } from '#app/offline/log.ts';

/** How a list of projects is laid out. */
export type Layout = 'grid' | 'rows';

export const LAYOUT_KEY = 'projects-layout';
const DEFAULT: Layout = 'grid';

const isLayout = (value: unknown): value is Layout => value === 'grid' || value === 'rows';

/** A kept choice; what is none is logged and counts as no value (specification, section 8). */
function parseLayout(kept: string | null): Layout {
  if (kept === null) return DEFAULT;
  if (isLayout(kept)) return kept;
  logProblem('Сохранённый вид списка проектов не разобрать');
  return DEFAULT;
}

function readKept(): Layout {
  try {
    return parseLayout(window.localStorage.getItem(LAYOUT_KEY));
  } catch (cause) {
    logProblem('Вид списка проектов не прочитать', { cause });
    return DEFAULT;
  }
}

let current: Layout | null = null;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

function onStorage({ key, newValue }: StorageEvent): void {
  if (key !== LAYOUT_KEY && key !== null) return;
  current = parseLayout(newValue);
  tell();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('storage', onStorage);
    // Whoever looks next reads what is kept then.
    current = null;
  };
}

function choose(layout: Layout): void {
  current = layout;
  try {
    window.localStorage.setItem(LAYOUT_KEY, layout);
  } catch (cause) {
    // The choice then holds as long as the page.
    logProblem('Вид списка проектов не сохранить', { cause });
  }
  tell();
}

/** The layout of lists of projects on this device, and the way to choose another. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const layout = useSyncExternalStore(subscribe, () => (current ??= readKept()));
  return [layout, choose];
}
