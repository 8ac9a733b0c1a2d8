import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sheet } from './Sheet.tsx';
import { click, press, render } from './test-render.tsx';

/** How long the browser takes for a step back. */
const STEP_MS = 60;
/** How long after the closing an entry is given back. */
const GIVEN_BACK_MS = 80;

/** A history as browsers have it, which the simulated document has not: a step back comes a while later. */
function openHistory() {
  const entries: unknown[] = [{}];
  let at = 0;
  const go = () => {
    at = Math.max(0, at - 1);
    window.dispatchEvent(new PopStateEvent('popstate', { state: entries[at] }));
  };
  vi.spyOn(window.history, 'state', 'get').mockImplementation(() => entries[at]);
  vi.spyOn(History.prototype, 'pushState').mockImplementation((state) => {
    at += 1;
    entries.splice(at, entries.length, state);
  });
  vi.spyOn(History.prototype, 'replaceState').mockImplementation((state) => {
    entries[at] = state;
  });
  vi.spyOn(window.history, 'back').mockImplementation(() => {
    setTimeout(() => act(go), STEP_MS);
  });
  /** A person steps back: it has happened when the page hears of it. */
  const goBack = () => act(async () => go());
  const depth = () => at;
  return { goBack, depth };
}

let browser: ReturnType<typeof openHistory>;
beforeEach(() => {
  vi.useFakeTimers();
  vi.restoreAllMocks();
  browser = openHistory();
});
afterEach(async () => {
  // A closed sheet gives its entry back a moment later.
  await wait(1000);
  vi.useRealTimers();
});
const wait = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

async function openSheet(onClose = () => {}) {
  const opener = document.createElement('button');
  document.body.append(opener);
  opener.focus();
  const sheet = (opened: boolean) => (
    <Sheet opened={opened} onClose={onClose} title="Завершить тест?">
      <button type="button" id="safe" data-autofocus>
        Вернуться к вопросам
      </button>
      <button type="button" id="last">
        Завершить тест
      </button>
    </Sheet>
  );
  const rendered = await render(sheet(true));
  return { ...rendered, opener, close: () => rendered.show(sheet(false)) };
}

test('a sheet whose owner asks first and keeps it open is closed by the next «back» too', async () => {
  const onClose = vi.fn<() => void>();
  const { unmount } = await openSheet(onClose);
  await browser.goBack();
  expect(onClose).toHaveBeenCalledTimes(1);
  await wait(GIVEN_BACK_MS);
  await browser.goBack();
  expect(onClose).toHaveBeenCalledTimes(2);
  await unmount();
});

const AFTER_CLOSING = [0, GIVEN_BACK_MS - 1, GIVEN_BACK_MS + 1, GIVEN_BACK_MS + STEP_MS + 1];

test.each(AFTER_CLOSING)(
  'a sheet opened %i ms after another one closed stays, and one «back» closes it',
  async (ms) => {
    const onClose = vi.fn<() => void>();
    const pair = (shown: 'first' | 'second' | 'none') => (
      <>
        <Sheet opened={shown === 'first'} onClose={() => {}} title="Новый пароль" />
        <Sheet opened={shown === 'second'} onClose={onClose} title="Стереть?" />
      </>
    );
    const { show, unmount } = await render(pair('first'));
    await show(pair('none'));
    await wait(ms);
    await show(pair('second'));
    await wait(1000);
    expect(onClose).not.toHaveBeenCalled();
    expect(browser.depth()).toBe(1);
    await browser.goBack();
    expect(onClose).toHaveBeenCalledTimes(1);
    await show(pair('none'));
    await wait(1000);
    expect(browser.depth()).toBe(0);
    await unmount();
  },
);

test('a sheet dismissed for a question above it stays, and each «back» closes the upper one', async () => {
  const onAnswer = vi.fn<() => void>();
  const onClose = vi.fn<() => void>();
  const pair = (isAsked: boolean) => (
    <>
      <Sheet opened onClose={onClose} title="Проект" />
      <Sheet opened={isAsked} onClose={onAnswer} title="Закрыть без сохранения?" />
    </>
  );
  const { container, show, unmount } = await render(pair(false));
  await click(container.querySelector('[aria-label="Закрыть"]'));
  await show(pair(true));
  await wait(1000);
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(browser.depth()).toBe(2);
  await browser.goBack();
  expect(onAnswer).toHaveBeenCalledTimes(1);
  await show(pair(false));
  await wait(1000);
  await browser.goBack();
  expect(onClose).toHaveBeenCalledTimes(2);
  await unmount();
  await wait(1000);
  expect(browser.depth()).toBe(0);
});

test('a closed sheet holds nothing, an opened one is named by its title', async () => {
  const { container, close, unmount } = await openSheet();
  const dialog = container.querySelector('dialog');
  expect(dialog?.open).toBe(true);
  const title = document.getElementById(dialog?.getAttribute('aria-labelledby') ?? '');
  expect(title?.textContent).toBe('Завершить тест?');
  await close();
  expect(dialog?.open).toBe(false);
  expect(container.querySelector('#safe')).toBeNull();
  await unmount();
});

test('focus goes to the safe action, stays inside, and comes back', async () => {
  const { container, opener, close, unmount } = await openSheet();
  expect(document.activeElement?.id).toBe('safe');
  container.querySelector<HTMLElement>('#last')?.focus();
  await press(document.activeElement, 'Tab');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Закрыть');
  await close();
  expect(document.activeElement).toBe(opener);
  await unmount();
});

test('the cross, a tap beside it, Escape and «back» close it', async () => {
  const onClose = vi.fn<() => void>();
  const { container, unmount } = await openSheet(onClose);
  const dialog = container.querySelector('dialog');
  await click(container.querySelector('[aria-label="Закрыть"]'));
  expect(onClose).toHaveBeenCalledTimes(1);
  await click(dialog);
  expect(onClose).toHaveBeenCalledTimes(2);
  await act(async () => {
    dialog?.dispatchEvent(new Event('cancel', { cancelable: true }));
  });
  expect(onClose).toHaveBeenCalledTimes(3);
  await wait(1000);
  await browser.goBack();
  expect(onClose).toHaveBeenCalledTimes(4);
  await unmount();
});

test('a tap inside does not close it', async () => {
  const onClose = vi.fn<() => void>();
  const { container, unmount } = await openSheet(onClose);
  await click(container.querySelector('#last'));
  expect(onClose).not.toHaveBeenCalled();
  await unmount();
});
