import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { LAYOUT_KEY, useLayout } from './layout.ts';

let screen: Rendered;
function Shown() {
  const [layout, choose] = useLayout();
  return (
    <button type="button" onClick={() => choose('rows')}>
      {layout}
    </button>
  );
}

const shown = () => screen.container.querySelector('button')?.textContent;

const open = async () => {
  screen = await render(<Shown />);
  return shown();
};

beforeEach(() => localStorage.clear());
afterEach(async () => {
  await screen.unmount();
  vi.restoreAllMocks();
});

test('the layout is a grid by default, and a choice is stored in local storage', async () => {
  expect(await open()).toBe('grid');
  await click(screen.container.querySelector('button'));
  expect(shown()).toBe('rows');
  expect(localStorage.getItem(LAYOUT_KEY)).toBe('rows');
  await screen.unmount();
  expect(await open()).toBe('rows');
});

test('an invalid stored layout is logged and ignored', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  localStorage.setItem(LAYOUT_KEY, '{"layout":');
  expect(await open()).toBe('grid');
  expect(warn).toHaveBeenCalledTimes(1);
});

test('a layout chosen in another tab is adopted', async () => {
  expect(await open()).toBe('grid');
  await act(async () =>
    window.dispatchEvent(new StorageEvent('storage', { key: LAYOUT_KEY, newValue: 'rows' })),
  );
  expect(shown()).toBe('rows');
});
