import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createColourScheme, SCHEME_KEY } from './colour-scheme.ts';

beforeEach(() => {
  document.head.innerHTML = `
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#f1f2f5" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#0e1017" media="(prefers-color-scheme: dark)">`;
  localStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

const contents = () =>
  [...document.querySelectorAll('meta')].map((meta) => meta.getAttribute('content'));

test('the scheme follows the system until one is chosen, and again when reset', () => {
  const scheme = createColourScheme(localStorage);
  expect(scheme.get('auto')).toBe('auto');
  expect(contents()).toEqual(['light dark', '#f1f2f5', '#0e1017']);
  scheme.set('dark');
  expect(localStorage.getItem(SCHEME_KEY)).toBe('dark');
  expect(contents()).toEqual(['dark', '#0e1017', '#0e1017']);
  scheme.set('auto');
  expect(contents()).toEqual(['light dark', '#f1f2f5', '#0e1017']);
});

test('the chosen scheme survives a reload, also for the browser’s bars', () => {
  localStorage.setItem(SCHEME_KEY, 'light');
  expect(createColourScheme(localStorage).get('auto')).toBe('light');
  expect(contents()).toEqual(['light', '#f1f2f5', '#f1f2f5']);
});

test('an invalid value is logged and ignored', () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  localStorage.setItem(SCHEME_KEY, '{"пурпурная');
  expect(createColourScheme(localStorage).get('auto')).toBe('auto');
  expect(logged).toHaveBeenCalled();
});

test('a choice in another tab is applied here until unsubscribed', () => {
  const scheme = createColourScheme(localStorage);
  const changes: string[] = [];
  scheme.subscribe((one) => changes.push(one));
  const tell = (newValue: string) =>
    window.dispatchEvent(new StorageEvent('storage', { key: SCHEME_KEY, newValue }));
  tell('dark');
  tell('никакая');
  scheme.unsubscribe();
  tell('light');
  expect(changes).toEqual(['dark']);
});

test.each([
  ['dark', false, 'dark', 'dark'],
  ['light', true, 'light', 'light'],
  ['auto', true, 'light dark', 'dark'],
  ['auto', false, 'light dark', 'light'],
])(
  'before anything is loaded the page has the colours of %s, the system being dark: %s',
  (chosen, isDark, canvas, scheme) => {
    vi.stubGlobal('matchMedia', () => ({ matches: isDark }));
    localStorage.setItem(SCHEME_KEY, chosen);
    document.querySelector('meta')?.setAttribute('content', 'light dark');
    delete document.documentElement.dataset['mantineColorScheme'];
    // oxlint-disable-next-line typescript/no-implied-eval -- the file is a script of the page, and no module
    new Function(readFileSync('public/scheme.js', 'utf8'))();
    vi.unstubAllGlobals();
    expect(contents()[0]).toBe(canvas);
    expect(document.documentElement.dataset['mantineColorScheme']).toBe(scheme);
    expect(readFileSync('index.html', 'utf8')).toContain('<script src="/scheme.js"></script>');
  },
);
