import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SearchField } from './SearchField.tsx';
import { click, press, render, type Rendered } from '#app/ui/test-render.tsx';

let sent: string[];
let shown: Rendered;
const field = (value: string) => (
  <SearchField
    label="Поиск"
    placeholder="Найти тест"
    value={value}
    onSearch={(next) => sent.push(next)}
  />
);
const input = () => shown.container.querySelector('input');

async function type(text: string): Promise<void> {
  const element = input();
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(element, text);
    element?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const wait = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));

beforeEach(async () => {
  vi.useFakeTimers();
  sent = [];
  shown = await render(field(''));
});
afterEach(async () => {
  await shown.unmount();
  vi.useRealTimers();
});

test('letters are gathered until a pause and sent without outer blanks', async () => {
  await type('з');
  await wait(200);
  await type(' закон ');
  await wait(299);
  expect(sent).toEqual([]);
  await wait(1);
  expect(sent).toEqual(['закон']);
});

test('Enter sends at once and only once', async () => {
  await type('закон');
  await press(input(), 'Enter');
  await wait(1_000);
  expect(sent).toEqual(['закон']);
});

test('what was sent and comes back leaves alone what is typed meanwhile', async () => {
  await type('за');
  await wait(300);
  await type('зак');
  await shown.show(field('за'));
  expect(input()?.value).toBe('зак');
  await wait(300);
  expect(sent).toEqual(['за', 'зак']);
});

test('a search that comes back late does not undo the one sent after it', async () => {
  await type('за');
  await wait(300);
  await type('зак');
  await wait(300);
  await shown.show(field('за'));
  expect(input()?.value).toBe('зак');
  await shown.show(field('зак'));
  expect([input()?.value, sent]).toEqual(['зак', ['за', 'зак']]);
});

test('a value from outside replaces what was typed and sends nothing', async () => {
  await type('закон');
  await shown.show(field('ньютон'));
  await wait(1_000);
  expect(input()?.value).toBe('ньютон');
  expect(sent).toEqual([]);
});

test('the cross empties the field, sends, and gives the field the focus', async () => {
  await type('закон');
  await wait(300);
  await click(shown.container.querySelector('[aria-label="Очистить поиск"]'));
  expect([sent.at(-1), input()?.value]).toEqual(['', '']);
  expect(document.activeElement).toBe(input());
});

test('what was typed on a page that is being left is not searched for', async () => {
  const { href } = window.location;
  await type('закон');
  window.history.pushState(null, '', '/another');
  await wait(300);
  window.history.pushState(null, '', href);
  expect(sent).toEqual([]);
});

test('a paste that is longer than a search may be is cut with a sentence that says so', async () => {
  await type('я'.repeat(250));
  expect(input()?.value).toHaveLength(200);
  expect(shown.container.querySelector('output')?.textContent).toContain(
    'Вставлено 200 из 250 знаков: остальное не поместилось',
  );
  await wait(300);
  expect(sent).toEqual(['я'.repeat(200)]);
  await type('закон');
  expect(shown.container.querySelector('output')?.textContent).toBe('');
});
