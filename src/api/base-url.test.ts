import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getFile } from '#contract/files.ts';

// The address is read at import, which another test file may have done.
beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** The URL of a page's call for a given build setting. */
async function addressWith(base: string | undefined): Promise<string> {
  if (base !== undefined) vi.stubEnv('VITE_API_BASE_URL', base);
  const requested: string[] = [];
  vi.stubGlobal('fetch', (input: string | Request) => {
    requested.push(typeof input === 'string' ? input : input.url);
    return Promise.reject(new TypeError('no network'));
  });
  const { call } = await import('./call.ts');
  await call(getFile, { query: { path: 'a' } }).catch(() => undefined);
  return requested[0] ?? '';
}

test('all calls go to the base URL of the build', async () => {
  expect(await addressWith('https://api.school.test')).toBe(
    'https://api.school.test/api/Files/file?path=a',
  );
});

test('without it they go to the page’s own origin', async () => {
  expect(await addressWith(undefined)).toBe('/api/Files/file?path=a');
});
