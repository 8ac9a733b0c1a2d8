import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { useUndoKeys } from './use-undo-keys.ts';

let shown: Rendered;
const steps: string[] = [];

function Page() {
  useUndoKeys((step) => steps.push(step));
  return (
    <>
      <div data-undo="draft">
        <textarea aria-label="Текст вопроса" />
      </div>
      <textarea aria-label="О чём вопросы" />
      <input type="checkbox" aria-label="Вопрос 1" />
    </>
  );
}

/** Presses Ctrl+Z in a field. Returns whether the browser's own undo runs. */
async function undoIn(label: string): Promise<boolean> {
  const field = shown.container.querySelector(`[aria-label="${label}"]`);
  const init = { code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true };
  return act(async () => field?.dispatchEvent(new KeyboardEvent('keydown', init)) ?? false);
}

afterEach(async () => {
  await shown.unmount();
  steps.length = 0;
});

test('undo keys undo draft steps, but leave other fields to the browser’s undo', async () => {
  shown = await render(<Page />);
  expect(await undoIn('О чём вопросы')).toBe(true);
  expect(steps).toEqual([]);
  expect(await undoIn('Текст вопроса')).toBe(false);
  expect(await undoIn('Вопрос 1')).toBe(false);
  expect(steps).toEqual(['undo', 'undo']);
});
