import { expect, test, vi } from 'vitest';
import type { OutboxEvent } from '#app/outbox/types.ts';
import { showBadge, startBadge } from './badge.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function createIcon() {
  const shown: number[] = [];
  const host = {
    setAppBadge: async (count: number) => void shown.push(count),
    clearAppBadge: async () => void shown.push(0),
  };
  return { shown, host };
}

function createDevice(unsent: Record<string, number>) {
  let changed: (event: OutboxEvent) => void = () => undefined;
  return {
    unsent,
    unsentCount: vi.fn(async (owner: string) => unsent[owner] ?? 0),
    subscribe: (listener: (event: OutboxEvent) => void) => {
      changed = listener;
    },
    change: async () => {
      changed({ kind: 'written' } as OutboxEvent);
      await settle();
    },
  };
}

test('the icon shows only the unsent answers of the signed-in person', async () => {
  const device = createDevice({ anna: 2, boris: 5 });
  const { shown, host } = createIcon();
  let owner: string | null = 'anna';
  const refresh = startBadge(device, () => owner, host);
  await settle();
  device.unsent['anna'] = 3;
  await device.change();
  await device.change();
  expect(shown).toEqual([2, 3, 3]);
  device.unsent['anna'] = 0;
  await device.change();
  device.unsent['anna'] = 1;
  await device.change();
  owner = null;
  refresh();
  await settle();
  expect(shown).toEqual([2, 3, 3, 0, 1, 0]);
});

test('an unreadable device and a refusal change nothing', async () => {
  const device = createDevice({ anna: 2 });
  device.unsentCount.mockRejectedValue(new Error('storage'));
  const { shown, host } = createIcon();
  startBadge(device, () => 'anna', host);
  await device.change();
  expect(shown).toEqual([]);
  const refusal = async () => {
    throw new DOMException('not installed', 'NotAllowedError');
  };
  await expect(showBadge({ setAppBadge: refusal }, 1)).resolves.toBeUndefined();
});

test('a browser without badges is not read for', async () => {
  const device = createDevice({ anna: 2 });
  startBadge(device, () => 'anna', {})();
  await device.change();
  expect(device.unsentCount).not.toHaveBeenCalled();
  await expect(showBadge({}, 3)).resolves.toBeUndefined();
});

test('a number that the worker has written meanwhile is written over', async () => {
  const device = createDevice({ anna: 2 });
  const { shown, host } = createIcon();
  startBadge(device, () => 'anna', host);
  await settle();
  // The worker sends one of two answers, and the student writes another one.
  await showBadge(host, 1);
  await device.change();
  expect(shown.at(-1)).toBe(2);
});

test('another person never sees the number of the one before, though the device cannot be read', async () => {
  const device = createDevice({ anna: 2 });
  const { shown, host } = createIcon();
  let owner = 'anna';
  const refresh = startBadge(device, () => owner, host);
  await settle();
  device.unsentCount.mockRejectedValue(new Error('storage'));
  await device.change();
  expect(shown).toEqual([2]);
  owner = 'boris';
  refresh();
  await settle();
  expect(shown).toEqual([2, 0]);
});

test('a start without a sign-in clears what an interrupted sign-out left', async () => {
  const { shown, host } = createIcon();
  await showBadge(host, 4);
  startBadge(createDevice({}), () => null, host);
  await settle();
  expect(shown).toEqual([4, 0]);
});
