import { expect, test } from 'vitest';
import { breath } from './slices.ts';

test('long work runs for 40 ms, then yields to the page', async () => {
  let now = 0;
  const rest = breath(() => now);
  expect(await rest()).toBe(false);
  now = 39;
  expect(await rest()).toBe(false);
  now = 40;
  expect(await rest()).toBe(true);
  now = 79;
  expect(await rest()).toBe(false);
});
