import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import { press, render, type Rendered } from '#app/ui/test-render.tsx';
import { AreasPart } from './AreasPart.tsx';
import type { Of } from '#app/questions/form/parts.ts';

const at = (left: number) =>
  ({ shape: 'rectangle', left, top: 0.25, width: 0.125, height: 0.5 }) as const;
const QUESTION: Of<'variant'> = {
  questionId: 'q',
  kind: 'variant',
  text: '![клетка](file:KEY)',
  points: 1,
  multiple: false,
  shuffle: false,
  scoring: 'partial',
  options: [
    { optionId: 'a', text: 'А', isRight: true, area: at(0) },
    { optionId: 'b', text: 'Б', isRight: false, area: at(0.5) },
  ],
};

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

async function open(resolve: () => Promise<string>) {
  function Part() {
    const [question, setQuestion] = useState(QUESTION);
    return (
      <Pictures value={resolve}>
        {' '}
        <AreasPart
          question={question}
          onOptions={(options) => setQuestion({ ...question, options: [...options] })}
        />
      </Pictures>
    );
  }
  shown = await render(<Part />);
  return shown.container;
}

const pressDelete = () => press(document.activeElement, 'Delete');

test('the focus of a removed area goes to the one that is left, at last to the button that adds one', async () => {
  const container = await open(() => Promise.resolve('blob:picture'));
  const first = container.querySelector<HTMLElement>('[data-option=a]');
  await act(async () => first?.focus());
  await pressDelete();
  expect(document.activeElement).toBe(container.querySelector('[data-option=b]'));
  await pressDelete();
  expect(document.activeElement?.textContent).toBe('Добавить область');
});

test('a held Delete removes one area', async () => {
  const container = await open(() => Promise.resolve('blob:picture'));
  await act(async () => container.querySelector<HTMLElement>('[data-option=a]')?.focus());
  await pressDelete();
  const held = { key: 'Delete', repeat: true, bubbles: true, cancelable: true };
  await act(async () => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', held)));
  expect(document.activeElement).toBe(container.querySelector('[data-option=b]'));
});

test('a picture that fails to load is reported; the areas stay', async () => {
  const container = await open(() => Promise.reject(new Error('no network')));
  expect(container.textContent).toContain('Картинка не загрузилась. Проверьте сеть');
  expect(container.textContent).toContain('Убрать область');
});
