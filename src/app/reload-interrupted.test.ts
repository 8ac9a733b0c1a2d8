import { expect, test, vi } from 'vitest';
import { reloadInterrupted } from './reload-interrupted.ts';

const shown = (persisted: boolean) => Object.assign(new Event('pageshow'), { persisted });

test.each([
  { persisted: true, loading: true, reloads: 1 },
  { persisted: true, loading: false, reloads: 0 },
  { persisted: false, loading: true, reloads: 0 },
])(
  'a page that comes back in the middle of its loading is reloaded, no other: %o',
  ({ persisted, loading, reloads }) => {
    const page = new EventTarget();
    const reload = vi.fn<() => void>();
    let isLoading = true;
    reloadInterrupted(page, () => isLoading, reload);
    isLoading = loading;
    page.dispatchEvent(shown(persisted));
    expect(reload).toHaveBeenCalledTimes(reloads);
  },
);

const preloadError = (timeStamp: number) =>
  Object.defineProperty(new Event('vite:preloadError'), 'timeStamp', { value: timeStamp });

test.each([
  { what: 'right after a return from the cache', persisted: true, afterMs: 1_000, reloads: 1 },
  { what: 'later', persisted: true, afterMs: 2_001, reloads: 0 },
  { what: 'on a page that was never left', persisted: false, afterMs: 0, reloads: 0 },
])('a part that fails $what reloads the page $reloads times', ({ persisted, afterMs, reloads }) => {
  const page = new EventTarget();
  const reload = vi.fn<() => void>();
  reloadInterrupted(page, () => false, reload);
  const event = shown(persisted);
  page.dispatchEvent(event);
  page.dispatchEvent(preloadError(event.timeStamp + afterMs));
  expect(reload).toHaveBeenCalledTimes(reloads);
});
