import { expect, test } from 'vitest';
import { markDisclosed, wasDisclosed } from './disclosure.ts';

test.each([null, '[[[', '{'])('a device with «%s» remembers acknowledged providers', (stored) => {
  let value = stored;
  const local = {
    getItem: () => value,
    setItem: (_: string, next: string) => {
      value = next;
    },
  };
  expect(wasDisclosed(local, 'api.one')).toBe(false);
  markDisclosed(local, 'api.one');
  markDisclosed(local, 'api.two');
  const hosts = ['api.one', 'api.two', 'api.three'];
  expect(hosts.map((host) => wasDisclosed(local, host))).toEqual([true, true, false]);
});

test('with a full storage the disclosure is shown again', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  expect(() => markDisclosed(full, 'api.one')).not.toThrow();
  expect(wasDisclosed(full, 'api.one')).toBe(false);
});
