// @vitest-environment jsdom
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { act } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { click, render } from '#app/ui/test-render.tsx';
import { useLeaving, type LeavingOptions } from './use-leaving.ts';

/** The page of an attempt, opened from the list of tests. */
async function openAttempt(options: Partial<LeavingOptions> = {}) {
  window.history.pushState({}, '', '/tests?filter=new#top');
  const history = createBrowserHistory();
  onTestFinished(() => history.destroy());
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/$page' });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  await router.load();
  await router.navigate({ href: '/attempt' });
  history.flush();
  const onConfirm = vi.fn<() => void>();
  const Page = (changes: Partial<LeavingOptions>) => {
    const leave = useLeaving({
      shouldConfirm: true,
      atRisk: false,
      onConfirm,
      ...options,
      ...changes,
    });
    return <button onClick={leave}>Выйти</button>;
  };
  const content = (changes: Partial<LeavingOptions> = {}) => (
    <RouterContextProvider router={router}>
      <Page {...changes} />
    </RouterContextProvider>
  );
  const { container, show } = await render(content());
  return {
    onConfirm,
    path: () => history.location.href,
    leave: () => click(container.querySelector('button')),
    become: (changes: Partial<LeavingOptions>) => show(content(changes)),
    until: (check: () => void) => act(async () => vi.waitFor(check)),
    goBack: () => act(async () => window.history.back()),
    go: (path: string, how: 'push' | 'replace' = 'push') =>
      act(async () => {
        history[how](path);
        history.flush();
      }),
  };
}

test('«back» stays in the attempt and asks; who confirms goes where «back» led', async () => {
  const page = await openAttempt();
  await page.goBack();
  await page.until(() => expect(page.onConfirm).toHaveBeenCalledOnce());
  expect(page.path()).toBe('/attempt');
  await page.leave();
  await page.until(() => expect(page.path()).toBe('/tests?filter=new#top'));
});

test('«back» asks each time', async () => {
  const page = await openAttempt();
  await page.goBack();
  await page.until(() => expect(page.onConfirm).toHaveBeenCalledOnce());
  await page.goBack();
  await page.until(() => expect(page.onConfirm).toHaveBeenCalledTimes(2));
  expect(page.path()).toBe('/attempt');
});

test('where no attempt runs «back» goes back unasked', async () => {
  const page = await openAttempt({ shouldConfirm: false });
  await page.goBack();
  await page.until(() => expect(page.path()).toBe('/tests?filter=new#top'));
  expect(page.onConfirm).not.toHaveBeenCalled();
});

test('an attempt that ended meanwhile no longer asks', async () => {
  const page = await openAttempt();
  await page.become({ shouldConfirm: false });
  await page.goBack();
  await page.until(() => expect(page.path()).toBe('/tests?filter=new#top'));
  expect(page.onConfirm).not.toHaveBeenCalled();
});

test('a link and a redirect pass unasked', async () => {
  const page = await openAttempt();
  await page.go('/login');
  await page.until(() => expect(page.path()).toBe('/login'));
  await page.go('/other', 'replace');
  await page.until(() => expect(page.path()).toBe('/other'));
  expect(page.onConfirm).not.toHaveBeenCalled();
});

test('«back» within the page, as from a dialog, does not ask', async () => {
  const page = await openAttempt();
  await page.go('/attempt?dialog=1');
  await page.goBack();
  await page.until(() => expect(page.path()).toBe('/attempt'));
  expect(page.onConfirm).not.toHaveBeenCalled();
});

const asksToUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the browser asks before closing the page only while an answer is at risk', async () => {
  const page = await openAttempt();
  expect(asksToUnload()).toBe(false);
  await page.become({ atRisk: true });
  expect(asksToUnload()).toBe(true);
  await page.become({ atRisk: false });
  expect(asksToUnload()).toBe(false);
});
