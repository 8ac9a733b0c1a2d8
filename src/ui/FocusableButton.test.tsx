import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { click, render } from './test-render.tsx';

test.each([
  ['Button', Button],
  ['ActionIcon', ActionIcon],
])('%s: stays focused while busy, says so, ignores clicks', async (_, Control) => {
  const onClick = vi.fn<() => void>();
  const at = (loading: boolean) => (
    <Control loading={loading} onClick={onClick}>
      Сохранить
    </Control>
  );
  const { container, show, unmount } = await render(at(false));
  const button = container.querySelector('button');
  button?.focus();
  await show(at(true));
  expect(container.querySelector('button')).toBe(button);
  expect(button?.disabled).toBe(false);
  expect(button?.getAttribute('aria-disabled')).toBe('true');
  expect(button?.getAttribute('aria-busy')).toBe('true');
  expect(document.activeElement).toBe(button);
  await click(button);
  expect(onClick).not.toHaveBeenCalled();
  await show(at(false));
  expect(button?.getAttribute('aria-disabled')).toBeNull();
  expect(button?.getAttribute('aria-busy')).toBeNull();
  await click(button);
  expect(onClick).toHaveBeenCalledOnce();
  await unmount();
});

test('an Enter in a field sends no form with a busy button', async () => {
  const onSubmit = vi.fn<(event: { preventDefault: () => void }) => void>((event) =>
    event.preventDefault(),
  );
  const { container, unmount } = await render(
    <form onSubmit={onSubmit}>
      <Button type="submit" loading>
        Отправить
      </Button>
    </form>,
  );
  // The browser handles Enter in a field as a click on the submit button.
  await click(container.querySelector('button'));
  expect(onSubmit).not.toHaveBeenCalled();
  await unmount();
});

function Stepper() {
  const [left, setLeft] = useState(1);
  return (
    <ActionIcon disabled={left === 0} onClick={() => setLeft(left - 1)}>
      Выше
    </ActionIcon>
  );
}

test('switched off by its own press, it stays in the focus until it is left', async () => {
  const { container, unmount } = await render(<Stepper />);
  const button = container.querySelector('button');
  button?.focus();
  await click(button);
  expect(button?.disabled).toBe(false);
  expect(button?.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(button);
  await unmount();
});
