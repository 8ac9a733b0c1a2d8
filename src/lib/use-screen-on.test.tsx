import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import './keep-screen-on.ts';
import { useScreenOn } from './use-screen-on.ts';

afterEach(() => {
  Reflect.deleteProperty(navigator, 'wakeLock');
});

/** A browser that prevents the screen from switching off on request. */
function offerWakeLock() {
  const release = vi.fn<() => Promise<void>>(async () => undefined);
  const request = vi.fn<() => Promise<object>>(async () => ({ released: false, release }));
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  return { request, release };
}

function Page({ isNeeded }: { isNeeded: boolean }) {
  useScreenOn(isNeeded);
  return null;
}
const until = (check: () => void) => act(async () => vi.waitFor(check));

test('the screen stays on while an attempt runs, and no longer', async () => {
  const { request, release } = offerWakeLock();
  const { show } = await render(<Page isNeeded />);
  await until(() => expect(request).toHaveBeenCalledOnce());
  await show(<Page isNeeded={false} />);
  await until(() => expect(release).toHaveBeenCalledOnce());
});

test('where no attempt runs nothing is requested until one does', async () => {
  const { request } = offerWakeLock();
  const { show } = await render(<Page isNeeded={false} />);
  expect(request).not.toHaveBeenCalled();
  await show(<Page isNeeded />);
  await until(() => expect(request).toHaveBeenCalledOnce());
});

test('a browser without the interface shows the page all the same', async () => {
  const { container } = await render(
    <>
      <Page isNeeded />
      <p>Вопрос</p>
    </>,
  );
  expect(container.textContent).toContain('Вопрос');
});
