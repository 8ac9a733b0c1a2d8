import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { lazyPart } from './lazy-part.tsx';
import { createPart, isLoadFailure, joinParts } from './part.ts';

const Field = ({ label }: { label: string }) => <input aria-label={label} />;

let shown: Rendered;
let losses: number;
const importField = vi.fn(async () => {
  if (losses > 0) {
    losses -= 1;
    throw new TypeError('Importing a module script failed.');
  }
  return { Field };
});

/** A page that must work on while its field is not loaded. */
async function open(): Promise<void> {
  const Lazy = lazyPart(importField, (module) => module.Field);
  shown = await render(
    <>
      <p>Осталось 24:51</p>
      <Lazy waiting={<p>Открываем вопрос</p>} label="Ответ" />
    </>,
  );
}

const field = () => shown.container.querySelector('input[aria-label="Ответ"]');
const text = () => shown.container.textContent;

beforeEach(() => {
  vi.useFakeTimers();
  importField.mockClear();
  losses = 0;
});

afterEach(async () => {
  await shown.unmount();
  vi.useRealTimers();
});

describe('row 42: a lazily loaded part that is lost once', () => {
  beforeEach(async () => {
    losses = 1;
    await open();
  });

  test('leaves the rest of the page at work', () => {
    expect(text()).toContain('Осталось 24:51');
    expect(text()).toContain('Эта часть страницы не загрузилась');
    expect(field()).toBeNull();
  });

  test('is loaded by «Повторить»', async () => {
    await click(shown.container.querySelector('button'));
    expect(field()).not.toBeNull();
    expect(text()).toBe('Осталось 24:51');
  });

  test.each([
    ['the return of the network', () => window.dispatchEvent(new Event('online'))],
    ['the return to the page', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['a pause', () => vi.advanceTimersByTimeAsync(2_000)],
  ])('is loaded by %s', async (_event, happen) => {
    await act(async () => {
      await happen();
    });
    expect(field()).not.toBeNull();
    expect(importField).toHaveBeenCalledTimes(2);
  });
});

test('a part that never arrives is requested a few times, and again when the network returns', async () => {
  losses = Infinity;
  await open();
  for (let minute = 0; minute < 60; minute += 1)
    await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(importField).toHaveBeenCalledTimes(6);
  losses = 0;
  await act(async () => window.dispatchEvent(new Event('online')));
  expect(field()).not.toBeNull();
});

test('nothing is requested for a part that is no longer shown', async () => {
  losses = Infinity;
  await open();
  await shown.show(null);
  await act(() => vi.advanceTimersByTimeAsync(600_000));
  window.dispatchEvent(new Event('online'));
  expect(importField).toHaveBeenCalledTimes(1);
});

test('a loaded part is there at once and is loaded once', async () => {
  const part = createPart(importField, (module) => module.Field);
  await Promise.all([part.load(), part.load()]);
  await part.load();
  expect(part.get()).toBe(Field);
  expect(importField).toHaveBeenCalledTimes(1);
  await open();
});

test('a style sheet that did not arrive is requested again with the part', async () => {
  losses = 1;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = 'data:text/css,lost';
  Object.defineProperty(link, 'sheet', { value: null });
  document.head.append(link);
  const part = createPart(importField, (module) => module.Field);
  await expect(part.load()).rejects.toThrow();
  // The DOM of this test loads no style sheets.
  await expect(part.load()).rejects.toThrow('No style sheet');
  // Another part may wait for the event of the first link.
  expect([...document.head.querySelectorAll('link[rel="stylesheet"]')]).toEqual([link]);
  link.remove();
  expect(await part.load()).toBe(Field);
  await open();
});

test('two parts are there together, and only the lost one is loaded again', async () => {
  const first = vi.fn(async () => ({ value: 'текст' }));
  losses = 1;
  const joined = joinParts(
    createPart(first, ({ value }) => value),
    createPart(importField, () => 'формула'),
    (...both) => both.join(),
  );
  await expect(joined.load()).rejects.toThrow();
  expect(joined.get()).toBeUndefined();
  expect(await joined.load()).toBe('текст,формула');
  expect(joined.get()).toBe('текст,формула');
  expect(first).toHaveBeenCalledTimes(1);
  await open();
});

test.each([
  ['Failed to fetch dynamically imported module: https://school.example/assets/A-1.js', true],
  ['error loading dynamically imported module: https://school.example/assets/A-1.js', true],
  ['Importing a module script failed.', true],
  ['Unable to preload CSS for /assets/A-1.css', true],
  ["Cannot read properties of undefined (reading 'length')", false],
])('%s: a load failure, %s', async (message, expected) => {
  expect(isLoadFailure(new Error(message))).toBe(expected);
  await open();
});
