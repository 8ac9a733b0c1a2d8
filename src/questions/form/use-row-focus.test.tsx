import { Stack } from '@mantine/core';
import { startTransition, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { useRowFocus } from './use-row-focus.ts';

let shown: Rendered | undefined;

function Rows() {
  const { list, focusRow } = useRowFocus();
  const [rows, setRows] = useState(['1', '2']);
  const [drawn, setDrawn] = useState(0);
  const add = () => {
    focusRow(rows.length);
    setRows([...rows, `${rows.length + 1}`]);
  };
  return (
    <>
      <output>{drawn}</output>
      <Stack component="ul" ref={list}>
        {rows.map((row) => (
          <li key={row}>
            <input aria-label={row} />
          </li>
        ))}
      </Stack>
      <button type="button" onClick={add}>
        Добавить
      </button>
      <button type="button" onClick={() => startTransition(() => setDrawn(drawn + 1))}>
        Нарисовать
      </button>
    </>
  );
}

afterEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  await shown?.unmount();
});

test('a row that is added right after another drawing of the list gets the focus', async () => {
  shown = await render(<Rows />);
  const { container } = shown;
  const button = (name: string) =>
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  // Effects of a render run in a task of their own, as in a browser.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  const observer = new MutationObserver(() => {
    observer.disconnect();
    button('Добавить')?.click();
  });
  observer.observe(container.querySelector('output') ?? container, {
    characterData: true,
    childList: true,
    subtree: true,
  });
  button('Нарисовать')?.click();
  await vi.waitFor(() => expect(container.querySelectorAll('input')).toHaveLength(3));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('3');
});
