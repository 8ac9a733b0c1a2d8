import { useSyncExternalStore } from 'react';
import { logProblem } from '#app/lib/log.ts';
import { columnsOf } from '#app/ui/columns.ts';
import { cx } from '#app/ui/cx.ts';
import classes from './ProjectCards.module.css';

/** How a list of projects is laid out. */
export type Layout = 'grid' | 'rows';

export const LAYOUT_KEY = 'projects-layout';
const DEFAULT: Layout = 'grid';

const isLayout = (value: unknown): value is Layout => value === 'grid' || value === 'rows';

/** The stored layout; an invalid value is logged and ignored (specification, section 8). */
function parseLayout(stored: string | null): Layout {
  if (stored === null) return DEFAULT;
  if (isLayout(stored)) return stored;
  logProblem('Сохранённый вид списка проектов не разобрать');
  return DEFAULT;
}

function readStored(): Layout {
  try {
    return parseLayout(window.localStorage.getItem(LAYOUT_KEY));
  } catch (cause) {
    logProblem('Вид списка проектов не прочитать', { cause });
    return DEFAULT;
  }
}

let current: Layout | null = null;
const listeners = new Set<() => void>();
const notify = () => listeners.forEach((listener) => listener());

function onStorage({ key, newValue }: StorageEvent): void {
  if (key !== LAYOUT_KEY && key !== null) return;
  current = parseLayout(newValue);
  notify();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('storage', onStorage);
    // The next reader reads the stored value.
    current = null;
  };
}

function choose(layout: Layout): void {
  current = layout;
  try {
    window.localStorage.setItem(LAYOUT_KEY, layout);
  } catch (cause) {
    // Then the choice lasts as long as the page.
    logProblem('Вид списка проектов не сохранить', { cause });
  }
  notify();
}

/** The layout of project lists on this device, and its setter. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const layout = useSyncExternalStore(subscribe, () => (current ??= readStored()));
  return [layout, choose];
}

/** The list as cards or as rows, for Mantine's `Box`. */
export const GRID = columnsOf('min(100%, 16.5rem)', { repeat: 'auto-fill' });
export const ROWS = { className: 'card-from-tablet' } as const;

/** One project, as a card or as a row. */
export const ITEM = {
  grid: {
    className: cx('clip', classes.card),
    pos: 'relative',
    display: 'flex',
    bdrs: 'lg',
    bg: 'var(--app-surface)',
    style: { flexDirection: 'column' },
  },
  rows: { className: cx('line-between', classes.row), pos: 'relative', pe: '1rem' },
} as const;
