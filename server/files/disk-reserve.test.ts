import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Settings } from '#server/deps.ts';
import { createFreeBytesReader, requireRoomForFiles } from './disk-reserve.ts';

afterEach(() => void vi.useRealTimers());

describe('the free bytes of a disk', () => {
  test('are read anew after two seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    // A server that has run for a while.
    vi.advanceTimersByTime(5_000);
    const folder = await mkdtemp(join(tmpdir(), 'reserve-'));
    const freeBytes = createFreeBytesReader(folder);
    const first = await freeBytes();
    expect(first).toBeGreaterThan(1024 * 1024);
    await rm(folder, { recursive: true });
    vi.advanceTimersByTime(1_999);
    expect(await freeBytes()).toBe(first);
    vi.advanceTimersByTime(1);
    expect(await freeBytes()).toBeNull();
  });
});

describe('a file', () => {
  const room = (free: number | null, message?: string) =>
    requireRoomForFiles(
      {
        freeBytes: () => Promise.resolve(free),
        settings: { diskReserveBytes: 1_000 } as Settings,
      },
      message,
    );

  test.each([1_000, null])('is accepted with %s free bytes', async (free) => {
    await expect(room(free)).resolves.toBeUndefined();
  });

  test('is refused below the reserve, and its device learns when to try again', async () => {
    await expect(room(999)).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message: expect.stringContaining('место'),
      retryAfterSeconds: 60,
    });
    await expect(room(999, 'Нет места')).rejects.toMatchObject({ message: 'Нет места' });
  });
});
