import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardPresses } from './press-guard.ts';

let stop: () => void;
let pressed: string[];

beforeEach(() => {
  document.body.innerHTML = '<button id="opener">1</button><button id="confirm">2</button>';
  pressed = [];
  for (const { id } of document.querySelectorAll('button'))
    document.getElementById(id)?.addEventListener('click', () => pressed.push(id));
  stop = guardPresses(window, null);
});
afterEach(() => stop());

const on = (id: string) => document.getElementById(id) ?? document.body;
const AT = { bubbles: true, cancelable: true, clientX: 100, clientY: 100 };

/** Presses and releases at one point; `detail`: which click of a sequence the browser counts. */
function tap(id: string, pointerType: string, detail: number, clientY = 100): void {
  const at = { ...AT, clientY };
  on(id).dispatchEvent(new PointerEvent('pointerdown', { ...at, pointerType }));
  on(id).dispatchEvent(new MouseEvent('mousedown', { ...at, detail }));
  on(id).dispatchEvent(new MouseEvent('click', { ...at, detail }));
}

test('row 44: the second tap of a double tap presses nothing that the first one has put there', () => {
  tap('opener', 'touch', 1);
  tap('confirm', 'touch', 1);
  tap('confirm', 'touch', 1);
  expect(pressed).toEqual(['opener']);
});

test('row 44: the second click of a double click presses nothing that the first one has put there', () => {
  tap('opener', 'mouse', 1);
  tap('confirm', 'mouse', 2);
  tap('confirm', 'mouse', 3);
  expect(pressed).toEqual(['opener']);
});

test('two taps on one button, and taps at two places, both act', () => {
  tap('opener', 'touch', 1);
  tap('opener', 'touch', 2);
  tap('confirm', 'touch', 1, 180);
  expect(pressed).toEqual(['opener', 'opener', 'confirm']);
});

test.each(['Enter', ' '])(
  'row 44: a held key %j reaches no button after its first press',
  (key) => {
    const seen: boolean[] = [];
    on('confirm').addEventListener('keydown', ({ repeat }) => seen.push(repeat));
    const press = (repeat: boolean) =>
      on('confirm').dispatchEvent(
        new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true }),
      );
    expect(press(false)).toBe(true);
    expect(press(true)).toBe(false);
    expect(seen).toEqual([false]);
  },
);

test('a held Enter goes on writing lines in a text', () => {
  document.body.innerHTML = '<textarea></textarea>';
  const isAllowed = document
    .querySelector('textarea')
    ?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true }),
    );
  expect(isAllowed).toBe(true);
});

const keyDown = (id: string, key: string) =>
  on(id).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

test.each(['Enter', ' '])(
  'the second press of key %j does nothing where the first one has moved the focus',
  (key) => {
    expect(keyDown('opener', key)).toBe(true);
    expect(keyDown('confirm', key)).toBe(false);
    expect(keyDown('confirm', key)).toBe(false);
  },
);

test('two presses of a key on one button both act, and so does one after another key', () => {
  expect(keyDown('opener', 'Enter')).toBe(true);
  expect(keyDown('opener', 'Enter')).toBe(true);
  expect(keyDown('opener', 'Tab')).toBe(true);
  expect(keyDown('confirm', 'Enter')).toBe(true);
});
