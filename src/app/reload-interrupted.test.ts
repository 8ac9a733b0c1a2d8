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
