import { expect, test, vi } from 'vitest';
import { readTold, rememberTold } from './told-times.ts';

function memory() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

test('what was told of each attempt is remembered, of those whose time is over no more', () => {
  const local = memory();
  rememberTold(local, 'old', { deadline: 100, threshold: 1 }, 50);
  rememberTold(local, 'a', { deadline: 500, threshold: 10 }, 200);
  rememberTold(local, 'b', { deadline: 600, threshold: 5 }, 210);
  expect(readTold(local, 'a')).toEqual({ deadline: 500, threshold: 10 });
  expect(readTold(local, 'b')).toEqual({ deadline: 600, threshold: 5 });
  expect(readTold(local, 'old')).toBeNull();
});

test('a value that fails to parse is logged and treated as none; a full storage costs no screen', () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const local = memory();
  local.values.set('toldTimes', '{broken');
  expect(readTold(local, 'a')).toBeNull();
  rememberTold(local, 'a', { deadline: 500, threshold: 5 }, 0);
  expect(readTold(local, 'a')).toEqual({ deadline: 500, threshold: 5 });
  const full = {
    ...local,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  expect(() => rememberTold(full, 'a', { deadline: 500, threshold: 1 }, 0)).not.toThrow();
  expect(logged).toHaveBeenCalled();
  logged.mockRestore();
});
