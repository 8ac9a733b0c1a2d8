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

test('the icon shows the unsent answers of the signed-in person, and nobody else’s', async () => {
  const device = createDevice({ anna: 2, boris: 5 });
  const { shown, host } = createIcon();
  let owner: string | null = 'anna';
  const refresh = startBadge(device, () => owner, host);
  await settle();
  device.unsent['anna'] = 3;
  await device.change();
  await device.change();
  expect(shown).toEqual([2, 3]);
  device.unsent['anna'] = 0;
  await device.change();
  device.unsent['anna'] = 1;
  await device.change();
  owner = null;
  refresh();
  await settle();
  expect(shown).toEqual([2, 3, 0, 1, 0]);
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
