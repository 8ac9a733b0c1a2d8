import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiFailure, UNKNOWN_FAILURE } from '#app/api/failure.ts';
import { ErrorScreen } from './ErrorScreen.tsx';
import { TopLevelFallback } from './TopLevelFallback.tsx';
import { click, render } from '#app/ui/test-render.tsx';

// React logs every caught error.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  sessionStorage.clear();
});

/** A screen that throws the result of `next` until it is undefined. */
function Screen({ next }: { next: () => Error | null }) {
  const error = next();
  if (error) throw error;
  return <p>Страница снова здесь</p>;
}

const words = (container: Element) => ({
  heading: container.querySelector('h2')?.textContent,
  message: container.querySelector('section p')?.textContent,
});
const retry = (container: Element) =>
  [...container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Повторить');

async function atRoute(next: () => Error | null) {
  const root = createRootRoute({
    component: () => <Screen next={next} />,
    errorComponent: ErrorScreen,
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  await router.load();
  return render(<RouterProvider router={router} />);
}

test('a failed call is the generic error: «Ошибка» and its message', async () => {
  const failure = new ApiFailure({
    kind: 'refused',
    method: 'GET',
    url: '/api/Test/my',
    status: 503,
    message: 'Сервер занят. Повторите через минуту',
    requestId: '0190',
  });
  const { container, unmount } = await atRoute(() => failure);
  expect(words(container)).toEqual({
    heading: 'Ошибка',
    message: 'Сервер занят. Повторите через минуту',
  });
  expect(container.textContent).toContain('0190');
  await unmount();
});

test('an unknown error is «Unexpected error occurred» with Russian words beside it', async () => {
  const failure = new ApiFailure({ kind: 'malformed', method: 'GET', url: '/api/Test/my' });
  const { container, unmount } = await atRoute(() => failure);
  expect(words(container)).toEqual({ heading: 'Ошибка', message: UNKNOWN_FAILURE });
  await unmount();
});

test('a screen that cannot be shown says «Что-то пошло не так!» with the message, and «Повторить» shows it again', async () => {
  let error: Error | null = new Error('Нет такого поля');
  const { container, unmount } = await atRoute(() => error);
  expect(words(container)).toEqual({
    heading: 'Что-то пошло не так!',
    message: 'Нет такого поля',
  });
  error = null;
  await click(retry(container));
  await vi.waitFor(() => expect(container.textContent).toContain('Страница снова здесь'));
  await unmount();
});

test('the top-level fallback shows the message, «Что-то пошло не так!», and «Повторить» resets the error', async () => {
  let error: Error | null = new Error('Маршрутов нет');
  const { container, unmount } = await render(
    <TopLevelFallback>
      <Screen next={() => error} />
    </TopLevelFallback>,
  );
  expect(words(container)).toEqual({ heading: 'Что-то пошло не так!', message: 'Маршрутов нет' });
  error = null;
  await click(retry(container));
  expect(container.querySelector('p')?.textContent).toBe('Страница снова здесь');
  await unmount();
});

describe('row 42: a screen that did not arrive', () => {
  const failure = new TypeError('Failed to fetch dynamically imported module: /assets/bank.js');
  const server = vi.fn<() => Promise<Response>>();
  const reload = vi.fn<() => void>();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    server.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
    reload.mockReset();
    vi.spyOn(globalThis, 'fetch').mockImplementation(server);
    vi.spyOn(window.location, 'reload').mockImplementation(reload);
  });
  const serverAnswers = () => server.mockImplementation(() => Promise.resolve(new Response()));
  const loadedBy = (type: NavigationTimingType) =>
    vi
      .spyOn(performance, 'getEntriesByType')
      .mockReturnValue([{ type } as PerformanceNavigationTiming]);

  test('calls the server at once and twice a minute, and reloads the page when it answers', async () => {
    loadedBy('back_forward');
    const { unmount } = await atRoute(() => failure);
    expect(server).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(server).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(30_001);
    expect(server).toHaveBeenCalledTimes(3);
    expect(reload).not.toHaveBeenCalled();
    serverAnswers();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reload).toHaveBeenCalledOnce();
    await unmount();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  test.each([
    { when: 'by a page that was just reloaded', passedMs: 1_000, reloads: 0 },
    { when: 'by a page that was reloaded long ago', passedMs: 30_000, reloads: 1 },
  ])('is reloaded $reloads times at once $when', async ({ passedMs, reloads }) => {
    loadedBy('reload');
    serverAnswers();
    await vi.advanceTimersByTimeAsync(passedMs);
    const { unmount } = await atRoute(() => failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(reload).toHaveBeenCalledTimes(reloads);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reload).toHaveBeenCalledTimes(reloads + 1);
    await unmount();
  });

  test.each([
    ['the network', () => window.dispatchEvent(new Event('online'))],
    ['the person', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('is reloaded when %s returns, as long as it is shown', async (_, returns) => {
    const { unmount } = await atRoute(() => failure);
    expect(server).toHaveBeenCalledTimes(1);
    serverAnswers();
    returns();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    await unmount();
    returns();
    expect(server).toHaveBeenCalledTimes(2);
  });

  test('that has been left reloads nothing when the server answers', async () => {
    let answer: (response: Response) => void = () => undefined;
    server.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    const { unmount } = await atRoute(() => failure);
    await unmount();
    answer(new Response());
    await vi.advanceTimersByTimeAsync(0);
    expect(reload).not.toHaveBeenCalled();
  });
});
