import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { click, render } from '#app/ui/test-render.tsx';
import { useSingleRemoval } from './use-single-removal.ts';

function People() {
  const [names, setNames] = useState(['Анна', 'Борис', 'Вера']);
  const removeOne = useSingleRemoval();
  return (
    <ul>
      {names.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- what is tested: the next row comes under the same button
        <li key={index}>
          <span>{name}</span>
          <button
            type="button"
            onClick={() => removeOne(() => setNames((all) => all.filter((one) => one !== name)))}
          >
            Убрать
          </button>
        </li>
      ))}
    </ul>
  );
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the second press of a quick pair does not remove the row that came under the button', async () => {
  const { container, unmount } = await render(<People />);
  const names = () => [...container.querySelectorAll('span')].map((one) => one.textContent);
  const press = () => click(container.querySelector('button'));
  await press();
  await press();
  expect(names()).toEqual(['Борис', 'Вера']);
  vi.advanceTimersByTime(400);
  await press();
  expect(names()).toEqual(['Вера']);
  await unmount();
});
