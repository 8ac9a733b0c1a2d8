import { expect, test } from 'vitest';
import { createConnection } from '#app/storage/connection.ts';
import { pageVisits } from './signals.ts';

const database = { close: () => undefined, addEventListener: () => undefined };
const aWhile = () => new Promise((resolve) => setTimeout(resolve));
const setVisibility = (value: DocumentVisibilityState) =>
  Object.defineProperty(document, 'visibilityState', {
    value,
    configurable: true,
  });

/** A pending database connection in a page that is being left. */
function waitInLeftPage() {
  const connection = createConnection(() => Promise.resolve(database), pageVisits);
  window.dispatchEvent(new Event('pagehide'));
  let isOpen = false;
  const opening = connection.use().then(() => (isOpen = true));
  return { connection, opening, isOpen: () => isOpen };
}

const inPage = (type: string) => document.body.dispatchEvent(new Event(type, { bubbles: true }));

test.each([
  ['comes back', () => window.dispatchEvent(new Event('pageshow'))],
  ['is touched', () => inPage('pointerdown')],
  ['gets a key', () => inPage('keydown')],
  ['is typed in', () => inPage('input')],
  ['is seen again', () => document.dispatchEvent(new Event('visibilitychange'))],
])('a page that was being left and %s opens its database again', async (_, sign) => {
  setVisibility('visible');
  const { connection, opening, isOpen } = waitInLeftPage();
  await aWhile();
  expect(isOpen()).toBe(false);
  sign();
  await opening;
  connection.close();
});

test('a page hidden while it is being left opens no connection', async () => {
  const { connection, opening, isOpen } = waitInLeftPage();
  setVisibility('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await aWhile();
  expect(isOpen()).toBe(false);
  setVisibility('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await opening;
  connection.close();
});
