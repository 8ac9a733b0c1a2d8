import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { Sheet } from './Sheet.tsx';
import { click, press, render } from './test-render.tsx';

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

// The first of all: a closed dialog gives its history entry back a moment later, in the next test.
test('a sheet whose owner asks first and keeps it open is closed by the next «back» too', async () => {
  const onClose = vi.fn<() => void>();
  const { unmount } = await openSheet(onClose);
  const mark = (window.history.state as { dialog: string }).dialog;
  const goBack = () =>
    act(async () => {
      window.history.replaceState({}, '');
      window.dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    });
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(window.history.state).toMatchObject({ dialog: mark }));
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(2);
  await unmount();
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
  await act(async () => {
    window.history.replaceState({}, '');
    window.dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  });
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
