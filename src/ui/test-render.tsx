import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';
import { AppProvider } from './AppProvider.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

export interface Rendered {
  container: HTMLElement;
  /** Renders other content in the same place. */
  show: (content: ReactNode) => Promise<void>;
  unmount: () => Promise<void>;
}

const NO_MATCH = {
  matchMedia: () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }),
};

/** Renders into the document with the app's theme, as a test needs it. */
export async function render(content: ReactNode): Promise<Rendered> {
  // jsdom has none, and files that share a process may take away what another one defined.
  if (typeof window.matchMedia !== 'function') Object.assign(window, NO_MATCH);
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const show = (next: ReactNode) =>
    act(async () => root.render(<AppProvider env="test">{next}</AppProvider>));
  const unmount = async () => {
    await act(async () => root.unmount());
    container.remove();
  };
  // A test that failed early must not leave running timers to the next one.
  onTestFinished(unmount);
  await show(content);
  return { container, show, unmount };
}

/** Waits for what React shows later. It renders at the end of an `act`, so each look has one of its own. */
export const waitForShown = (look: () => void, options?: { timeout: number }) =>
  vi.waitFor(async () => {
    await act(async () => undefined);
    look();
  }, options);

/** Clicks and lets React finish. */
export const click = (element: Element | null | undefined) =>
  act(async () => {
    if (!(element instanceof HTMLElement)) throw new Error('Nothing to click');
    element.click();
  });

/** Presses a key on an element and lets React finish. */
export const press = (element: Element | null | undefined, key: string) =>
  act(async () => {
    element?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
