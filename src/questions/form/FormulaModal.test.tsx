import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { click, press, render } from '#app/ui/test-render.tsx';
import { FormulaModal } from './FormulaModal.tsx';

afterEach(() => vi.useRealTimers());

async function open(tex: string | null) {
  const onClose = vi.fn<() => void>();
  const { container, unmount } = await render(
    <FormulaModal
      formula={tex === null ? null : { tex, display: false }}
      mayDisplay
      onPut={() => {}}
      onClose={onClose}
    />,
  );
  const field = () => container.querySelector('textarea');
  return {
    onClose,
    unmount,
    field,
    button: (words: string) =>
      [...container.querySelectorAll('button')].find(({ textContent }) => textContent === words),
    write: (words: string) =>
      act(async () => {
        const box = field();
        const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
        set?.call(box, words);
        box?.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    escape: () => press(container.querySelector('[role=dialog]'), 'Escape'),
  };
}

test('Escape asks before dropping a typed formula, which stays', async () => {
  const sheet = await open(null);
  await sheet.write('x^2');
  await sheet.escape();
  expect(sheet.onClose).not.toHaveBeenCalled();
  await click(sheet.button('Вернуться к формуле'));
  expect(sheet.field()?.value).toBe('x^2');
  await sheet.escape();
  await click(sheet.button('Закрыть'));
  expect(sheet.onClose).toHaveBeenCalledOnce();
  await sheet.unmount();
});

test('Escape closes an unchanged formula at once', async () => {
  for (const tex of [null, 'x^2']) {
    const sheet = await open(tex);
    await sheet.escape();
    expect(sheet.onClose).toHaveBeenCalledOnce();
    await sheet.unmount();
  }
});
