import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardPresses } from './press-guard.ts';

let stop: () => void;
let pressed: string[];

beforeEach(() => {
  // A pressed control counts as gone unless a test says otherwise.
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([] as unknown as DOMRectList);
  document.body.innerHTML = '<button id="opener">1</button><button id="confirm">2</button>';
  pressed = [];
  for (const { id } of document.querySelectorAll('button'))
    document.getElementById(id)?.addEventListener('click', () => pressed.push(id));
  stop = guardPresses(window, null);
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

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

const keyDown = (id: string, key: string, repeat = false) =>
  on(id).dispatchEvent(
    new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true }),
  );

function showFields(): void {
  document.body.innerHTML = `<button id="remove">Удалить</button>
    <textarea id="first"></textarea><textarea id="second"></textarea>
    <label><input id="name"></label><label><input id="next"></label>`;
}

test('a held Enter goes on writing lines in a text', () => {
  showFields();
  expect(keyDown('first', 'Enter')).toBe(true);
  expect(keyDown('first', 'Enter', true)).toBe(true);
});

test.each(['Enter', ' '])(
  'a held key %j writes nothing in a field where it has not gone down',
  (key) => {
    showFields();
    expect(keyDown('remove', key)).toBe(true);
    expect(keyDown('first', key, true)).toBe(false);
    expect(keyDown('name', key, true)).toBe(false);
    expect(keyDown('second', key)).toBe(false);
    // Enter in one field may have moved the focus to the next.
    expect(keyDown('first', 'Shift')).toBe(true);
    expect(keyDown('first', key)).toBe(true);
    expect(keyDown('second', key, true)).toBe(false);
  },
);

test('a held space goes on in a line, and where it presses nothing', () => {
  showFields();
  expect(keyDown('name', ' ')).toBe(true);
  expect(keyDown('name', ' ', true)).toBe(true);
  expect(keyDown('page', ' ')).toBe(true);
  expect(keyDown('page', ' ', true)).toBe(true);
});

test('the second Enter writes nothing where the first one has brought the focus into a field', () => {
  showFields();
  expect(keyDown('remove', 'Enter')).toBe(true);
  expect(keyDown('first', 'Enter')).toBe(false);
  expect(keyDown('first', 'Enter')).toBe(false);
  expect(keyDown('name', 'Enter')).toBe(false);
});

test('Enter in one field after the other, and after a typed letter, always acts', () => {
  showFields();
  for (const id of ['first', 'second', 'name', 'next', 'first'])
    expect(keyDown(id, 'Enter')).toBe(true);
  expect(keyDown('remove', 'Enter')).toBe(true);
  expect(keyDown('name', 'F')).toBe(true);
  expect(keyDown('name', 'Enter')).toBe(true);
});

test('a key that was down when the guard began is the first press, too', () => {
  showFields();
  stop();
  const started = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true });
  on('remove').dispatchEvent(started);
  stop = guardPresses(window, started);
  expect(keyDown('first', 'Enter', true)).toBe(false);
  expect(keyDown('first', 'Enter')).toBe(false);
});

test.each(['Enter', ' '])(
  'a second press of key %j does nothing if the first one removed its control',
  (key) => {
    expect(keyDown('opener', key)).toBe(true);
    expect(keyDown('confirm', key)).toBe(false);
    expect(keyDown('confirm', key)).toBe(false);
  },
);

test('a second Enter acts where the control of the first one is still there, as that of a menu', () => {
  const rects = vi.spyOn(on('opener'), 'getClientRects');
  rects.mockReturnValue([{}] as unknown as DOMRectList);
  expect(keyDown('opener', 'Enter')).toBe(true);
  expect(keyDown('confirm', 'Enter')).toBe(true);
});

test('two presses of a key on one button both act, and so does one after another key', () => {
  expect(keyDown('opener', 'Enter')).toBe(true);
  expect(keyDown('opener', 'Enter')).toBe(true);
  expect(keyDown('opener', 'Tab')).toBe(true);
  expect(keyDown('confirm', 'Enter')).toBe(true);
});
