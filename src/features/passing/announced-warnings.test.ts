import { expect, test, vi } from 'vitest';
import { readAnnounced, markAnnounced } from './announced-warnings.ts';

function memory() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

test('announced warnings are remembered per attempt and dropped once its deadline is past', () => {
  const local = memory();
  markAnnounced(local, 'old', { deadline: 100, threshold: 1 }, 50);
  markAnnounced(local, 'a', { deadline: 500, threshold: 10 }, 200);
  markAnnounced(local, 'b', { deadline: 600, threshold: 5 }, 210);
  expect(readAnnounced(local, 'a')).toEqual({ deadline: 500, threshold: 10 });
  expect(readAnnounced(local, 'b')).toEqual({ deadline: 600, threshold: 5 });
  expect(readAnnounced(local, 'old')).toBeNull();
});

test('an unparsable value is logged and ignored; a full storage does not break the screen', () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const local = memory();
  local.values.set('toldTimes', '{broken');
  expect(readAnnounced(local, 'a')).toBeNull();
  markAnnounced(local, 'a', { deadline: 500, threshold: 5 }, 0);
  expect(readAnnounced(local, 'a')).toEqual({ deadline: 500, threshold: 5 });
  const full = {
    ...local,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  expect(() => markAnnounced(full, 'a', { deadline: 500, threshold: 1 }, 0)).not.toThrow();
  // The failures of the first read, of the read before the write, and of the write.
  expect(logged).toHaveBeenCalledTimes(3);
  logged.mockRestore();
});
