import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** public/painted.js, on a page as the worker answers it. */
const SCRIPT = readFileSync('public/painted.js', 'utf8');

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <div id="painted">
      <div role="radiogroup">
        <label><input type="radio" name="a">Паскаль</label>
        <button>Сбросить выбор</button>
      </div>
      <button>Отметить</button><button>Далее</button>
    </div>
    <div id="root" hidden><div class="before-app"><p class="long">Загрузка идёт долго.</p></div></div>`;
  runInThisContext(SCRIPT);
});
afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
});

const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const pressed = () =>
  [...document.querySelectorAll<HTMLElement>('[data-pressed]')]
    .sort((one, other) => Number(one.dataset['pressed']) - Number(other.dataset['pressed']))
    .map(({ textContent }) => textContent);

test('buttons are remembered in the order of their presses, each once', () => {
  const [, mark, next] = document.querySelectorAll('button');
  next?.click();
  mark?.click();
  next?.click();
  expect(pressed()).toEqual(['Далее', 'Отметить']);
});

test('a choice is shown, and stands after the reset of an earlier one', () => {
  find('button').click();
  find('#painted > button').click();
  find('input').click();
  expect(find('label').hasAttribute('data-checked')).toBe(true);
  expect(pressed()).toEqual(['Отметить']);
});

test('a press is marked until its click is over', () => {
  find('#painted > button').dispatchEvent(new Event('pointerdown', { bubbles: true }));
  expect(find('#painted').hasAttribute('data-pressing')).toBe(true);
  find('#painted > button').dispatchEvent(new Event('pointerup', { bubbles: true }));
  expect(find('#painted').hasAttribute('data-pressing')).toBe(true);
  vi.advanceTimersByTime(100);
  expect(find('#painted').hasAttribute('data-pressing')).toBe(false);
});

test('a message above the painted page reports a script that does not load', () => {
  vi.advanceTimersByTime(7_000);
  expect(find('#root').hidden).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(find('#root').hidden).toBe(false);
  expect(find('.long').style.visibility).toBe('visible');
  expect(document.body.firstElementChild?.id).toBe('root');
});
