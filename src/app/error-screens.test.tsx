import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

test('a screen that did not arrive loads the page again by itself, once a minute and when the network returns, only if the server answers', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const ask = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  vi.useFakeTimers({ toFake: ['Date'] });
  const failure = new TypeError('Failed to fetch dynamically imported module: /assets/bank.js');
  const first = await atRoute(() => failure);
  expect(ask).toHaveBeenCalledTimes(1);
  window.dispatchEvent(new Event('online'));
  expect(ask).toHaveBeenCalledTimes(2);
  await first.unmount();
  window.dispatchEvent(new Event('online'));
  expect(ask).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();

  ask.mockResolvedValue(new Response());
  vi.advanceTimersByTime(59_999);
  const second = await atRoute(() => failure);
  await second.unmount();
  expect(ask).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  const third = await atRoute(() => failure);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  await third.unmount();
});
