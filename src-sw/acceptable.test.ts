import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isFileOf, isOurJson, isOurPage } from './acceptable.ts';
import { portal, served } from './fake-sign-in.ts';

const typed = (type: string, status = 200) =>
  new Response('', { status, headers: { 'content-type': type } });

/** A redirected reply; a constructed `Response` never has `redirected` set. */
function redirected(response: Response): Response {
  Object.defineProperty(response, 'redirected', { value: true });
  return response;
}

test('JSON is ours when it has our request id, is complete and was not redirected', () => {
  expect(isOurJson(served({}))).toBe(true);
  expect(isOurJson(typed('application/json'))).toBe(false);
  expect(isOurJson(served({}, 500))).toBe(false);
  expect(isOurJson(redirected(served({})))).toBe(false);
});

test.each([
  ['/assets/index-1.js', 'text/javascript; charset=utf-8'],
  ['/assets/pdf.worker-1.mjs', 'application/javascript'],
  ['/assets/index-1.css', 'text/css; charset=utf-8'],
  ['/assets/golos-1.woff2', 'font/woff2'],
  ['/assets/golos-1.woff2', 'application/font-woff2'],
  ['/assets/golos-1.woff2', 'application/octet-stream'],
  ['/icon.png', 'image/png'],
  ['/icon.svg', 'image/svg+xml'],
  ['/index.html', 'text/html; charset=utf-8'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  // A path that merely contains a known extension is another file.
  ['/assets/index-1.js.map', 'application/json'],
  ['/assets/index-1.css.map', 'application/json'],
  ['/assets/golos-1.woff2.txt', 'text/plain'],
  ['/icon.png.json', 'application/json'],
  ['/index.html.gz', 'application/gzip'],
])('%s as %s is that file', (path, type) => {
  expect(isFileOf(path, typed(type))).toBe(true);
  expect(isFileOf(path, typed(type, 404))).toBe(false);
  expect(isFileOf(path, redirected(typed(type)))).toBe(false);
});

test.each([
  '/assets/index-1.js',
  '/assets/index-1.css',
  '/assets/golos-1.woff2',
  '/icon.png',
  '/manifest.webmanifest',
])('a captive portal’s page in place of %s is not the file', (path) => {
  expect(isFileOf(path, portal())).toBe(false);
});

test.each([
  ['/assets/index-1.css', 'text/plain; was=text/css'],
  ['/assets/golos-1.woff2', 'text/plain; was=font/woff2'],
  ['/icon.png', 'text/plain; was=image/png'],
  ['/index.html', 'text/plain; was=text/html'],
])('%s as %s is not the file: only the type before parameters counts', (path, type) => {
  expect(isFileOf(path, typed(type))).toBe(false);
});

test('a foreign page in place of the app’s own page is rejected', async () => {
  expect(isFileOf('/index.html', portal())).toBe(true);
  expect(await isOurPage(portal())).toBe(false);
  const own = await readFile(new URL('../index.html', import.meta.url), 'utf8');
  expect(await isOurPage(new Response(own))).toBe(true);
});
