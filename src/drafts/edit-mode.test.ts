import { expect, test, vi } from 'vitest';
import { readEditMode, rememberEditMode } from './edit-mode.ts';

function memory(stored: string | null = null) {
  let value = stored;
  return {
    getItem: () => value,
    setItem: (_: string, next: string) => {
      value = next;
    },
  };
}

test('the chosen mode is remembered per test', () => {
  const local = memory();
  rememberEditMode(local, 'a', 'ai');
  rememberEditMode(local, 'b', 'generate');
  rememberEditMode(local, 'a', 'custom');
  expect(readEditMode(local, 'a')).toBe('custom');
  expect(readEditMode(local, 'b')).toBe('generate');
  expect(readEditMode(local, 'c')).toBe('custom');
});

test.each(['{', '"x"', '{"a":"magic"}'])(
  '«%s» in the storage is logged and counts as none',
  (stored) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(readEditMode(memory(stored), 'a')).toBe('custom');
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  },
);

test('only the newest tests are remembered', () => {
  const local = memory();
  for (let number = 0; number < 130; number += 1) rememberEditMode(local, `t${number}`, 'ai');
  expect(readEditMode(local, 't129')).toBe('ai');
  expect(readEditMode(local, 't0')).toBe('custom');
});

test('with a full storage no mode is remembered and the editor still opens', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  expect(() => rememberEditMode(full, 'a', 'ai')).not.toThrow();
});
