import { expect, test, vi } from 'vitest';
import { createModuleLoader } from './module-loader.ts';

const ADDRESS = 'https://school.example/assets/sha2-1.js';
const LOST = new TypeError(`error loading dynamically imported module: ${ADDRESS}`);
const MODULE = { sha256: 'module' };

test('a module that failed once is loaded by the next call', async () => {
  const importModule = vi.fn(async () => MODULE).mockRejectedValueOnce(LOST);
  const load = createModuleLoader(importModule);
  await expect(load()).rejects.toBe(LOST);
  expect(await load()).toBe(MODULE);
  expect(await load()).toBe(MODULE);
  expect(importModule).toHaveBeenCalledTimes(2);
});

test('a browser that remembers the failure by the address is given another address each time', async () => {
  const importAddress = vi
    .fn(async (_address: string): Promise<unknown> => MODULE)
    .mockRejectedValueOnce(LOST);
  const load = createModuleLoader(() => Promise.reject(LOST), importAddress);
  await expect(load()).rejects.toBe(LOST);
  expect(importAddress).not.toHaveBeenCalled();
  await expect(load()).rejects.toBe(LOST);
  expect(await load()).toBe(MODULE);
  expect(await load()).toBe(MODULE);
  expect(importAddress.mock.calls).toEqual([[`${ADDRESS}?retry=1`], [`${ADDRESS}?retry=2`]]);
});

test('WebKit does not name the address: it is read from the function', async () => {
  const importAddress = vi.fn(async (_address: string): Promise<unknown> => MODULE);
  const failure = new TypeError('Importing a module script failed.');
  const importModule = () => Promise.reject(failure);
  importModule.toString = () => '()=>r(()=>import(`./sha2-1.js`),[])';
  const load = createModuleLoader(importModule, importAddress);
  await expect(load()).rejects.toBe(failure);
  expect(await load()).toBe(MODULE);
  expect(importAddress.mock.calls[0]?.[0]).toMatch(/\/sha2-1\.js\?retry=1$/);
});
