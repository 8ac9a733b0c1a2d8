// @vitest-environment jsdom
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
  type RouterHistory,
} from '@tanstack/react-router';
import { act, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { dialogEntriesOf, useDialogState } from './dialog-entries.ts';
import { Modal } from './Modal.tsx';
import { click, press, render } from '#app/ui/test-render.tsx';

let history: RouterHistory;
afterEach(() => history.destroy());

function routerOver(over: RouterHistory) {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/$page' });
  return createRouter({ routeTree: root.addChildren([page]), history: over });
}

/** Renders with a router over the document's own history, two pages deep. */
async function renderAt(content: ReactNode) {
  window.history.pushState({}, '', '/first');
  window.history.pushState({}, '', '/second');
  history = createBrowserHistory();
  const router = routerOver(history);
  await router.load();
  const within = (shown: ReactNode) => (
    <RouterContextProvider router={router}>{shown}</RouterContextProvider>
  );
  const rendered = await render(within(content));
  return { ...rendered, show: (next: ReactNode) => rendered.show(within(next)) };
}

/** How many dialog entries lead to the current one. */
const depth = () => history.location.state.dialogs ?? 0;
/** Waits until the open dialogs have their entries. */
const settled = (entries: number) =>
  act(async () => {
    await vi.waitFor(() => expect(depth()).toBe(entries));
    await new Promise((resolve) => setTimeout(resolve));
  });
/** «Back». It goes one step further for each stale entry. */
const goBack = (steps = 1) =>
  act(async () => {
    let left = steps;
    const stepped = new Promise<void>((resolve) => {
      const count = () => {
        left -= 1;
        if (left > 0) return;
        window.removeEventListener('popstate', count);
        resolve();
      };
      window.addEventListener('popstate', count);
    });
    window.history.back();
    await stepped;
  });

const modal = (opened: boolean, onClose = () => {}) => (
  <Modal opened={opened} onClose={onClose} title="Завершить тест?">
    <button type="button" id="safe" data-autofocus>
      Вернуться к вопросам
    </button>
    <button type="button" id="last">
      Завершить тест
    </button>
  </Modal>
);

async function openModal(onClose = () => {}) {
  const opener = document.createElement('button');
  document.body.append(opener);
  opener.focus();
  const rendered = await renderAt(modal(true, onClose));
  await settled(1);
  return { ...rendered, opener, close: () => rendered.show(modal(false)) };
}

const pair = (shown: 'first' | 'second' | 'both' | 'none', onClose = () => {}) => (
  <>
    <Modal opened={shown === 'first' || shown === 'both'} onClose={onClose} title="Проект" />
    <Modal opened={shown === 'second' || shown === 'both'} onClose={onClose} title="Стереть?" />
  </>
);

test('the page and dialogs below are out of reach while a dialog is open, live regions are not, and the focus comes back', async () => {
  const live = document.createElement('output');
  document.body.append(live);
  const { opener, close, unmount } = await openModal();
  const isInert = (element: Element | null | undefined) => element?.closest('[inert]') !== null;
  expect(isInert(opener)).toBe(true);
  expect(isInert(live)).toBe(false);
  expect(isInert(document.querySelector('[role=dialog]'))).toBe(false);
  await close();
  expect(isInert(opener)).toBe(false);
  expect(document.activeElement).toBe(opener);
  await unmount();
  live.remove();
});

test('of two open dialogs only the upper one is within reach', async () => {
  const { show, unmount } = await renderAt(pair('both'));
  await settled(2);
  const dialogs = () => [...document.querySelectorAll('[role=dialog]')];
  expect(dialogs().map((dialog) => dialog.closest('[inert]') !== null)).toEqual([true, false]);
  await show(pair('first'));
  expect(dialogs().map((dialog) => dialog.closest('[inert]') !== null)).toEqual([false]);
  await unmount();
  expect(document.querySelector('[inert]')).toBeNull();
});

test('a modal that asks first and stays open is closed by the next «back» too', async () => {
  const onClose = vi.fn<() => void>();
  const { unmount } = await openModal(onClose);
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(1);
  await settled(1);
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(2);
  expect(history.location.pathname).toBe('/second');
  await unmount();
});

test('«back» closes a modal that has just opened over the entry of a closed one, and leaves no page', async () => {
  const { close, show, unmount } = await openModal();
  await close();
  const onClose = vi.fn<() => void>();
  // «Back» comes before the end of the task in which the modal opens.
  vi.stubGlobal('setTimeout', () => 0);
  await show(modal(true, onClose));
  vi.unstubAllGlobals();
  await goBack();
  expect(onClose).toHaveBeenCalledOnce();
  expect(history.location.pathname).toBe('/second');
  expect(depth()).toBe(0);
  await unmount();
});

test('«back» after a modal has closed leaves the page at once', async () => {
  const { close, unmount } = await openModal();
  await close();
  await goBack(2);
  expect(history.location.pathname).toBe('/first');
  await unmount();
});

test('a modal that closes and navigates at once leads to the new page, and «back» to its own', async () => {
  const { close, unmount } = await openModal();
  await act(async () => {
    await close();
    history.push('/third');
  });
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(history.location.pathname).toBe('/third');
  await goBack();
  expect(history.location.pathname).toBe('/second');
  await goBack(2);
  expect(history.location.pathname).toBe('/first');
  await unmount();
});

test('after a reload under an open modal «back» leaves the page', async () => {
  const { unmount } = await openModal();
  await unmount();
  history.destroy();
  history = createBrowserHistory();
  const router = routerOver(history);
  await router.load();
  dialogEntriesOf(router);
  await goBack(2);
  expect(history.location.pathname).toBe('/first');
});

function Questions() {
  const [shown, setShown] = useDialogState<'list' | 'finish'>('questions', ['list']);
  return (
    <>
      <button type="button" id="list" onClick={() => setShown('list')}>
        Все вопросы
      </button>
      <button type="button" id="finish" onClick={() => setShown('finish')}>
        Завершить
      </button>
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={shown} />
    </>
  );
}

/** Opens the page again over the same history, as after a reload, which unmounts nothing. */
async function reload(unmount: () => Promise<void>) {
  const { state } = window.history;
  await unmount();
  await new Promise((resolve) => setTimeout(resolve));
  history.destroy();
  window.history.replaceState(state, '');
  history = createBrowserHistory();
  const router = routerOver(history);
  await router.load();
  history.subscribe(() => void router.load());
  dialogEntriesOf(router);
  return render(
    <RouterContextProvider router={router}>
      <Questions />
    </RouterContextProvider>,
  );
}

const title = () => document.querySelector('[role=dialog] h2')?.textContent ?? null;

test('a dialog that its word can rebuild is open after a reload until it is closed', async () => {
  const first = await renderAt(<Questions />);
  await click(first.container.querySelector('#list'));
  await settled(1);
  const second = await reload(first.unmount);
  expect(title()).toBe('list');
  await settled(1);
  await goBack();
  expect(title()).toBeNull();
  expect(history.location.pathname).toBe('/second');

  await click(second.container.querySelector('#list'));
  await settled(1);
  await press(document.body, 'Escape');
  expect(title()).toBeNull();
  await act(() => vi.waitFor(() => expect(history.location.state.openDialogs).toEqual({})));
  const third = await reload(second.unmount);
  expect(title()).toBeNull();
  await third.unmount();
});

test('a dialog that confirms something stays closed after a reload', async () => {
  const first = await renderAt(<Questions />);
  await click(first.container.querySelector('#finish'));
  await settled(1);
  const second = await reload(first.unmount);
  expect(title()).toBeNull();
  await second.unmount();
});

test('«back» to a page that was left from a dialog shows it without the dialog', async () => {
  const { container, show, unmount } = await renderAt(<Questions />);
  await click(container.querySelector('#list'));
  await settled(1);
  await act(async () => {
    await show(null);
    history.push('/third');
  });
  await goBack();
  await show(<Questions />);
  expect(title()).toBeNull();
  await unmount();
});

test.each(['at once', 'after it'])(
  'a modal opened %s after another one closed stays open, and one «back» closes it',
  async (when) => {
    const onClose = vi.fn<() => void>();
    const { show, unmount } = await renderAt(pair('first'));
    await settled(1);
    if (when !== 'at once') await show(pair('none'));
    await show(pair('second', onClose));
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(onClose).not.toHaveBeenCalled();
    expect(depth()).toBe(1);
    await goBack();
    expect(onClose).toHaveBeenCalledTimes(1);
    await show(pair('none'));
    expect(depth()).toBe(0);
    expect(history.location.pathname).toBe('/second');
    await unmount();
  },
);

test('each «back» closes the upper of two modals; after both have closed it leaves the page', async () => {
  const onClose = vi.fn<() => void>();
  const { show, unmount } = await renderAt(pair('first'));
  await settled(1);
  await show(pair('both', onClose));
  await settled(2);
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(1);
  await settled(2);
  await show(pair('none'));
  await goBack(3);
  expect(history.location.pathname).toBe('/first');
  await unmount();
});

test('a modal that changes the address in place gives it its entry, and «back» closes it all the same', async () => {
  const onClose = vi.fn<() => void>();
  const { show, unmount } = await renderAt(modal(true, onClose));
  await settled(1);
  await act(async () => history.replace('/second?subject=math'));
  await act(async () => history.replace('/second?subject=physics'));
  await goBack();
  expect(history.location.href).toBe('/second');
  expect(onClose).toHaveBeenCalledTimes(1);
  await show(modal(false));
  await unmount();
});

test('one «back» returns to a page left with an open modal', async () => {
  const { close, unmount } = await openModal();
  await act(async () => {
    history.push('/third');
    await close();
  });
  expect(history.location.pathname).toBe('/third');
  await goBack();
  expect(history.location.pathname).toBe('/second');
  await goBack(2);
  expect(history.location.pathname).toBe('/first');
  await unmount();
});

test('a closed modal renders nothing, an open one is named by its title', async () => {
  const { container, close, unmount } = await openModal();
  const dialog = container.querySelector('[role=dialog]');
  expect(dialog?.getAttribute('aria-modal')).toBe('true');
  const title = document.getElementById(dialog?.getAttribute('aria-labelledby') ?? '');
  expect(title?.textContent).toBe('Завершить тест?');
  await close();
  expect(container.querySelector('[role=dialog]')).toBeNull();
  await unmount();
});

test('focus goes to the safe action, stays inside, and comes back', async () => {
  const { container, opener, close, unmount } = await openModal();
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('safe'));
  container.querySelector<HTMLElement>('#last')?.focus();
  await press(document.activeElement, 'Tab');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Закрыть');
  await close();
  expect(document.activeElement).toBe(opener);
  await unmount();
});

test('where nothing is marked for the focus, it goes to the heading', async () => {
  const { unmount } = await renderAt(
    <Modal opened onClose={() => {}} title="Вопросы">
      <button type="button">1</button>
    </Modal>,
  );
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Вопросы'));
  await unmount();
});

test('the cross, a tap beside it, Escape and «back» close it', async () => {
  const onClose = vi.fn<() => void>();
  const { container, unmount } = await openModal(onClose);
  await click(container.querySelector('[aria-label="Закрыть"]'));
  expect(onClose).toHaveBeenCalledTimes(1);
  await click(container.querySelector('.mantine-Overlay-root'));
  expect(onClose).toHaveBeenCalledTimes(2);
  await press(container.querySelector('#last'), 'Escape');
  expect(onClose).toHaveBeenCalledTimes(3);
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(4);
  await unmount();
});

test('Escape closes the upper of two modals alone', async () => {
  const closed: string[] = [];
  const { container, unmount } = await renderAt(
    <>
      <Modal opened onClose={() => closed.push('lower')} title="Проект" />
      <Modal opened onClose={() => closed.push('upper')} title="Стереть?" />
    </>,
  );
  await press([...container.querySelectorAll('[role=dialog]')].at(-1), 'Escape');
  // A button that is disabled after a press has lost the focus.
  await press(document.body, 'Escape');
  expect(closed).toEqual(['upper', 'upper']);
  await unmount();
});

test('a tap inside does not close it', async () => {
  const onClose = vi.fn<() => void>();
  const { container, unmount } = await openModal(onClose);
  await click(container.querySelector('#last'));
  expect(onClose).not.toHaveBeenCalled();
  await unmount();
});
