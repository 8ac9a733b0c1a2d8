// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { takeFocus } from './take-focus.ts';

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

function heading(): HTMLElement {
  const element = document.createElement('h1');
  element.tabIndex = -1;
  document.body.append(element);
  return element;
}
beforeEach(() => document.body.replaceChildren());

test('a screen’s heading gets the focus lost with the previous screen', async () => {
  const here = heading();
  takeFocus(here);
  await frame();
  expect(document.activeElement).toBe(here);
});

test('a focus that stands elsewhere is left there', async () => {
  const here = heading();
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  takeFocus(here);
  await frame();
  expect(document.activeElement).toBe(field);
});

test('a screen that was left at once gets no focus', async () => {
  const here = heading();
  takeFocus(here)();
  await frame();
  expect(document.activeElement).not.toBe(here);
});

test('a screen without a heading leaves the focus', async () => {
  takeFocus(null);
  await frame();
  expect(document.activeElement).toBe(document.body);
});
