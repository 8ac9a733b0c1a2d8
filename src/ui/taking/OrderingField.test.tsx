import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { OrderingField } from './OrderingField.tsx';

const items = ['Рюрик', 'Ольга', 'Ярослав'].map((text, index) => ({ itemId: `i ${index}`, text }));
const seen: { order: readonly string[] } = { order: [] };
let shown: Rendered | undefined;

beforeEach(() => {
  seen.order = [];
});
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

function Field({ locked = false, given }: { locked?: boolean; given?: string[] }) {
  const [order, setOrder] = useState<readonly string[]>(given ?? []);
  return (
    <>
      <p id="q">Кто раньше?</p>
      <OrderingField
        items={items}
        order={order}
        labelledBy="q"
        locked={locked}
        onChange={(next) => {
          seen.order = next;
          setOrder(next);
        }}
      />
    </>
  );
}

async function field(props: { locked?: boolean; given?: string[] } = {}) {
  shown = await render(<Field {...props} />);
  const box = shown.container;
  const rows = () => [...box.querySelectorAll('li')];
  return {
    texts: () =>
      rows().map((row) => items.find(({ text }) => row.textContent?.includes(text))?.text),
    button: (row: number, direction: 'up' | 'down') =>
      rows()[row]?.querySelector<HTMLButtonElement>(`[data-direction=${direction}]`),
    keep: () =>
      [...box.querySelectorAll('button')].find((one) => one.textContent === 'Оставить так'),
    reset: () =>
      [...box.querySelectorAll('button')].find((one) => one.textContent === 'Сбросить порядок'),
    spoken: () => box.querySelector('output')?.textContent,
    buttons: () => box.querySelectorAll('button').length,
  };
}

test('moving an item stores the whole order, announces the position and retains focus', async () => {
  const { texts, button, spoken } = await field();
  await click(button(0, 'down'));
  expect(seen.order).toEqual(['i 1', 'i 0', 'i 2']);
  expect(texts()).toEqual(['Ольга', 'Рюрик', 'Ярослав']);
  expect(spoken()).toBe('Рюрик: место 2 из 3');
  expect(document.activeElement).toBe(button(1, 'down'));
});

test('at an end the other button has the focus', async () => {
  const { button } = await field();
  await click(button(1, 'up'));
  expect(button(0, 'up')?.disabled).toBe(true);
  expect(document.activeElement).toBe(button(0, 'down'));
});

test('the initial order can be confirmed and becomes the answer', async () => {
  const { keep } = await field();
  await click(keep());
  expect(seen.order).toEqual(['i 0', 'i 1', 'i 2']);
  expect(keep()).toBeUndefined();
});

test('an answer is shown in its order', async () => {
  const { texts, keep } = await field({ given: ['i 2', 'i 0', 'i 1'] });
  expect(texts()).toEqual(['Ярослав', 'Рюрик', 'Ольга']);
  expect(keep()).toBeUndefined();
});

test('a locked field shows the order and no button', async () => {
  const { texts, buttons } = await field({ locked: true, given: ['i 2', 'i 0', 'i 1'] });
  expect(texts()).toEqual(['Ярослав', 'Рюрик', 'Ольга']);
  expect(buttons()).toBe(0);
});

test('a button is named by its item', async () => {
  const { button } = await field();
  const named = button(1, 'down')?.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const name = named.map((id) => {
    const element = document.getElementById(id);
    return element?.getAttribute('aria-label') ?? element?.textContent;
  });
  expect(name.join(' ')).toBe('Ниже Ольга');
});

test('moves that follow before the answer is stored build on each other', async () => {
  const changes: string[][] = [];
  // Nothing is stored yet, so the given order stays.
  shown = await render(
    <OrderingField
      items={items}
      order={[]}
      labelledBy="q"
      onChange={(next) => changes.push(next)}
    />,
  );
  const down = () =>
    [...(shown?.container.querySelectorAll('li') ?? [])]
      .find((row) => row.textContent?.includes('Рюрик'))
      ?.querySelector<HTMLElement>('[data-direction=down]');
  await click(down());
  await click(down());
  expect(changes).toEqual([
    ['i 1', 'i 0', 'i 2'],
    ['i 1', 'i 2', 'i 0'],
  ]);
});

const focusedRole = () => document.activeElement?.getAttribute('role');

test('a confirmed order is announced; the focus goes where a second Enter moves no item', async () => {
  const { keep, spoken } = await field();
  keep()?.focus();
  await click(keep());
  expect(spoken()).toBe('Порядок оставлен как есть');
  expect(focusedRole()).toBe('group');
});

test('resetting an order removes the answer and shows the original order', async () => {
  const { reset, texts, spoken } = await field({ given: ['i 2', 'i 0', 'i 1'] });
  await click(reset());
  expect(seen.order).toEqual([]);
  expect(texts()).toEqual(['Рюрик', 'Ольга', 'Ярослав']);
  expect(spoken()).toBe('Порядок сброшен: вопрос без ответа');
  expect(reset()).toBeUndefined();
  expect(focusedRole()).toBe('group');
});

test('moves of two items to the same place are both spoken, by their words', async () => {
  const { button, spoken } = await field();
  await click(button(0, 'down'));
  const first = spoken();
  await click(button(0, 'down'));
  expect(first).toBe('Рюрик: место 2 из 3');
  expect(spoken()).toBe('Ольга: место 2 из 3');
});
